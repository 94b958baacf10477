import { expect, test } from 'vitest';
import { errorOf } from './request-error.ts';

test('the English sentences of a reply never reach a page', async () => {
  const body = { error: 'invalid_request', message: 'body.name: too short', fields: [], args: { min: 3 } };
  const { code, message, facts } = await errorOf(Response.json(body, { status: 422 }));
  expect([code, message]).toEqual(['invalid_request', 'invalid_request']);
  expect(facts).toEqual({ error: 'invalid_request', args: { min: 3 } });
});
