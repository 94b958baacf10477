import { expect, it } from 'vitest';
import { operatorActor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
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
