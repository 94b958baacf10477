import type { ChainedEntry } from '../../domain/operators/audit-message.ts';
import { fromJson } from '../rows.ts';
import type { SqlReader } from '../sql/port.ts';

/** The last entry that was sent of each chain, by company; '' is the installation's chain. */
export type SentUpTo = Readonly<Record<string, number>>;

type Row = Omit<ChainedEntry, 'details' | 'previousHash' | 'hash'> & {
  details: string;
  previousHash: Uint8Array;
  hash: Uint8Array;
};

/** Every chain, by company, also of companies that were removed; each takes one step in the index. */
export async function listChains(db: SqlReader): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `WITH RECURSIVE chains (id) AS (
       SELECT MIN(company_id) FROM audit_entries
       UNION ALL
       SELECT (SELECT MIN(a.company_id) FROM audit_entries a WHERE a.company_id > chains.id)
       FROM chains WHERE chains.id IS NOT NULL)
     SELECT id FROM chains WHERE id IS NOT NULL`,
  );
  return ['', ...rows.map(({ id }) => id)];
}

/** The next entries to send. Chain by chain, because on PostgreSQL numbers are committed in order only within one chain. */
export async function entriesToSend(
  db: SqlReader,
  { sent, chains, limit }: { sent: SentUpTo; chains: readonly string[]; limit: number },
): Promise<ChainedEntry[]> {
  const found: ChainedEntry[] = [];
  for (const companyId of chains) {
    if (found.length >= limit) break;
    const rows = await db.all<Row>(
      `SELECT seq, at, actor, action, company_id AS companyId, partition, subject, details,
         previous_hash AS previousHash, hash FROM audit_entries
       WHERE ${companyId === '' ? 'company_id IS NULL' : 'company_id = ?'} AND seq > ? ORDER BY seq LIMIT ?`,
      ...(companyId === '' ? [] : [companyId]),
      sent[companyId] ?? 0,
      limit - found.length,
    );
    found.push(...rows.map(toEntry));
  }
  return found;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const toEntry = ({ details, previousHash, hash, ...row }: Row): ChainedEntry => ({
  ...row,
  details: fromJson<Record<string, unknown>>(details),
  previousHash: hex(previousHash),
  hash: hex(hash),
});
