import { expect, test } from 'vitest';
import {
  isSignedBy,
  keyIdOf,
  keyText,
  publicKeyOf,
  readHumanCode,
  readKeyText,
  signHumanCode,
} from '../../server/domain/tickets/human-code.ts';
import { V3_CODE_OPERATIONS } from '../../server/contract/v3-codes.ts';
import { verifyCode } from './codes.ts';

/** The vector of the documentation: a private key of the bytes 00 to 1f. */
const SEED = Uint8Array.from({ length: 32 }, (_, at) => at);
const SERIAL = '000102030405060708090a0b0c0d0e0f';
const EXPIRES = Date.UTC(2026, 10, 27, 2);
const KEY = 'hcpk_A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg';
const KEY_ID = '56475aa75463474c';
const CODE = V3_CODE_OPERATIONS.makeCode.reply.code;
const BEFORE = { nowMs: EXPIRES - 1 };

const OTHER_SEED = SEED.map((byte) => byte + 1);
const OTHER_KEY = keyText(publicKeyOf(OTHER_SEED));
const codeOf = (bytes: Buffer) => `hc_${bytes.toString('base64url')}`;

test('the vector: key, key ID and code, as the service makes them and as a verifier reads them', async () => {
  expect(keyText(publicKeyOf(SEED))).toBe(KEY);
  expect(keyIdOf(publicKeyOf(SEED))).toBe(KEY_ID);
  expect(signHumanCode(SEED, { serial: SERIAL, expiresAt: EXPIRES + 999 })).toBe(CODE);
  expect(readHumanCode(CODE)).toMatchObject({ keyId: KEY_ID, serial: SERIAL, expiresAt: EXPIRES });
  const valid = { valid: true, serial: SERIAL, keyId: KEY_ID, expiresAt: new Date(EXPIRES) };
  expect(await verifyCode(` ${CODE}\n`, KEY, BEFORE)).toEqual(valid);
  expect(await verifyCode(CODE, [OTHER_KEY, KEY], BEFORE)).toEqual(valid);
});

test('a code says nothing but the key, the end and a serial', () => {
  expect(Buffer.from(CODE.slice(3), 'base64url').subarray(0, 29).toString('hex')).toBe(
    `01${KEY_ID}${(EXPIRES / 1_000).toString(16)}${SERIAL}`,
  );
});

test('a code with any byte changed is refused by the service and by the verifier', async () => {
  const bytes = Buffer.from(CODE.slice('hc_'.length), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const text = codeOf(changed);
    const reason = at === 0 ? 'malformed' : at < 9 ? 'unknown_key' : 'forged';
    expect(await verifyCode(text, KEY, BEFORE), `byte ${at}`).toEqual({ valid: false, reason });
    const read = readHumanCode(text);
    expect(read !== null && read.keyId === KEY_ID && isSignedBy(read, publicKeyOf(SEED))).toBe(false);
  }
});

test('a code of another event is of an unknown key, and one that claims this key is forged', async () => {
  const other = signHumanCode(OTHER_SEED, { serial: SERIAL, expiresAt: EXPIRES });
  expect(await verifyCode(other, KEY, BEFORE)).toEqual({ valid: false, reason: 'unknown_key' });
  const claimed = Buffer.from(other.slice(3), 'base64url');
  claimed.write(KEY_ID, 1, 'hex');
  expect(await verifyCode(codeOf(claimed), KEY, BEFORE)).toEqual({ valid: false, reason: 'forged' });
});

test('a code is good until the event ends', async () => {
  expect(await verifyCode(CODE, KEY, { nowMs: EXPIRES })).toEqual({ valid: false, reason: 'expired' });
});

test.each([
  ['', 'nothing'],
  ['hc_', 'only a prefix'],
  [CODE.slice(0, -1), 'a shorter one'],
  [`${CODE}A`, 'a longer one'],
  [CODE.replace('hc_', 'HC_'), 'another prefix'],
  [`${CODE.slice(0, -1)}=`, 'padding'],
  ['A-1042', 'a ticket'],
])('%j is no code: %s', async (text) => {
  expect(await verifyCode(text, KEY)).toEqual({ valid: false, reason: 'malformed' });
  expect(readHumanCode(text)).toBeNull();
});

test('a code is accepted once, also by two gates that ask the same memory at once', async () => {
  const used = new Map<string, Date>();
  const use = (serial: string, expiresAt: Date) => !used.has(serial) && used.set(serial, expiresAt).size > 0;
  const checks = await Promise.all([1, 2, 3].map(() => verifyCode(CODE, KEY, { ...BEFORE, use })));
  expect(checks.filter(({ valid }) => valid)).toHaveLength(1);
  expect(checks.filter((check) => !check.valid && check.reason === 'used')).toHaveLength(2);
  expect([...used]).toEqual([[SERIAL, new Date(EXPIRES)]]);
});

test('a code that is not good is never marked as used', async () => {
  const use = () => {
    throw new Error('It was marked.');
  };
  expect(await verifyCode(CODE, OTHER_KEY, { ...BEFORE, use })).toMatchObject({ valid: false });
  expect(await verifyCode(CODE, KEY, { nowMs: EXPIRES, use })).toMatchObject({ valid: false });
});

test.each([KEY.slice(0, -1), KEY.replace('hcpk_', 'whpk_'), '', `${KEY.slice(0, -1)}h`])(
  '%j is no key',
  async (key) => {
    await expect(verifyCode(CODE, key)).rejects.toThrow(TypeError);
    expect(readKeyText(key)).toBeNull();
  },
);
