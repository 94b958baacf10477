import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RequestError } from '../../../../http/request-error.ts';
import { createConsoleClient } from './query-client.ts';

/** A person's page that is open while its next reading fails. */
async function openPage(failure: RequestError) {
  const client = createConsoleClient();
  const read = vi.fn(async () => 'Ana Ruiz');
  const page = new QueryObserver(client, { queryKey: ['person'], queryFn: read, retry: false });
  onTestFinished(page.subscribe(() => undefined));
  await expect.poll(() => page.getCurrentResult().data).toBe('Ana Ruiz');
  read.mockRejectedValue(failure);
  await client.invalidateQueries({ queryKey: ['person'] });
  return page.getCurrentResult();
}

test.each([
  ['someone who was erased meanwhile', 'not_found', 404],
  ['data that a changed role may no longer read', 'role_too_low', 403],
])('an open page no longer shows %s', async (_what, code, status) => {
  const { data, error } = await openPage(new RequestError(code, { status }));
  expect(data).toBeUndefined();
  expect(error).toMatchObject({ code });
});

test('a page keeps what it shows while the server is away', async () => {
  const { data, error } = await openPage(new RequestError('offline'));
  expect(data).toBe('Ana Ruiz');
  expect(error).toMatchObject({ code: 'offline' });
});
