/** Codes that pretix signs (`pretix_sig1`): they say what they are for without a list. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';

export type SignedCode = {
  /** Of the product; 0 if the code names none. */
  item: number;
  variation: number;
  subevent: number;
  /** Epoch milliseconds; null without a limit. */
  validFrom: number | null;
  validUntil: number | null;
};

const VERSION = 1;
const SIGNATURE_BYTES = 64;
const HEAD_BYTES = 5;
/** A code is at most as long as any other. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The event's `valid_keys.pretix_sig1`, each base64 of a PEM. What can't be read or is of another kind is left out. */
export function readSigningKeys(keys: readonly string[]): KeyObject[] {
  return keys.flatMap((key) => {
    try {
      const read = createPublicKey(Buffer.from(key, 'base64').toString('utf8'));
      return read.asymmetricKeyType === 'ed25519' ? [read] : [];
    } catch {
      return [];
    }
  });
}

/** What a code says if one of the event's keys signed it; null otherwise. The payload names no event: the key does. */
export function readSignedCode(code: string, keys: readonly KeyObject[]): SignedCode | null {
  const base64 = Array.from(code).reverse().join('');
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return null;
  const length = bytes.readUInt16BE(1);
  if (bytes.readUInt16BE(3) !== SIGNATURE_BYTES) return null;
  if (bytes.length !== HEAD_BYTES + length + SIGNATURE_BYTES) return null;
  const payload = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length);
  const signature = bytes.subarray(HEAD_BYTES + length);
  if (!keys.some((key) => verify(null, payload, key, signature))) return null;
  const fields = readFields(payload);
  if (!fields) return null;
  const number = (field: number) => Number(fields.get(field) ?? 0n);
  const timeMs = (field: number) => (number(field) === 0 ? null : number(field) * 1_000);
  return {
    item: number(2),
    variation: number(3),
    subevent: number(4),
    validFrom: timeMs(5),
    validUntil: timeMs(6),
  };
}

/** The numbers of a proto3 message, by field; null if it is damaged. Texts and unknown fields are skipped. */
function readFields(bytes: Buffer): Map<number, bigint> | null {
  const numbers = new Map<number, bigint>();
  let at = 0;
  const varint = (): bigint | null => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) return null;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    return null;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag === null) return null;
    const type = tag & 7n;
    const value = type === 1n ? 8n : type === 5n ? 4n : varint();
    if (value === null || value < 0n) return null;
    if (type === 0n) numbers.set(Number(tag >> 3n), value);
    else if (type === 1n || type === 2n || type === 5n) at += Number(value);
    else return null;
  }
  return at === bytes.length ? numbers : null;
}
