/**
 * The audit log is one chain per company: a changed, removed or inserted entry is detected. Entries removed from the
 * end of a company's chain are detected once a checkpoint was written after them; from the end of the installation's
 * chain only by a hash that was stored elsewhere.
 */
import { describe, expect, it } from 'vitest';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { addAuditCheckpoint, appendAudit, type AuditEntry, verifyAudit } from './audit.ts';
import { writeSetting } from '../settings.ts';
import type { Database, SqlTx } from '../sql/port.ts';

const entry = (n: number): AuditEntry => ({
  at: n,
  actor: 'cli',
  action: 'key.revoke',
  companyId: n % 2 === 0 ? 'c' : null,
  partition: n % 2 === 0 ? 'live' : null,
  subject: `key-${n}`,
  details: { reason: 'lost', n },
});

async function openAudited(entries = 10): Promise<Database> {
  const db = await openTempStore();
  // In order, so that a test knows which entry it tampers with.
  for (let n = 0; n < entries; n += 1) await db.tx((tx) => appendAudit(tx, entry(n)));
  return db;
}

describe('an intact chain', () => {
  it('verifies, empty or not', async () => {
    expect(await verifyAudit(await openTempStore())).toEqual({ entries: 0, brokenAt: null });
    expect(await verifyAudit(await openAudited())).toEqual({ entries: 10, brokenAt: null });
  });

  it('verifies after companies and the installation wrote many entries at the same time', async () => {
    const db = await openTempStore();
    const write = (n: number) => {
      const companyId = [null, 'a', 'b'][n % 3] ?? null;
      const lock = companyId === null ? undefined : { companyId };
      return db.tx((tx) => appendAudit(tx, { ...entry(n), companyId }), lock);
    };
    await Promise.all(Array.from({ length: 30 }, (_, n) => write(n)));
    expect(await verifyAudit(db)).toEqual({ entries: 30, brokenAt: null });
  });

  it('accepts no entry of another company, or of the installation, under the lock of one', async () => {
    const db = await openTempStore();
    for (const companyId of ['b', null]) {
      const refused = db.tx((tx) => appendAudit(tx, { ...entry(0), companyId }), { companyId: 'a' });
      await expect(refused).rejects.toThrow('does not hold the lock');
    }
  });

  it('continues the single chain of an older version, whose end is still protected', async () => {
    const db = await openTempStore();
    const append = (n: number, companyId: string | null) =>
      db.tx((tx) => appendAudit(tx, { ...entry(n), companyId }));
    for (const n of [0, 1, 2]) await append(n, null);
    await db.tx((tx) => writeSetting(tx, 'audit_chains_since', 3));
    for (const [n, companyId] of [null, 'a', 'b', 'a'].entries()) await append(n, companyId);
    expect(await verifyAudit(db)).toEqual({ entries: 7, brokenAt: null });
    await db.write('DELETE FROM audit_entries WHERE seq = 3');
    expect(await verifyAudit(db)).toMatchObject({ brokenAt: 4 });
  });

  it('has no gap after a rollback', async () => {
    const db = await openAudited(3);
    const lost = db.tx(async (tx) => {
      await appendAudit(tx, entry(99));
      throw new Error('no');
    });
    await expect(lost).rejects.toThrow('no');
    await db.tx((tx) => appendAudit(tx, entry(3)));
    expect(await verifyAudit(db)).toEqual({ entries: 4, brokenAt: null });
  });
});

describe('a tampered chain', () => {
  it.each<[string, (tx: SqlTx) => Promise<unknown>, number]>([
    ['another actor', (tx) => tx.run("UPDATE audit_entries SET actor = 'system' WHERE seq = 5"), 5],
    ['another action', (tx) => tx.run("UPDATE audit_entries SET action = 'key.roll' WHERE seq = 5"), 5],
    ['another time', (tx) => tx.run('UPDATE audit_entries SET at = at + 1 WHERE seq = 5'), 5],
    ['another company', (tx) => tx.run("UPDATE audit_entries SET company_id = 'd' WHERE seq = 5"), 5],
    ['no partition', (tx) => tx.run('UPDATE audit_entries SET partition = NULL WHERE seq = 5'), 5],
    ['another subject', (tx) => tx.run("UPDATE audit_entries SET subject = 'x' WHERE seq = 5"), 5],
    ['other details', (tx) => tx.run("UPDATE audit_entries SET details = '{}' WHERE seq = 5"), 5],
    ['another hash', (tx) => tx.run('UPDATE audit_entries SET hash = previous_hash WHERE seq = 5'), 5],
    ['an entry taken out', (tx) => tx.run('DELETE FROM audit_entries WHERE seq = 5'), 7],
    ['the first entry taken out', (tx) => tx.run('DELETE FROM audit_entries WHERE seq = 1'), 3],
    [
      'two entries exchanged',
      async (tx) => {
        await tx.run('UPDATE audit_entries SET seq = 100 WHERE seq = 5');
        await tx.run('UPDATE audit_entries SET seq = 5 WHERE seq = 7');
        await tx.run('UPDATE audit_entries SET seq = 7 WHERE seq = 100');
      },
      5,
    ],
  ])('is detected: %s', async (_title, tamper, brokenAt) => {
    const db = await openAudited();
    await db.tx(tamper);
    expect(await verifyAudit(db)).toMatchObject({ brokenAt });
  });
});

describe('a checkpoint', () => {
  const append = (db: Database, companyId: string) =>
    db.tx((tx) => appendAudit(tx, { ...entry(0), companyId }), { companyId });

  it.each([
    ['the end of a company’s chain', 'seq = 3'],
    ['all of a company’s entries', `company_id = 'b'`],
  ])('reveals that %s was removed, although the chain continued', async (_title, removed) => {
    const db = await openTempStore();
    for (const companyId of ['a', 'b', 'b']) await append(db, companyId);
    await db.tx((tx) => addAuditCheckpoint(tx, 1));
    expect(await verifyAudit(db)).toEqual({ entries: 4, brokenAt: null });
    await db.write(`DELETE FROM audit_entries WHERE ${removed}`);
    await append(db, 'b');
    await db.tx((tx) => addAuditCheckpoint(tx, 2));
    expect(await verifyAudit(db)).toMatchObject({ brokenAt: 4 });
  });

  it('is written only after new entries, and matches companies that were added later', async () => {
    const db = await openTempStore();
    const checkpoint = () => db.tx((tx) => addAuditCheckpoint(tx, 1));
    await checkpoint();
    expect(await verifyAudit(db)).toEqual({ entries: 0, brokenAt: null });
    for (const companyId of ['b', 'a', 'c']) {
      await append(db, companyId);
      await checkpoint();
      await checkpoint();
    }
    await append(db, 'b');
    expect(await verifyAudit(db)).toEqual({ entries: 7, brokenAt: null });
  });
});
