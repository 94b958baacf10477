/** What became of an update, in the audit log, by the version that runs afterwards. */
import product from '../../../package.json' with { type: 'json' };
import type { AuditAction } from '../../contract/console/audit.ts';
import { compareVersions } from '../../domain/updates/manifest.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { writeSetting } from '../../store/settings.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import { endJournal, readJournal, switchTo, type UpdateHome, writeJournal } from './home.ts';
import { newestAccepted, NEWEST_SETTING } from './verify.ts';

/** Right before the service begins its work: from then on no start leads back to the version before. */
export async function recordUpdate(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  home: UpdateHome | null,
): Promise<void> {
  const journal = home && (await readJournal(home));
  if (home === null || journal === null) return;
  const { from, to } = journal;
  const record = async (tx: SqlTx, action: AuditAction, details: Record<string, unknown>) =>
    appendAudit(tx, {
      at: clock.now(),
      actor: 'system',
      action,
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { from, to, ...details },
    });
  if (journal.phase === 'trying' && to === home.version) {
    await switchTo(home, to);
    await db.tx(async (tx) => {
      const newest = await newestAccepted(tx);
      if (newest === null || compareVersions(newest, product.version) < 0)
        await writeSetting(tx, NEWEST_SETTING, product.version);
      await record(tx, 'update.install', {});
    });
    await endJournal(home);
  }
  if (journal.phase === 'rolled_back' && !journal.isRecorded) {
    const { why, restored } = journal;
    await db.tx((tx) => record(tx, 'update.roll_back', { why, restored }));
    await writeJournal(home, { ...journal, isRecorded: true });
  }
}
