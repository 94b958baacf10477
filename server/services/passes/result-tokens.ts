/** `vyt` (decisions §3.9): an encrypted pass and issue time, under a key that can be rotated. */
import type { Actor } from '../../domain/operators/actor.ts';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { parse as parseUuid, stringify as stringifyUuid } from 'uuid';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import {
  type DatedSigningKey,
  insertSigningKey,
  listSigningKeys,
  loadSigningKeys,
  newSigningSecret,
} from '../../store/keys/signing-keys.ts';
import type { Clock } from '../ports/clock.ts';
import { readSigned, SIGNED_PURPOSE } from './signed-result-tokens.ts';

const PURPOSE = 'vyt-encryption';
const PREFIX = 'vyt_';
const CIPHER = 'aes-256-gcm';
const SECRET_BYTES = 32;
const PASS_BYTES = 16;
const TIME_BYTES = 6;
const PAYLOAD_BYTES = PASS_BYTES + TIME_BYTES;
const VERSION_BYTES = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_AT = VERSION_BYTES + NONCE_BYTES;
const TOKEN_BYTES = SEALED_AT + PAYLOAD_BYTES + TAG_BYTES;
const MAX_VERSION = 255;

/** Tokens that a server issues until it notices a rotation by another process, at its slow look at the latest, are still valid. */
const ROTATION_GRACE_MS = 60_000;
/** How long a previous key reads its tokens: a run may wait in review, and its 30 minutes start afterwards. */
const RETIRED_KEY_LIFETIME_MS = 30 * 24 * 3_600_000;

/** `mintedAt` by the clock of its partition, see `readTestClock`. */
type ResultToken = { passId: string; mintedAt: number };

/** Issues and reads `vyt`. Without the key, a token reveals nothing except the version of the key. */
export type ResultTokens = {
  /** @param run ID of the token's run: reading one run again returns the same text. */
  mint(token: ResultToken, run: string): string;
  /** Null if the text is malformed, forged, or under a key that is no longer accepted. */
  verify(text: string): ResultToken | null;
  /** Follows a rotation by another process. */
  reload(): Promise<void>;
};

/** Loads the keys, creating the first one on a new installation. */
export async function createResultTokens(db: Database, clock: Clock): Promise<ResultTokens> {
  await loadSigningKeys(db, PURPOSE, clock.now());
  let keys = await loadKeys(db);
  return {
    mint: (token, run) => keys.newest.mint(token, run),
    verify(text) {
      if (!text.startsWith(PREFIX)) return null;
      const encoded = text.slice(PREFIX.length);
      const bytes = Buffer.from(encoded, 'base64url');
      // The decoder ignores stray characters, but a token has only one valid spelling.
      if (bytes.toString('base64url') !== encoded || bytes.length === 0) return null;
      const isSigned = bytes.length !== TOKEN_BYTES;
      const key = (isSigned ? keys.signed : keys.sealed).get(bytes.readUInt8(0));
      const payload = key?.read(bytes);
      if (!key || !payload) return null;
      const passId = stringifyUuid(payload.subarray(0, PASS_BYTES));
      const mintedAt = payload.readUIntBE(PASS_BYTES, TIME_BYTES);
      return isAccepted(key.retiredAt, mintedAt, clock.now()) ? { passId, mintedAt } : null;
    },
    async reload() {
      const stored = await listSigningKeys(db, PURPOSE);
      if (stored[0]?.version !== keys.newest.version) keys = await loadKeys(db);
    },
  };
}

/**
 * Replaces the key immediately. Tokens under the previous key keep their 30 minutes; with that key, nobody can make
 * tokens dated later. Returns the new version.
 */
export async function rotateResultTokenKey(
  db: Database,
  clock: Clock,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<number> {
  const at = clock.now();
  return db.tx(async (tx) => {
    const [newest] = await listSigningKeys(tx, PURPOSE);
    const version = (newest?.version ?? 0) + 1;
    if (version > MAX_VERSION) throw new Error(`The result token key was rotated ${MAX_VERSION} times.`);
    await insertSigningKey(tx, PURPOSE, { version, secret: newSigningSecret() }, at);
    await appendAudit(tx, {
      at,
      actor,
      action: 'result_token_key.rotate',
      subject: 'installation',
      details: { version, reason },
    });
    return version;
  });
}

type Reader = { read: (bytes: Buffer) => Buffer | null; retiredAt: number | null };
type Sealer = Reader & { version: number; mint: ResultTokens['mint'] };
type Keys = { newest: Sealer; sealed: ReadonlyMap<number, Reader>; signed: ReadonlyMap<number, Reader> };

async function loadKeys(db: SqlReader): Promise<Keys> {
  const stored = await listSigningKeys(db, PURPOSE);
  const sealers = stored.map((key, index) => sealer(key, stored[index - 1]?.createdAt ?? null));
  const [newest] = sealers;
  if (!newest) throw new Error('There is no key for result tokens.');
  const updatedAt = stored.at(-1)?.createdAt ?? null;
  const signed = (await listSigningKeys(db, SIGNED_PURPOSE)).map(({ version, secret }): [number, Reader] => [
    version,
    { read: (bytes) => readSigned(secret, bytes, PAYLOAD_BYTES), retiredAt: updatedAt },
  ]);
  return { newest, sealed: new Map(sealers.map((key) => [key.version, key])), signed: new Map(signed) };
}

function sealer({ version, secret }: DatedSigningKey, retiredAt: number | null): Sealer {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `vyt ${use}`, SECRET_BYTES));
  const key = createSecretKey(derived('encryption'));
  // Prepared once: an HMAC with a key object takes a sixth of the time of one with the key's bytes.
  const nonceKey = createSecretKey(derived('nonce'));
  const head = Buffer.of(version);
  return {
    version,
    retiredAt,
    mint({ passId, mintedAt }, run) {
      const payload = Buffer.alloc(PAYLOAD_BYTES);
      payload.set(parseUuid(passId));
      payload.writeUIntBE(mintedAt, PASS_BYTES, TIME_BYTES);
      // Derived from everything that it encrypts, so that no nonce is used for two payloads, and from the run, so that
      // two runs with one pass have nothing in common.
      const nonce = createHmac('sha256', nonceKey)
        .update(payload)
        .update(run)
        .digest()
        .subarray(0, NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(head);
      const sealed = cipher.update(payload);
      cipher.final();
      return PREFIX + Buffer.concat([head, nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    read(bytes) {
      const nonce = bytes.subarray(VERSION_BYTES, SEALED_AT);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(head);
      decipher.setAuthTag(bytes.subarray(SEALED_AT + PAYLOAD_BYTES));
      const payload = decipher.update(bytes.subarray(SEALED_AT, SEALED_AT + PAYLOAD_BYTES));
      try {
        decipher.final();
      } catch {
        return null;
      }
      return payload;
    },
  };
}

/** A leaked key must not date tokens after its end, nor stay valid for ever. */
function isAccepted(retiredAt: number | null, mintedAt: number, nowMs: number): boolean {
  if (retiredAt === null) return true;
  return mintedAt < retiredAt + ROTATION_GRACE_MS && nowMs < retiredAt + RETIRED_KEY_LIFETIME_MS;
}
