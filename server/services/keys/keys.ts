import type { Actor } from '../../domain/operators/actor.ts';
import { timingSafeEqual } from 'node:crypto';
import type { Partition, Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  endKeyAt,
  findKeyByHash,
  insertKey,
  type KeyKind,
  type KeyRow,
  listKeys,
  listLiveKeysOf,
  revokeKey,
} from '../../store/keys/keys.ts';
import { findKeyName } from '../../store/keys/key-names.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newId, randomBase62, sha256 } from '../ports/ids.ts';
import { isoOrNull } from '../wire/values.ts';
import type { Overlap } from '../../contract/console/keys.ts';

const SECRET_LENGTH = 32;
const V3_PREFIX = /^(pk|sk)_(live|test)_/;
const V3_KEY = /^(pk|sk)_(live|test)_[A-Za-z0-9]{32}$/;

/** The caller: the key, and the scope it gives access to. */
export type Caller = { keyId: string; pairId: string; lineageId: string; kind: KeyKind; scope: Scope };

/** All keys of a company, to be shown once. */
export type IssuedKeys = Record<`${KeyKind}_${Partition}`, string>;

type KeyState = 'active' | 'ending' | 'ended' | 'revoked';

export function keyState(key: KeyRow, nowMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.endsAt === null) return 'active';
  return key.endsAt > nowMs ? 'ending' : 'ended';
}

/** Creates a key and returns it in full; only its hash and display form are stored (decisions §2.1). */
export async function issueKey(
  tx: SqlTx,
  owner: { companyId: string; partition: Partition; kind: KeyKind; pairId: string; lineageId: string },
  nowMs: number,
): Promise<string> {
  const secret = randomBase62(SECRET_LENGTH);
  const prefix = `${owner.kind}_${owner.partition}_`;
  const row: KeyRow = {
    ...owner,
    id: newId(nowMs),
    display: `${prefix}…${secret.slice(-4)}`,
    createdAt: nowMs,
    lastUsedAt: null,
    endsAt: null,
    revokedAt: null,
  };
  await insertKey(tx, row, sha256(prefix + secret));
  return prefix + secret;
}

/** A company's first keys: a pair and an API key in each partition. */
export async function issueFirstKeys(tx: SqlTx, companyId: string, nowMs: number): Promise<IssuedKeys> {
  const issue = (partition: Partition, kind: KeyKind, pairId: string) =>
    issueKey(tx, { companyId, partition, kind, pairId, lineageId: pairId }, nowMs);
  const [livePair, testPair] = [newId(nowMs), newId(nowMs)];
  return {
    pk_live: await issue('live', 'pk', livePair),
    sk_live: await issue('live', 'sk', livePair),
    pk_test: await issue('test', 'pk', testPair),
    sk_test: await issue('test', 'sk', testPair),
    ak_live: await issue('live', 'ak', newId(nowMs)),
    ak_test: await issue('test', 'ak', newId(nowMs)),
  };
}

/** `v3` is a publishable and a secret key; `connect` the one API-KEY of v1 and v2 (decisions §2.2). */
type PairType = 'v3' | 'connect';

type NewPair = { pairId: string; keys: Partial<IssuedKeys> };

/** Issues a pair with a key family of its own. The keys are shown once. */
export async function issuePair(
  tx: SqlTx,
  at: number,
  { scope, type, reason, actor }: { scope: Scope; type: PairType; reason: string; actor: Actor },
): Promise<NewPair> {
  const pairId = newId(at);
  const keys: Partial<IssuedKeys> = {};
  for (const kind of type === 'v3' ? (['pk', 'sk'] as const) : (['ak'] as const)) {
    const owner = { ...scope, kind, pairId, lineageId: pairId };
    keys[`${kind}_${scope.partition}`] = await issueKey(tx, owner, at);
  }
  await appendAudit(tx, {
    ...scope,
    at,
    actor,
    action: 'key.issue',
    subject: pairId,
    details: { type, reason },
  });
  return { pairId, keys };
}

/** Finds an active key. Reads the database each time, so that a revocation elsewhere applies at once. */
async function findWorkingKey(db: SqlReader, text: string, nowMs: number): Promise<KeyRow | null> {
  const hash = sha256(text);
  const key = await findKeyByHash(db, hash);
  if (!key || !timingSafeEqual(hash, key.hash)) return null;
  const state = keyState(key, nowMs);
  return state === 'active' || state === 'ending' ? key : null;
}

const toCaller = (key: KeyRow): Caller => ({
  keyId: key.id,
  pairId: key.pairId,
  lineageId: key.lineageId,
  kind: key.kind,
  scope: { companyId: key.companyId, partition: key.partition },
});

/** The caller with a key of any kind; null if it is not active. */
export async function callerBehind(db: SqlReader, text: string, nowMs: number): Promise<Caller | null> {
  const key = await findWorkingKey(db, text, nowMs);
  return key && toCaller(key);
}

/**
 * The caller with a v3 bearer token (decisions §3.1).
 * @throws Refusal `authentication_required`, `invalid_key_type`, `invalid_or_revoked_key`
 */
export async function authenticateV3(
  db: SqlReader,
  bearer: string | null,
  { secretOnly, nowMs }: { secretOnly: boolean; nowMs: number },
): Promise<Caller> {
  if (bearer === null) throw new Refusal('authentication_required');
  const prefix = V3_PREFIX.exec(bearer);
  if (!prefix || (secretOnly && prefix[1] !== 'sk')) throw new Refusal('invalid_key_type');
  const key = await findWorkingKey(db, bearer, nowMs);
  if (!key) throw new Refusal('invalid_or_revoked_key');
  return toCaller(key);
}

type KeyTest = {
  valid: boolean;
  key_type: 'pk_live' | 'pk_test' | 'sk_live' | 'sk_test' | 'unknown';
  is_test: boolean | null;
  customer_id: string | null;
};

/** The answer of `POST /v3/keys/test`; never fails for a bad key. */
export async function testKey(db: SqlReader, bearer: string | null, nowMs: number): Promise<KeyTest> {
  const form = bearer === null ? null : V3_KEY.exec(bearer);
  if (bearer === null || !form)
    return { valid: false, key_type: 'unknown', is_test: null, customer_id: null };
  const keyType = `${form[1] ?? ''}_${form[2] ?? ''}` as KeyTest['key_type'];
  const key = await findWorkingKey(db, bearer, nowMs);
  if (!key) return { valid: false, key_type: keyType, is_test: null, customer_id: null };
  return { valid: true, key_type: keyType, is_test: key.partition === 'test', customer_id: key.companyId };
}

/** A key as lists show it (decisions §7), never in full. */
type KeyListItem = {
  key_id: string;
  pair_id: string;
  kind: string;
  display: string;
  state: KeyState;
  created_at: string;
  last_used_at: string | null;
  ends_at: string | null;
};

function toListItem(key: KeyRow, nowMs: number): KeyListItem {
  return {
    key_id: key.id,
    pair_id: key.pairId,
    kind: `${key.kind}_${key.partition}`,
    display: key.display,
    state: keyState(key, nowMs),
    created_at: new Date(key.createdAt).toISOString(),
    last_used_at: isoOrNull(key.lastUsedAt),
    ends_at: isoOrNull(key.endsAt),
  };
}

export async function listCompanyKeys(
  db: SqlReader,
  companyId: string,
  nowMs: number,
): Promise<(KeyListItem & { name: string | null })[]> {
  const keys = await listKeys(db, companyId);
  return Promise.all(
    keys.map(async (key) => ({
      ...toListItem(key, nowMs),
      name: await findKeyName(db, companyId, key.lineageId),
    })),
  );
}

/**
 * Revokes a key, or both keys of a pair, at once. Returns what was revoked; empty if nothing with that ID was active.
 */
export async function revokeKeys(
  db: Database,
  clock: Clock,
  request: { companyId: string; keyOrPairId: string; reason: string; actor: Actor },
): Promise<KeyListItem[]> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const keys = await listLiveKeysOf(tx, request.companyId, request.keyOrPairId);
    for (const key of keys) {
      await revokeKey(tx, request.companyId, key.id, at, request.reason);
      await appendAudit(tx, {
        at,
        actor: request.actor,
        action: 'key.revoke',
        companyId: request.companyId,
        partition: key.partition,
        subject: key.id,
        details: { pair_id: key.pairId, display: key.display, reason: request.reason },
      });
    }
    return keys.map((key) => toListItem({ ...key, revokedAt: at }, at));
  });
}

/** How long the old keys of a roll stay active (decisions §2.3). */
export const ROLL_OVERLAPS_MS: Readonly<Record<Overlap, number>> = {
  now: 0,
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
};

type RolledKeys = {
  pair_id: string;
  keys: Partial<IssuedKeys>;
  old_pair_id: string;
  old_ends_at: string;
};

/**
 * Issues a new pair; the old one stays active until its overlap ends. Null if nothing of that pair is active any
 * more. The new keys are shown once.
 */
export async function rollKeys(
  tx: SqlTx,
  at: number,
  request: { companyId: string; pairId: string; overlap: Overlap; reason: string; actor: Actor },
): Promise<RolledKeys | null> {
  const { companyId, pairId, reason } = request;
  const old = (await listLiveKeysOf(tx, companyId, pairId)).filter(
    (key) => key.pairId === pairId && keyState(key, at) !== 'ended',
  );
  if (old.length === 0) return null;
  // A second roll never lengthens the life of a key that is already ending.
  const chosenEnd = at + ROLL_OVERLAPS_MS[request.overlap];
  const endOf = ({ endsAt }: KeyRow): number => Math.min(endsAt ?? chosenEnd, chosenEnd);
  const newPairId = newId(at);
  const keys: Partial<IssuedKeys> = {};
  for (const key of old) {
    const { partition, kind, lineageId } = key;
    keys[`${kind}_${partition}`] = await issueKey(
      tx,
      { companyId, partition, kind, lineageId, pairId: newPairId },
      at,
    );
    await endKeyAt(tx, companyId, key.id, endOf(key), reason);
  }
  await appendAudit(tx, {
    at,
    actor: request.actor,
    action: 'key.roll',
    companyId,
    partition: old[0]?.partition ?? null,
    subject: pairId,
    details: { new_pair_id: newPairId, overlap: request.overlap, reason },
  });
  const endsAt = Math.max(...old.map(endOf));
  return { pair_id: newPairId, keys, old_pair_id: pairId, old_ends_at: new Date(endsAt).toISOString() };
}
