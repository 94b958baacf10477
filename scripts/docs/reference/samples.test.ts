import { expect, test } from 'vitest';
import type { Operation } from './reference.ts';
import { samplesOf } from './samples.ts';

const operation = (change: Partial<Operation>): Operation => ({
  ...{
    id: 'sample',
    generation: 'v3',
    method: 'POST',
    path: '/v3/sample',
    summary: '',
    description: '',
    key: '',
  },
  ...{
    deprecated: false,
    parameters: [],
    request: null,
    response: { description: '', fields: [], example: {} },
  },
  ...{ errors: [], ...change },
});
const withBody = (example: unknown) => samplesOf(operation({ request: { fields: [], example } }));

test('quotes in a body stay what they are in each language', () => {
  const { sh, php } = withBody({ name: "O'Neil" });
  expect(sh).toContain(`-d '{"name":"O'\\''Neil"}'`);
  expect(php).toContain(`'name' => 'O\\'Neil'`);
});

test('values are written as each language has them', () => {
  const { python, php, js } = withBody({ on: true, off: [false, null], none: {} });
  expect(python.replaceAll(/\s+/g, ' ')).toContain('{ "on": True, "off": [ False, None ], "none": {} }');
  expect(php.replaceAll(/\s+/g, ' ')).toContain(
    "[ 'on' => true, 'off' => [ false, null, ], 'none' => new stdClass(), ]",
  );
  expect(js).toContain('"on": true');
});

test('keys and IDs come from the environment', () => {
  const samples = samplesOf(operation({ method: 'GET', path: '/v3/confirmations/{token}/x/{webhook_id}' }));
  for (const code of Object.values(samples)) {
    for (const name of ['SK_TEST', 'VYT', 'WEBHOOK_ID']) expect(code).toContain(name);
    expect(code).not.toContain('Content-Type');
  }
  for (const code of Object.values(samplesOf(operation({ generation: 'v2' })))) {
    expect(code).toContain('AK_TEST');
    expect(code).toContain('API-KEY');
  }
});
