import { kiosk as kioskRow } from '../../../testing/store/rows.ts';
import { expect, test } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { keyActor, kioskActor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { insertKiosk } from '../../store/venue/kiosks.ts';
import { readAuditLines } from './audit-lines.ts';
import { sha256 } from '../ports/ids.ts';

test('the entries about a subject stay within its company and contain no address', async () => {
  const { deps, scope } = await openTestService();
  const own = { ...scope('test'), at: 1, actor: 'cli', action: 'review.note', subject: 'case-1' } as const;
  await deps.db.tx(async (tx) => {
    await appendAudit(tx, { ...own, details: { reason: 'Twins', address: '10.0.0.7' } });
    await appendAudit(tx, { ...own, companyId: 'another', details: { reason: 'Not yours' } });
    await appendAudit(tx, { ...own, subject: 'case-2' });
  });
  const lines = await readAuditLines(deps.db, scope('test'), ['case-1']);
  expect(lines.map(({ details }) => details)).toEqual([{ reason: 'Twins' }]);
});

test('an entry names the key or kiosk that acted, and the key that it concerns', async () => {
  const { deps, scope } = await openTestService();
  const [key] = await deps.db.all<{ id: string; lineageId: string; display: string }>(
    "SELECT id, lineage_id AS lineageId, display FROM keys WHERE partition = 'test' LIMIT 1",
  );
  await deps.db.tx(async (tx) => {
    await insertKiosk(tx, kioskRow(scope('test').companyId, 'kiosk-1', { codeHash: sha256('code') }));
    const entry = {
      ...scope('test'),
      at: 1,
      action: 'webhook_secret.show',
      subject: key!.lineageId,
    } as const;
    await appendAudit(tx, { ...entry, actor: keyActor(key!.id) });
    await appendAudit(tx, { ...entry, actor: kioskActor('kiosk-1') });
  });
  const rows = await listAuditEntries(deps.db, { action: 'webhook_secret.show' }, null, 9);
  expect(rows.map(({ actorName }) => actorName)).toEqual(['North gate', key!.display]);
  expect(rows[0]?.subjectName).not.toBeNull();
});
