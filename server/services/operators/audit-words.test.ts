import { expect, it } from 'vitest';
import { operatorActor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import type { AuditQuery } from '../../contract/console/audit.ts';
import { NO_SKIP, run } from '../../../testing/service/runs.ts';
import { addKiosk } from '../venue/kiosks.ts';
import { readAuditPage } from './audit-log.ts';
import type { SignedIn } from './operator-session.ts';
import { createOperator } from './operators.ts';
import { auditWords } from './audit-words.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';

async function logged() {
  const { deps } = await openTestService();
  const { db, clock } = deps;
  const make = async (name: string) => {
    const request = { name, role: 'reviewer', origin: 'cli', actor: 'cli' } as const;
    return (await createOperator(deps, request)).operator.operator_id;
  };
  const [anna, ben] = [await make('Anna Nowak'), await make('Ben Öz')];
  const caseId = '01990000-0000-7000-8000-00000000abcd';
  await db.tx((tx) =>
    appendAudit(tx, {
      at: clock.now(),
      actor: operatorActor(anna),
      action: 'review.assign',
      companyId: null,
      partition: null,
      subject: caseId,
      details: { to: ben },
    }),
  );
  return async (filters: Parameters<typeof auditWords>[1]) =>
    (await listAuditEntries(db, await auditWords(db, filters), null, 50)).map(
      ({ action, subjectName, toName }) => [action, subjectName ?? toName],
    );
}

it('the audit log is found by a person’s name, a plain word and what the page shows of an ID', async () => {
  const found = await logged();
  const assigned = [['review.assign', 'Ben Öz']];
  for (const actor of ['Anna', 'nowak', 'ANNA NOWAK']) expect(await found({ actor })).toEqual(assigned);
  for (const action of ['assign', 'Assign', 'review.assign', 'review.*', 'review.assign, run.settle'])
    expect(await found({ action })).toEqual(assigned);
  expect(await found({ subject: 'ben ö', action: 'operator' })).toEqual([['operator.create', 'Ben Öz']]);
  expect(await found({ subject: '0000abcd' })).toEqual(assigned);
  for (const filters of [{ actor: 'Carl' }, { action: 'nonsense' }, { subject: 'Carl' }])
    expect(await found(filters)).toEqual([]);
});

it('what people did is told apart from what the service did, and PINs and verifications have names', async () => {
  const service = await openTestService();
  const { deps, company } = service;
  const made = { name: 'Anna Nowak', role: 'reviewer', origin: 'cli', actor: 'cli' } as const;
  const { operator } = await createOperator(deps, made);
  const { kiosk } = await addKiosk(
    { ...deps, randomInt: () => 7 },
    company.company_id,
    { name: 'Door 1', event_id: null },
    'cli',
  );
  await run(service, 'alice', NO_SKIP);
  await deps.db.tx((tx) =>
    appendAudit(tx, {
      at: deps.clock.now(),
      actor: operatorActor(operator.operator_id),
      action: 'operator.pin_used',
      subject: `kiosk:${kiosk.kiosk_id}`,
    }),
  );
  const reader = { operator: { id: '' }, isLimited: false } as SignedIn;
  const read = async (query: AuditQuery) => (await readAuditPage(deps.db, query, reader)).items;
  const [pin, ...rest] = await read({ by: 'people' });
  expect([pin?.actor_name, pin?.subject_name]).toEqual(['Anna Nowak', 'Door 1']);
  expect(rest.map(({ action }) => action)).not.toContain('run.settle');
  const [settled] = await read({ action: 'run.settle' });
  expect(settled?.subject_verification).toMatchObject({ label: null, is_default: true });
  expect((await read({ subject: 'door 1' })).map(({ action }) => action)).toEqual([
    'operator.pin_used',
    'kiosk.create',
  ]);
});
