import type { AuditAction } from '../../contract/console/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { createHash } from 'node:crypto';
import type { Partition } from '../../domain/scope.ts';
import { auditChains } from '../schema/0024-to-0031.ts';
import { needLock, type SqlReader, type SqlTx, type SqlValue, type Topic } from '../sql/port.ts';
import { insertRow, toJson } from '../rows.ts';
import { readSetting, writeSetting } from '../settings.ts';

/** One entry of the audit log: who did what to what. Details never contain secrets, templates or complete keys. */
export type AuditEntry = {
  at: number;
  actor: Actor;
  action: AuditAction;
  /** Null, or left out, for the whole installation. */
  companyId?: string | null;
  partition?: Partition | null;
  /** ID of the changed object, or a word such as `installation`. */
  subject: string;
  details?: Record<string, unknown>;
};

type Hashed = Required<Omit<AuditEntry, 'action' | 'details'>> & { action: string };
type Row = Hashed & {
  seq: number;
  details: string;
  previousHash: Uint8Array;
  hash: Uint8Array;
};

const GENESIS = new Uint8Array(32);

function chain(previous: Uint8Array, entry: Hashed, details: string): Uint8Array {
  const { at, actor, action, companyId, partition, subject } = entry;
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([at, actor, action, companyId, partition, subject, details]))
    .digest();
}

/** Number of the last entry of the single chain of older versions; 0 if there is none. */
const endOfSingleChain = async (db: SqlReader): Promise<number> =>
  (await readSetting<number>(db, 'audit_chains_since')) ?? 0;

/** Hash that the next entry of the company's chain follows; for null, of the installation's chain. */
async function headOf(tx: SqlTx, companyId: string | null): Promise<Uint8Array> {
  const newest = (where: string, ...values: SqlValue[]) =>
    tx.one<{ hash: Uint8Array }>(
      `SELECT hash FROM audit_entries WHERE ${where} ORDER BY seq DESC LIMIT 1`,
      ...values,
    );
  const since = await endOfSingleChain(tx);
  const own =
    companyId === null
      ? await newest('company_id IS NULL AND seq > ?', since)
      : await newest('company_id = ? AND seq > ?', companyId, since);
  return (own ?? (await newest('seq = ?', since)))?.hash ?? GENESIS;
}

/** What people change in these topics is recorded, and so their record announces it. */
const TOPIC_OF_ACTS: Readonly<Record<string, Topic>> = {
  review: 'case',
  kiosk: 'venue',
  event: 'venue',
  ticket_source: 'venue',
  maintenance: 'maintenance',
};

/**
 * Appends to the hash chain of the entry's company, or to the installation's.
 * @throws Error if the transaction does not hold the chain's lock, because two entries could then follow the same one
 */
export async function appendAudit(tx: SqlTx, entry: AuditEntry): Promise<void> {
  const { at, actor, action, companyId = null, partition = null, subject } = entry;
  needLock(tx, companyId);
  const previous = await headOf(tx, companyId);
  const details = toJson(entry.details ?? {});
  await insertRow(tx, 'audit_entries', {
    at,
    actor,
    action,
    company_id: companyId,
    partition,
    subject,
    details,
    previous_hash: previous,
    hash: chain(previous, { at, actor, action, companyId, partition, subject }, details),
  });
  tx.afterCommit('audit', companyId ?? '');
  const [kind = ''] = action.split('.');
  const about = TOPIC_OF_ACTS[kind];
  if (about) tx.afterCommit(about, companyId ?? '');
}

/** Writes a setting of the installation, and who changed it. */
export async function changeSetting(
  tx: SqlTx,
  name: string,
  value: unknown,
  entry: Pick<AuditEntry, 'at' | 'actor' | 'action' | 'details'>,
): Promise<void> {
  await writeSetting(tx, name, value);
  await appendAudit(tx, { ...entry, subject: 'installation' });
}

const CHECKPOINT = 'audit.checkpoint';

/**
 * Records the ends of all companies' chains in the installation's, so that entries missing there are detected. Does
 * nothing if no company has a new entry since the last checkpoint. Needs the lock of the installation.
 */
export async function addAuditCheckpoint(tx: SqlTx, at: number): Promise<void> {
  const since = await endOfSingleChain(tx);
  const newest = await tx.one<{ seq: number }>(
    'SELECT seq FROM audit_entries WHERE company_id IS NOT NULL AND seq > ? ORDER BY seq DESC LIMIT 1',
    since,
  );
  const last = await tx.one<{ seq: number }>(
    'SELECT seq FROM audit_entries WHERE company_id IS NULL AND action = ? ORDER BY seq DESC LIMIT 1',
    CHECKPOINT,
  );
  if (newest === undefined || newest.seq < (last?.seq ?? 0)) return;
  const ends = await tx.all<ChainEnd>(
    `SELECT a.company_id AS companyId, a.hash FROM audit_entries a
     JOIN (SELECT MAX(seq) AS seq FROM audit_entries WHERE company_id IS NOT NULL AND seq > ? GROUP BY company_id) AS newest
       ON newest.seq = a.seq ORDER BY a.company_id`,
    since,
  );
  const details = { chains: ends.length, hash: hashOfEnds(ends) };
  await appendAudit(tx, { at, actor: 'system', action: CHECKPOINT, subject: 'audit log', details });
}

/** The newest entry of a company. */
type ChainEnd = { companyId: string; hash: Uint8Array };

/** @param ends in the order of the companies' IDs */
const hashOfEnds = (ends: readonly ChainEnd[]): string =>
  createHash('sha256')
    .update(JSON.stringify(ends.map(({ companyId, hash }) => [companyId, Buffer.from(hash).toString('hex')])))
    .digest('hex');

const VERIFY_PAGE = 5_000;

type AuditVerdict = { entries: number; brokenAt: number | null };

/**
 * Walks every chain and returns the number of entries, and the lowest sequence number of an entry that does not match,
 * or null if all do. Chain by chain, because the numbers are committed in order only within one.
 * @param schemaVersion of a database that is not migrated, such as a backup: an older one has a single chain
 */
export async function verifyAudit(db: SqlReader, schemaVersion?: number): Promise<AuditVerdict> {
  const isSingle = schemaVersion !== undefined && schemaVersion < auditChains.version;
  const last = isSingle
    ? await db.one<{ seq: number }>('SELECT COALESCE(MAX(seq), 0) AS seq FROM audit_entries')
    : null;
  const since = last?.seq ?? (await endOfSingleChain(db));
  const old = await walk(db, { where: 'seq <= ?', values: [since], after: 0, from: GENESIS });
  const checkpoints: Checkpoint[] = [];
  const start = { after: since, from: old.head };
  const own = await walk(db, { where: 'company_id IS NULL', values: [], ...start }, (row) => {
    if (row.action === CHECKPOINT) checkpoints.push({ seq: row.seq, details: row.details, ends: [] });
  });
  const verdicts: AuditVerdict[] = [old, own];
  const companies = await db.all<{ id: string }>(
    'SELECT DISTINCT company_id AS id FROM audit_entries WHERE company_id IS NOT NULL AND seq > ? ORDER BY company_id',
    since,
  );
  for (const { id } of companies) {
    const ends = endsOf(id, checkpoints);
    verdicts.push(await walk(db, { where: 'company_id = ?', values: [id], ...start }, ends.pass));
    ends.finish();
  }
  const broken = verdicts.flatMap(({ brokenAt }) => brokenAt ?? []);
  for (const { seq, details, ends } of checkpoints) {
    if ((JSON.parse(details) as { hash: string }).hash !== hashOfEnds(ends)) broken.push(seq);
  }
  return {
    entries: verdicts.reduce((total, { entries }) => total + entries, 0),
    brokenAt: broken.length === 0 ? null : Math.min(...broken),
  };
}

type Checkpoint = { seq: number; details: string; ends: ChainEnd[] };

/** Adds the company's entry before each checkpoint to it, while its entries are read in order. */
function endsOf(companyId: string, checkpoints: readonly Checkpoint[]) {
  let next = 0;
  let hash: Uint8Array | null = null;
  const upTo = (seq: number) => {
    for (; (checkpoints[next]?.seq ?? Infinity) < seq; next += 1)
      if (hash !== null) checkpoints[next]?.ends.push({ companyId, hash });
  };
  return {
    pass: (row: Row) => {
      upTo(row.seq);
      hash = row.hash;
    },
    finish: () => upTo(Infinity),
  };
}

/** One chain, from `from` on, up to the first entry that does not match. */
async function walk(
  db: SqlReader,
  chained: { where: string; values: readonly SqlValue[]; after: number; from: Uint8Array },
  onEntry: (row: Row) => void = () => undefined,
): Promise<AuditVerdict & { head: Uint8Array }> {
  let { after, from: head } = chained;
  let entries = 0;
  for (;;) {
    const rows = await db.all<Row>(
      `SELECT seq, at, actor, action, company_id AS companyId, partition, subject, details,
         previous_hash AS previousHash, hash FROM audit_entries
       WHERE ${chained.where} AND seq > ? ORDER BY seq LIMIT ?`,
      ...chained.values,
      after,
      VERIFY_PAGE,
    );
    for (const row of rows) {
      const expected = Buffer.from(chain(head, row, row.details));
      if (!expected.equals(row.hash) || !Buffer.from(head).equals(row.previousHash))
        return { entries, brokenAt: row.seq, head };
      onEntry(row);
      head = row.hash;
      after = row.seq;
      entries += 1;
    }
    if (rows.length < VERIFY_PAGE) return { entries, brokenAt: null, head };
  }
}
