/** Secrets of links: the direct link's `t`, the `vy_token` that the person returns with, and the proof for `/my`. */
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { stringify as stringifyUuid } from 'uuid';
import type { Database } from '../../store/sql/port.ts';
import { loadSigningKeys } from '../../store/keys/signing-keys.ts';
import type { Clock } from '../ports/clock.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { isHashOf } from '../ports/ids.ts';
import { openOwnProof, type OwnProof, sealOwnProof } from './own-proof.ts';

const PURPOSE = 'connect';
const UUID_BYTES = 16;
const DIRECT_PREFIX = 'dt_';
const VERSION_BYTES = 1;
const NONCE_BYTES = 16;
const HEAD_BYTES = VERSION_BYTES + NONCE_BYTES;

export type ConnectSigner = {
  /** A new `t` for a session's direct link: random, signed over the session, and without anything about the number. */
  mintDirectToken(sessionId: string): string;
  /** Whether this server issued the text as a `t` for this session. */
  isDirectTokenOf(sessionId: string, text: string): boolean;
  /**
   * The session's `vy_token` under each signing key, the newest first. Deterministic, so that it does not have to be
   * stored.
   */
  statusTokensOf(sessionId: string): [newest: string, ...older: string[]];
  /** Sealed; deterministic. */
  mintOwnProof(proof: OwnProof): string;
  /** Null if this server did not issue the text. It may have expired. */
  readOwnProof(text: string): OwnProof | null;
};

/** Loads the signing keys, creating the first one on a new installation. */
export async function createConnectSigner(db: Database, clock: Clock): Promise<ConnectSigner> {
  const keys = await loadSigningKeys(db, PURPOSE, clock.now());
  const signing = keys.map(({ version, secret }) => ({ version, secret: createSecretKey(secret) }));
  const [newest, ...older] = signing;
  const sealing = keys.map(({ version, secret }) => ({ version, secret: Buffer.from(secret) }));
  const [newestSealing] = sealing;
  if (!newest || !newestSealing) throw new Error('There is no key to sign links with.');

  const directMac = (secret: KeyObject, head: Uint8Array, sessionId: string): Buffer =>
    createHmac('sha256', secret).update('direct\0').update(head).update(sessionId).digest();
  const statusToken = (secret: KeyObject, sessionId: string): string => {
    const bytes = createHmac('sha256', secret)
      .update(`status\0${sessionId}`)
      .digest()
      .subarray(0, UUID_BYTES);
    // Version 8 of RFC 9562: custom bits.
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return `vt:${stringifyUuid(bytes)}`;
  };

  return {
    mintOwnProof: (proof) => sealOwnProof(newestSealing, proof),
    readOwnProof: (text) => openOwnProof(sealing, text),
    mintDirectToken(sessionId) {
      const head = Buffer.concat([Buffer.of(newest.version), randomBytes(NONCE_BYTES)]);
      return (
        DIRECT_PREFIX + Buffer.concat([head, directMac(newest.secret, head, sessionId)]).toString('base64url')
      );
    },
    isDirectTokenOf(sessionId, text) {
      if (!text.startsWith(DIRECT_PREFIX)) return false;
      const encoded = text.slice(DIRECT_PREFIX.length);
      const bytes = Buffer.from(encoded, 'base64url');
      // The decoder ignores stray characters, but a token has only one valid spelling.
      if (bytes.toString('base64url') !== encoded || bytes.length <= HEAD_BYTES) return false;
      const head = bytes.subarray(0, HEAD_BYTES);
      const given = bytes.subarray(HEAD_BYTES);
      const key = signing.find(({ version }) => version === head.readUInt8(0));
      if (!key) return false;
      const expected = directMac(key.secret, head, sessionId);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    statusTokensOf: (sessionId) => [
      statusToken(newest.secret, sessionId),
      ...older.map(({ secret }) => statusToken(secret, sessionId)),
    ],
  };
}

type DirectTokenCheck = 'accepted' | 'used' | 'invalid';

/**
 * Checks the `t` of a v2 direct link, which the person's first act uses up (decisions §4.4); `invalid` if the session has
 * none or it belongs to another session.
 */
export function checkDirectToken(
  { connect }: { connect: ConnectSigner },
  { id, directTokenHash, directTokenUsedAt }: Session,
  token: string,
): DirectTokenCheck {
  if (!connect.isDirectTokenOf(id, token) || !isHashOf(directTokenHash, token)) return 'invalid';
  return directTokenUsedAt === null ? 'accepted' : 'used';
}
