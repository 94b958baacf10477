/** Blocking people and ending it, with an audit entry each. What a block does to a check is in `domain/settling`. */
import {
  type BlockCreate,
  type BlockList,
  type BlockPage,
  type PersonBlock,
} from '../../contract/console/blocks.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  type Block,
  endBlock,
  insertBlock,
  listActiveBlocks,
  listBlocksOf,
} from '../../store/people/blocks.ts';
import { findPerson } from '../../store/people/people.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';
import { iso, placeOf } from '../wire/values.ts';
import { newId } from '../ports/ids.ts';
import { nameOf } from './look-alikes.ts';
import { shortId } from './people.ts';

const DAY_MS = 86_400_000;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** Those in effect, the newest first. @throws Refusal `invalid_cursor` */
export async function readBlocks(
  { db, clock }: Deps,
  scope: Scope,
  query: { cursor?: string; limit?: number },
): Promise<BlockPage> {
  const limit = pageLimit(query);
  const after = placeOf(query.cursor, ['number', 'string']);
  const now = clock.now();
  const rows = await listActiveBlocks(db, scope, { now, after, limit: limit + 1 });
  const shown = await Promise.all(rows.map((row) => toBlock(db, scope, row, now)));
  return toPage(
    rows.map((row, place) => ({ row, shown: shown[place] })),
    limit,
    ({ row }) => [row.createdAt, row.id],
    ({ shown: block }) => block as PersonBlock,
  );
}

/** @throws Refusal `not_found` */
export async function readBlocksOf({ db, clock }: Deps, scope: Scope, personId: string): Promise<BlockList> {
  if (!(await findPerson(db, scope, personId))) throw notFound();
  const now = clock.now();
  const rows = await listBlocksOf(db, scope, personId);
  return { items: await Promise.all(rows.map((row) => toBlock(db, scope, row, now))) };
}

async function toBlock(db: SqlReader, scope: Scope, row: Block, now: number): Promise<PersonBlock> {
  const person = await findPerson(db, scope, row.personId);
  return {
    person_id: row.personId,
    short_id: shortId(row.personId),
    name: person ? nameOf(person) : null,
    action: row.action,
    reason: row.reason,
    contact: row.contact,
    created_at: iso(row.createdAt),
    created_by: row.createdByName ?? row.createdBy,
    expires_at: iso(row.expiresAt),
    ended_at: row.endedAt === null ? null : iso(row.endedAt),
    is_active: row.endedAt === null && row.expiresAt > now,
  };
}

/** From the next check on. Passes that the person already has stay as they are. @throws Refusal `not_found` */
export async function blockPerson(
  { db, clock }: Deps,
  scope: Scope,
  personId: string,
  { action, days, contact, reason, actor }: BlockCreate & { actor: Actor },
): Promise<BlockList> {
  await db.tx(async (tx) => {
    const at = clock.now();
    if (!(await findPerson(tx, scope, personId))) throw notFound();
    await endBlock(tx, scope, personId, at);
    const expiresAt = at + days * DAY_MS;
    await insertBlock(tx, scope, {
      id: newId(at),
      personId,
      action,
      reason: reason.trim(),
      contact: contact.trim(),
      createdAt: at,
      createdBy: actor,
      expiresAt,
    });
    const details = { decision: action, expires_at: iso(expiresAt), reason: reason.trim() };
    await appendAudit(tx, { ...scope, at, actor, action: 'person.block', subject: personId, details });
  }, scope);
  return readBlocksOf({ db, clock }, scope, personId);
}

/** @throws Refusal `not_found`, `not_blocked` */
export async function endPersonBlock(
  { db, clock }: Deps,
  scope: Scope,
  personId: string,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<BlockList> {
  await db.tx(async (tx) => {
    const at = clock.now();
    const [latest] = await listBlocksOf(tx, scope, personId);
    const isActive = latest && latest.endedAt === null && latest.expiresAt > at;
    if (!isActive) throw latest ? new Refusal('not_blocked') : notFound();
    await endBlock(tx, scope, personId, at);
    const details = { reason };
    await appendAudit(tx, { ...scope, at, actor, action: 'person.unblock', subject: personId, details });
  }, scope);
  return readBlocksOf({ db, clock }, scope, personId);
}
