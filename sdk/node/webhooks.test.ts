import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyV1Webhook, verifyWebhook } from './webhooks.ts';

/** The vector of Standard Webhooks: the reference library makes the same signature. */
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY = '{"type":"run.settled","timestamp":"2025-11-25T20:00:00Z","data":{"session_id":"vs_1"}}';
const NOW_S = 1_764_100_800;
const HEADERS = {
  'webhook-id': 'msg_01HXYZ',
  'webhook-timestamp': String(NOW_S),
  'webhook-signature': 'v1,QOeIMu1zI/8/KxLXzo+piSMwng6/nBmr8EvmnYxsxPY=',
};
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('a call that is signed is read, as text, as bytes, and with headers of either kind', () => {
  const event = { type: 'run.settled', data: { session_id: 'vs_1' } };
  expect(verifyWebhook(BODY, HEADERS, SECRET, NOW_S)).toMatchObject(event);
  expect(verifyWebhook(Buffer.from(BODY), new Headers(HEADERS), SECRET, NOW_S)).toMatchObject(event);
  const inCapitals = Object.fromEntries(
    Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(verifyWebhook(BODY, inCapitals, SECRET, NOW_S)).toMatchObject(event);
});

test('during a rotation, one of two secrets and one of several signatures is enough', () => {
  expect(verifyWebhook(BODY, HEADERS, [OTHER, SECRET], NOW_S).type).toBe('run.settled');
  const two = { ...HEADERS, 'webhook-signature': `v1,AAAA ${HEADERS['webhook-signature']}` };
  expect(verifyWebhook(BODY, two, SECRET, NOW_S).type).toBe('run.settled');
});

test('a key pair: `v1a` is checked with the public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const signed = sign(null, Buffer.from(`msg_1.${NOW_S}.${BODY}`), privateKey).toString('base64');
  const headers = { ...HEADERS, 'webhook-id': 'msg_1', 'webhook-signature': `v1a,${signed}` };
  const secret = `whpk_${raw.toString('base64')}`;
  expect(verifyWebhook(BODY, headers, secret, NOW_S).type).toBe('run.settled');
  expect(() => verifyWebhook(`${BODY} `, headers, secret, NOW_S)).toThrow('No signature matches');
});

test.each([
  ['another body', `${BODY} `, HEADERS, SECRET, NOW_S, 'No signature matches'],
  ['another ID', BODY, { ...HEADERS, 'webhook-id': 'msg_2' }, SECRET, NOW_S, 'No signature matches'],
  ['another secret', BODY, HEADERS, OTHER, NOW_S, 'No signature matches'],
  ['no secret', BODY, HEADERS, [], NOW_S, 'No signature matches'],
  [
    'a shorter signature',
    BODY,
    { ...HEADERS, 'webhook-signature': 'v1,QOeI' },
    SECRET,
    NOW_S,
    'No signature',
  ],
  ['an old call', BODY, HEADERS, SECRET, NOW_S + 301, 'too old'],
  ['a call of the future', BODY, HEADERS, SECRET, NOW_S - 301, 'clocks differ'],
  ['a time that is none', BODY, { ...HEADERS, 'webhook-timestamp': 'NaN' }, SECRET, NOW_S, 'too old'],
  ['a missing header', BODY, { 'webhook-id': 'msg_01HXYZ' }, SECRET, NOW_S, 'missing'],
  ['a secret of v1', BODY, HEADERS, 'whsec_short', NOW_S, 'not one of Standard Webhooks'],
])('refused: %s', (_, body, headers, secret, nowS, reason) => {
  expect(() => verifyWebhook(body, headers, secret, nowS)).toThrow(reason);
});

test('v1: the hexadecimal HMAC with the secret as it stands', () => {
  const [secret, body] = ['whsec_a-secret-of-this-test', '{"type":"USER_VERIFICATION_COMPLETED"}'];
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const headers = { 'X-Hub-Signature-256': signature };
  expect(verifyV1Webhook(body, headers, ['whsec_old', secret]).type).toBe('USER_VERIFICATION_COMPLETED');
  for (const [otherBody, otherHeaders] of [
    [`${body} `, headers],
    [body, { 'X-Hub-Signature-256': signature.slice(0, -1) }],
    [body, {}],
  ] as const)
    expect(() => verifyV1Webhook(otherBody, otherHeaders, secret)).toThrow('does not match');
  const forged = `sha256=${createHmac('sha256', '').update(body).digest('hex')}`;
  expect(() => verifyV1Webhook(body, { 'x-hub-signature-256': forged }, '')).toThrow('does not match');
});
