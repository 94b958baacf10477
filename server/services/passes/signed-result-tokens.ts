/**
 * Reads tokens of the format before encryption: payload and HMAC-SHA-256, in clear. Only an installation that issued
 * some has a key for them. 30 days after its update they are refused, and this file can be deleted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Purpose of their keys in the store. */
export const SIGNED_PURPOSE = 'vyt';

const VERSION_BYTES = 1;
const MAC_BYTES = 32;

/** The pass and time of a token, or null if the key did not sign it. `payloadBytes` excludes version and MAC. */
export function readSigned(secret: Uint8Array, bytes: Buffer, payloadBytes: number): Buffer | null {
  const signedBytes = VERSION_BYTES + payloadBytes;
  if (bytes.length !== signedBytes + MAC_BYTES) return null;
  const mac = createHmac('sha256', secret).update(bytes.subarray(0, signedBytes)).digest();
  return timingSafeEqual(mac, bytes.subarray(signedBytes))
    ? bytes.subarray(VERSION_BYTES, signedBytes)
    : null;
}
