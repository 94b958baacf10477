/** The proof of a run that was just made, with which its guest sees and erases their own data on `/my`. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** How long after its end a run proves whose data it is. */
export const OWN_PROOF_MS = 15 * 60_000;
export const OWN_PROOF_PREFIX = 'od_';

const CIPHER = 'aes-256-gcm';
const TIME_BYTES = 6;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_AT = 1 + NONCE_BYTES;

type Key = { version: number; secret: Buffer };
export type OwnProof = { sessionId: string; expiresAt: number };

const derive = ({ secret }: Key, use: string): Buffer =>
  createHmac('sha256', secret).update(`own data ${use}`).digest();

/** The same text for the same proof, so that a snapshot that is read again is unchanged. */
export function sealOwnProof(key: Key, { sessionId, expiresAt }: OwnProof): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUIntBE(expiresAt, 0, TIME_BYTES);
  const payload = Buffer.concat([time, Buffer.from(sessionId)]);
  const head = Buffer.of(key.version);
  // Derived from everything that it encrypts, so that no nonce is used for two payloads.
  const nonce = createHmac('sha256', derive(key, 'nonce')).update(payload).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derive(key, 'key'), nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(head);
  const sealed = cipher.update(payload);
  cipher.final();
  return OWN_PROOF_PREFIX + Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Null if the text is malformed, or was not sealed with one of the keys. */
export function openOwnProof(keys: readonly Key[], text: string): OwnProof | null {
  if (!text.startsWith(OWN_PROOF_PREFIX)) return null;
  const encoded = text.slice(OWN_PROOF_PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded) return null;
  if (bytes.length <= SEALED_AT + TIME_BYTES + TAG_BYTES) return null;
  const key = keys.find(({ version }) => version === bytes[0]);
  if (!key) return null;
  const nonce = bytes.subarray(1, SEALED_AT);
  const decipher = createDecipheriv(CIPHER, derive(key, 'key'), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bytes.subarray(0, 1));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const payload = decipher.update(bytes.subarray(SEALED_AT, -TAG_BYTES));
  try {
    decipher.final();
  } catch {
    return null;
  }
  return {
    sessionId: payload.subarray(TIME_BYTES).toString(),
    expiresAt: payload.readUIntBE(0, TIME_BYTES),
  };
}
