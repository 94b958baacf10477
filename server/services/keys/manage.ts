/** Keys as the console shows and changes them, one pair at a time. */
import type { Actor } from '../../domain/operators/actor.ts';
import type {
  ConsoleKey,
  KeyPage,
  KeyPair,
  KeyRename,
  KeysRevoked,
  NewPair,
  Overlap,
  PairIssued,
  PairRolled,
  PairType,
} from '../../contract/console/keys.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  findScopedKey,
  listPairIds,
  listPairKeys,
  nextPairOf,
  type PairKey,
} from '../../store/keys/key-pairs.ts';
import { findKeyName, saveKeyName } from '../../store/keys/key-names.ts';
import { listKeys } from '../../store/keys/keys.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { type IssuedKeys, issueFirstKeys, issuePair, keyState, revokeKeys, rollKeys } from './keys.ts';
import { readName } from '../wire/names.ts';
import { mergeChange, versionOf } from '../wire/versions.ts';
import { iso, isoOrNull, placeOf } from '../wire/values.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

/** @param query.list `working`: at least one key of the pair works now; `gone`: none does; default both */
export async function listKeyPairs(
  { db, clock }: Deps,
  scope: Scope,
  query: { list?: 'working' | 'gone'; cursor?: string; limit?: number },
): Promise<KeyPage> {
  const nowMs = clock.now();
  const limit = pageLimit(query);
  const working = query.list === undefined ? null : query.list === 'working';
  const beforeId = placeOf(query.cursor, ['string'])?.[0] ?? null;
  const ids = await listPairIds(db, scope, { working, nowMs, beforeId, limit: limit + 1 });
  const { items, next_cursor } = toPage(
    ids,
    limit,
    (id) => [id],
    (id) => id,
  );
  return { items: await Promise.all(items.map((id) => pairOf(db, scope, id, nowMs))), next_cursor };
}

/** @throws Refusal `not_found` */
export function readKeyPair({ db, clock }: Deps, scope: Scope, pairId: string): Promise<KeyPair> {
  return pairOf(db, scope, pairId, clock.now());
}

async function pairOf(db: SqlReader, scope: Scope, pairId: string, nowMs: number): Promise<KeyPair> {
  const keys = await listPairKeys(db, scope, pairId);
  const [first] = keys;
  if (!first) throw notFound();
  const lasting = keys.find(({ revokedAt, endsAt }) => revokedAt === null && endsAt === null);
  const ending = keys.filter(({ revokedAt }) => revokedAt === null);
  const lastsLongest = lasting ?? ending.sort((a, b) => (b.endsAt ?? 0) - (a.endsAt ?? 0))[0] ?? first;
  const name = await findKeyName(db, scope.companyId, first.lineageId);
  const usedAt = Math.max(...keys.map(({ lastUsedAt }) => lastUsedAt ?? 0));
  return {
    pair_id: pairId,
    lineage_id: first.lineageId,
    name,
    version: versionOf({ name }),
    type: first.kind === 'ak' ? 'connect' : 'v3',
    state: keyState(lastsLongest, nowMs),
    keys: keys.map((key) => toKey(key, nowMs)),
    created_at: iso(first.createdAt),
    last_used_at: usedAt === 0 ? null : iso(usedAt),
    ends_at: isoOrNull(lastsLongest.revokedAt ?? lastsLongest.endsAt),
    replaced_by: await nextPairOf(db, scope, first),
  };
}

const toKey = (key: PairKey, nowMs: number): ConsoleKey => ({
  key_id: key.id,
  kind: `${key.kind}_${key.partition}`,
  display: key.display,
  state: keyState(key, nowMs),
  created_at: iso(key.createdAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  ends_at: isoOrNull(key.endsAt),
  revoked_at: isoOrNull(key.revokedAt),
  reason: key.reason,
});

type Change = { scope: Scope; reason: string; actor: Actor };

/** @throws Refusal `name_unseen` */
export async function issueKeyPair(
  { db, clock }: Deps,
  request: Change & { type: PairType; name?: string | null },
): Promise<PairIssued> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const { pairId, keys } = await issuePair(tx, at, request);
    await saveKeyName(tx, request.scope.companyId, pairId, readKeyName(request.name));
    // Read before the commit. If the read failed afterwards, the keys would work but nobody would have seen them.
    const pair = await pairOf(tx, request.scope, pairId, at);
    return { pair_id: pairId, keys: listed(keys), old_ends_at: null, pair };
  });
}

/**
 * The first keys of a company, for both partitions.
 * @throws Refusal `company_has_keys` if it has had keys before
 */
export async function issueMissingKeys(
  { db, clock }: Deps,
  companyId: string,
  actor: Actor,
): Promise<IssuedKeys> {
  return db.tx(async (tx) => {
    if ((await listKeys(tx, companyId)).length > 0) {
      throw new Refusal('company_has_keys');
    }
    const at = clock.now();
    const keys = await issueFirstKeys(tx, companyId, at);
    await appendAudit(tx, {
      at,
      actor,
      action: 'key.issue',
      companyId,
      subject: companyId,
      details: { type: 'first' },
    });
    return keys;
  });
}

/**
 * Also of the pairs that it replaced, and of those that will replace it.
 * @throws Refusal `not_found`, `name_unseen`, `changed_meanwhile`
 */
export async function renameKeyPair(
  { db, clock }: Deps,
  pairId: string,
  { scope, name, version, actor }: KeyRename & { scope: Scope; actor: Actor },
): Promise<KeyPair> {
  const { companyId } = scope;
  return db.tx(async (tx) => {
    const at = clock.now();
    const { lineage_id: lineageId, name: before } = await pairOf(tx, scope, pairId, at);
    const merged = await mergeChange(tx, {
      version,
      current: { name: before },
      sent: { name: readKeyName(name) },
      log: { subject: lineageId, actions: ['key.rename'], companyId },
    });
    const after = merged.name === undefined ? before : merged.name;
    if (after !== before) {
      await saveKeyName(tx, companyId, lineageId, after);
      const details = { from: before, to: after };
      await appendAudit(tx, { at, actor, action: 'key.rename', ...scope, subject: lineageId, details });
    }
    return pairOf(tx, scope, pairId, at);
  }, scope);
}

const readKeyName = (given: string | null | undefined): string | null =>
  (given ?? '').trim() === '' ? null : readName(given ?? '');

/** @throws Refusal `not_found`, `no_working_key` */
export async function rollKeyPair(
  { db, clock }: Deps,
  pairId: string,
  { scope, ...request }: Change & { overlap: Overlap },
): Promise<PairRolled> {
  // A pair never changes its scope, so reading it first cannot race.
  if ((await listPairKeys(db, scope, pairId)).length === 0) throw notFound();
  return db.tx(async (tx) => {
    const at = clock.now();
    const rolled = await rollKeys(tx, at, { ...request, companyId: scope.companyId, pairId });
    if (!rolled) throw new Refusal('no_working_key');
    return {
      pair_id: rolled.pair_id,
      keys: listed(rolled.keys),
      old_ends_at: rolled.old_ends_at,
      pair: await pairOf(tx, scope, rolled.pair_id, at),
      replaced: await pairOf(tx, scope, pairId, at),
    };
  });
}

/**
 * A pair or one key, immediately.
 * @throws Refusal `not_found`
 */
export async function revokeKeyOrPair(
  deps: Deps,
  id: string,
  { scope, ...request }: Change,
): Promise<KeysRevoked> {
  const { db, clock } = deps;
  const pairId = (await findScopedKey(db, scope, id))?.pairId ?? id;
  if ((await listPairKeys(db, scope, pairId)).length === 0) throw notFound();
  const revoked = await revokeKeys(db, clock, {
    ...request,
    companyId: scope.companyId,
    keyOrPairId: id,
  });
  return { key_ids: revoked.map(({ key_id }) => key_id), pair: await readKeyPair(deps, scope, pairId) };
}

const listed = (keys: Partial<IssuedKeys>): NewPair['keys'] =>
  Object.entries(keys).map(([kind, key]) => ({ kind, key }));
