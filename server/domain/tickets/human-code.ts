/**
 * Humans-only codes: what one says, and who signed it. A code names no person. Verifiers elsewhere read the same bytes
 * (`sdk/node/codes.ts`).
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

const PREFIX = 'hc_';
const KEY_PREFIX = 'hcpk_';
const VERSION = 1;
const KEY_ID_AT = 1;
const EXPIRY_AT = 9;
const SERIAL_AT = 13;
export const SERIAL_BYTES = 16;
const SIGNATURE_AT = SERIAL_AT + SERIAL_BYTES;
const SIGNATURE_BYTES = 64;
/** Seconds in four bytes: until the year 2106. */
const LATEST_S = 0xffffffff;
/** Before the 32 bytes of a private and of a public Ed25519 key in DER (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export type HumanCode = {
  /** Of the public key, in hexadecimal digits: what tells an event's keys apart. */
  keyId: string;
  /** Epoch milliseconds, in whole seconds. */
  expiresAt: number;
  /** Hexadecimal digits. Marks the code as used, and says nothing else. */
  serial: string;
};

/** @param seed the 32 bytes of the private key */
export const publicKeyOf = (seed: Uint8Array): Buffer =>
  createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);

export const keyIdOf = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 16);

/** As verifiers get it: `hcpk_…`. */
export const keyText = (publicKey: Uint8Array): string =>
  KEY_PREFIX + Buffer.from(publicKey).toString('base64url');

/** The 32 bytes of `hcpk_…`; null if it is something else. */
export function readKeyText(text: string): Buffer | null {
  if (!text.startsWith(KEY_PREFIX)) return null;
  const bytes = Buffer.from(text.slice(KEY_PREFIX.length), 'base64url');
  return keyText(bytes) === text && bytes.length === 32 ? bytes : null;
}

/** The same serial, time and key always give the same code. */
export function signHumanCode(seed: Uint8Array, { expiresAt, serial }: Omit<HumanCode, 'keyId'>): string {
  const said = Buffer.alloc(SIGNATURE_AT);
  said.writeUInt8(VERSION, 0);
  said.write(keyIdOf(publicKeyOf(seed)), KEY_ID_AT, 'hex');
  said.writeUInt32BE(Math.min(Math.floor(expiresAt / 1_000), LATEST_S), EXPIRY_AT);
  said.write(serial, SERIAL_AT, SERIAL_BYTES, 'hex');
  return PREFIX + Buffer.concat([said, sign(null, said, privateKeyOf(seed))]).toString('base64url');
}

/** What a text says that has the form of a code, whatever key signed it; null for any other text. */
export function readHumanCode(text: string): (HumanCode & { bytes: Buffer }) | null {
  if (!text.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  if (bytes.length !== SIGNATURE_AT + SIGNATURE_BYTES || bytes[0] !== VERSION) return null;
  // The decoder ignores stray characters, but a code has only one spelling.
  if (PREFIX + bytes.toString('base64url') !== text) return null;
  return {
    keyId: bytes.toString('hex', KEY_ID_AT, EXPIRY_AT),
    expiresAt: bytes.readUInt32BE(EXPIRY_AT) * 1_000,
    serial: bytes.toString('hex', SERIAL_AT, SIGNATURE_AT),
    bytes,
  };
}

export function isSignedBy({ bytes }: { bytes: Buffer }, publicKey: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return verify(null, bytes.subarray(0, SIGNATURE_AT), key, bytes.subarray(SIGNATURE_AT));
}

const privateKeyOf = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
