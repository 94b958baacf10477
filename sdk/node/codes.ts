/**
 * Checks humans-only codes without your Gatehouse: in Node.js and in browsers, with the event's public keys alone. This file
 * needs no other.
 */

export type CodeCheck =
  | {
      valid: true;
      /** Marks the code as used: remember it until `expiresAt`. 32 hexadecimal digits. */
      serial: string;
      keyId: string;
      expiresAt: Date;
    }
  | {
      valid: false;
      /**
       * `malformed`: no code at all. `unknown_key`: of another event, or of a key that you don't have yet. `forged`: changed, or not
       * made by your Gatehouse. `expired`: the event is over. `used`: accepted before.
       */
      reason: 'malformed' | 'unknown_key' | 'forged' | 'expired' | 'used';
    };

export type CodeOptions = {
  /**
   * Remembers a serial, and says whether it is new: true for the first call with it, false for all others, also for two at once.
   * Without it the code is only checked, and would be good again and again.
   */
  use?: (serial: string, expiresAt: Date) => boolean | Promise<boolean>;
  /** The present time in milliseconds, for tests. */
  nowMs?: number;
};

const CODE = /^hc_[A-Za-z0-9_-]{124}$/;
const KEY = /^hcpk_[A-Za-z0-9_-]{43}$/;
const VERSION = 1;
const KEY_ID_AT = 1;
const EXPIRY_AT = 9;
const SERIAL_AT = 13;
const SIGNATURE_AT = 29;

/**
 * @param code as it was scanned or typed
 * @param keys `hcpk_…` of the event, from `GET /v3/events/{event_id}/code-keys`
 * @throws TypeError if a key is none, or this browser can't check Ed25519
 */
export async function verifyCode(
  code: string,
  keys: string | readonly string[],
  { use, nowMs = Date.now() }: CodeOptions = {},
): Promise<CodeCheck> {
  const known = await Promise.all([keys].flat().map(keyOf));
  const text = code.trim();
  const bytes = CODE.test(text) ? bytesOf(text.slice('hc_'.length)) : null;
  if (bytes === null || bytes[0] !== VERSION) return { valid: false, reason: 'malformed' };
  const keyId = hexOf(bytes.subarray(KEY_ID_AT, EXPIRY_AT));
  const key = known.find(({ id }) => id === keyId);
  if (key === undefined) return { valid: false, reason: 'unknown_key' };
  const [said, signature] = [bytes.slice(0, SIGNATURE_AT), bytes.slice(SIGNATURE_AT)];
  if (!(await isSigned(key.bytes, said, signature))) return { valid: false, reason: 'forged' };
  const expiresAt = new Date(new DataView(bytes.buffer).getUint32(EXPIRY_AT) * 1_000);
  if (expiresAt.getTime() <= nowMs) return { valid: false, reason: 'expired' };
  const serial = hexOf(bytes.subarray(SERIAL_AT, SIGNATURE_AT));
  if (use !== undefined && !(await use(serial, expiresAt))) return { valid: false, reason: 'used' };
  return { valid: true, serial, keyId, expiresAt };
}

type Bytes = Uint8Array<ArrayBuffer>;

async function keyOf(text: string): Promise<{ id: string; bytes: Bytes }> {
  const bytes = KEY.test(text) ? bytesOf(text.slice('hcpk_'.length)) : null;
  if (bytes === null) throw new TypeError('A key does not have the form hcpk_….');
  const hash = new Uint8Array(await webCrypto().digest('SHA-256', bytes));
  return { id: hexOf(hash.subarray(0, EXPIRY_AT - KEY_ID_AT)), bytes };
}

async function isSigned(publicKey: Bytes, said: Bytes, signature: Bytes): Promise<boolean> {
  const algorithm = { name: 'Ed25519' };
  const key = await webCrypto()
    .importKey('raw', publicKey, algorithm, false, ['verify'])
    .catch((cause: unknown) => {
      throw new TypeError('This browser can’t check Ed25519. Use a newer one.', { cause });
    });
  return webCrypto().verify(algorithm, key, signature, said);
}

/** Browsers have it on https pages and on localhost only. */
function webCrypto(): SubtleCrypto {
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  if (subtle === undefined) throw new TypeError('Codes can be checked on https pages only.');
  return subtle;
}

/** Null if the text has another spelling of the same bytes: a code has only one. */
function bytesOf(base64url: string): Bytes | null {
  const padded = base64url
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(base64url.length / 4) * 4, '=');
  const binary = atob(padded);
  if (btoa(binary) !== padded) return null;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
