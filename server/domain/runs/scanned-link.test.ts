import { expect, test } from 'vitest';
import { readScannedLink } from './scanned-link.ts';

const BASE = 'https://gate.example';
const read = (text: string) => readScannedLink(text, [BASE, 'http://10.0.0.4:4180']);

test.each([
  [`${BASE}/verification?vys=vs_1`, { kind: 'session', id: 'vs_1', directToken: null }],
  [`  ${BASE}/verification?vys=vs_1#h=x `, { kind: 'session', id: 'vs_1', directToken: null }],
  ['http://10.0.0.4:4180/connect?session_id=vs_1', { kind: 'session', id: 'vs_1', directToken: null }],
  [`${BASE}/connect/direct?session_id=vs_1&t=d_1`, { kind: 'session', id: 'vs_1', directToken: 'd_1' }],
  [`${BASE}/invite/in_1`, { kind: 'invite', code: 'in_1' }],
  [`${BASE}/v/0198-a`, { kind: 'verification', id: '0198-a' }],
])('%s is one of our links', (text, link) => {
  expect(read(text)).toEqual(link);
});

test.each([
  'https://other.example/verification?vys=vs_1',
  'http://gate.example/verification?vys=vs_1',
  'https://gate.example.evil.example/verification?vys=vs_1',
  'https://gate.example@evil.example/verification?vys=vs_1',
  `${BASE}/verification`,
  `${BASE}/my`,
  `${BASE}/`,
  'vs_1',
  'javascript:alert(1)',
  '',
])('%s is not', (text) => {
  expect(read(text)).toBeNull();
});
