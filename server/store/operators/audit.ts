import type { AuditAction } from '../../contract/console/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { createHash } from 'node:crypto';
import type { Partition } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { toJson } from '../rows.ts';

/** One line of the audit log: who did what to what. Details never hold secrets, templates or whole keys. */
export type AuditEntry = {
  at: number;
  actor: Actor;
  action: AuditAction;
  /** Null, or left out, for what concerns the whole installation. */
  companyId?: string | null;
  partition?: Partition | null;
  /** ID of what was changed, or a word such as `installation`. */
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

/** Appends to the hash chain. Transactions are one at a time, so the chain never forks. */
export async function appendAudit(tx: SqlTx, entry: AuditEntry): Promise<void> {
  const { at, actor, action, companyId = null, partition = null, subject } = entry;
  const last = await tx.one<{ hash: Uint8Array }>('SELECT hash FROM audit_entries ORDER BY seq DESC LIMIT 1');
  const previous = last?.hash ?? GENESIS;
  const details = toJson(entry.details ?? {});
  await tx.run(
    `INSERT INTO audit_entries (at, actor, action, company_id, partition, subject, details, previous_hash, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    at,
    actor,
    action,
    companyId,
    partition,
    subject,
    details,
    previous,
    chain(previous, { at, actor, action, companyId, partition, subject }, details),
  );
}

const VERIFY_PAGE = 5_000;

/** Walks the whole chain; the sequence number of the first entry that does not fit, or null when all do. */
export async function verifyAudit(db: SqlReader): Promise<{ entries: number; brokenAt: number | null }> {
  let previous: Uint8Array = GENESIS;
  let entries = 0;
  let after = 0;
  for (;;) {
    const rows = await db.all<Row>(
      `SELECT seq, at, actor, action, company_id AS companyId, partition, subject, details,
         previous_hash AS previousHash, hash FROM audit_entries WHERE seq > ? ORDER BY seq LIMIT ?`,
      after,
      VERIFY_PAGE,
    );
    if (rows.length === 0) return { entries, brokenAt: null };
    for (const row of rows) {
      const expected = Buffer.from(chain(previous, row, row.details));
      if (!expected.equals(row.hash) || !Buffer.from(previous).equals(row.previousHash)) {
        return { entries, brokenAt: row.seq };
      }
      previous = row.hash;
      after = row.seq;
      entries += 1;
    }
  }
}
