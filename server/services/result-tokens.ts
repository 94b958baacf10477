import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parse as parseUuid, stringify as stringifyUuid } from 'uuid';
import type { Database } from '../store/port.ts';
import { insertSigningKey, listSigningKeys } from '../store/signing-keys.ts';
import type { Clock } from './clock.ts';
import { hmacSha256 } from './hmac.ts';

const PURPOSE = 'vyt';
const PREFIX = 'vyt_';
const VERSION_BYTES = 1;
const PASS_BYTES = 16;
const TIME_BYTES = 6;
const PAYLOAD_BYTES = VERSION_BYTES + PASS_BYTES + TIME_BYTES;
const MAC_BYTES = 32;

export type ResultToken = { passId: string; mintedAt: number };

/** Signs and checks `vyt` (decisions §3.9): key version, pass and minting time under HMAC-SHA-256. */
export type ResultTokens = {
  mint(token: ResultToken): string;
  /** Null where the text is no token, or not one of ours. */
  verify(text: string): ResultToken | null;
};

/** Loads the signing keys, making the first one on a new installation. */
export async function createResultTokens(db: Database, clock: Clock): Promise<ResultTokens> {
  let keys = await listSigningKeys(db, PURPOSE);
  if (keys.length === 0) {
    const first = { version: 1, secret: randomBytes(32) };
    await db.tx((tx) => insertSigningKey(tx, PURPOSE, first, clock.now()));
    keys = await listSigningKeys(db, PURPOSE);
  }
  const [newest] = keys;
  if (!newest) throw new Error('There is no key to sign result tokens with.');
  const macs = new Map(keys.map((key) => [key.version, hmacSha256(key.secret)]));
  const sign = hmacSha256(newest.secret);

  return {
    mint({ passId, mintedAt }) {
      const payload = Buffer.alloc(PAYLOAD_BYTES);
      payload.writeUInt8(newest.version, 0);
      payload.set(parseUuid(passId), VERSION_BYTES);
      payload.writeUIntBE(mintedAt, VERSION_BYTES + PASS_BYTES, TIME_BYTES);
      return PREFIX + Buffer.concat([payload, sign(payload)]).toString('base64url');
    },
    verify(text) {
      if (!text.startsWith(PREFIX)) return null;
      const encoded = text.slice(PREFIX.length);
      const bytes = Buffer.from(encoded, 'base64url');
      // The decoder forgives stray characters; one token has one spelling.
      if (bytes.length !== PAYLOAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== encoded) return null;
      const payload = bytes.subarray(0, PAYLOAD_BYTES);
      const mac = macs.get(payload.readUInt8(0));
      if (!mac || !timingSafeEqual(mac(payload), bytes.subarray(PAYLOAD_BYTES))) return null;
      return {
        passId: stringifyUuid(payload.subarray(VERSION_BYTES, VERSION_BYTES + PASS_BYTES)),
        mintedAt: payload.readUIntBE(VERSION_BYTES + PASS_BYTES, TIME_BYTES),
      };
    },
  };
}
