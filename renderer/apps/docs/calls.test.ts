import { expect, test } from 'vitest';
import { codeField, keyHeader, sampleKey } from './calls.ts';

test('v1 and v2 use an API-KEY header and answer with a failure_code; v3 a bearer token and detail', () => {
  for (const path of ['/v1/business_connect_user/register', '/v2/verification/create']) {
    expect(keyHeader(path, 'k')).toEqual({ 'api-key': 'k' });
    expect([sampleKey(path), codeField(path)]).toEqual(['ak_test_…', 'failure_code']);
  }
  expect(keyHeader('/v3/initialize', 'k')).toEqual({ authorization: 'Bearer k' });
  expect([sampleKey('/v3/initialize'), codeField('/v3/initialize')]).toEqual(['sk_test_…', 'detail']);
});
