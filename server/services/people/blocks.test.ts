/** The block list: blocking, ending it, what a check and its guest see, and what remains of it. */
import { expect, test } from 'vitest';
import { operatorActor } from '../../domain/operators/actor.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { findExternalIdOwner } from '../../store/people/people.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { blockPerson, endPersonBlock, readBlocks, readBlocksOf } from './blocks.ts';
import { eraseOnePerson } from './erasure.ts';
import { exportPerson } from './export.ts';

const DAY_MS = 86_400_000;
const BY = { reason: 'fought with staff', contact: 'duty manager, 0170 1', actor: operatorActor('ada') };

async function known() {
  const service = await openTestService();
  const scope = service.scope('test');
  await service.deps.db.tx((tx) =>
    insertOperator(tx, {
      id: 'ada',
      name: 'Ada',
      nameKey: 'ada',
      role: 'admin',
      origin: 'cli',
      passphraseHash: '',
      passphraseChangedAt: NOW,
      createdAt: NOW,
    }),
  );
  await run(service, 'alice', { external_id: 'seat-a', group: 'friday' });
  const id = (await findExternalIdOwner(service.deps.db, scope, 'seat-a'))?.personId ?? '';
  const block = (action: 'refuse' | 'review', days = 30) =>
    blockPerson(service.deps, scope, id, { action, days, ...BY });
  return { service, scope, id, block };
}

const again = (service: TestService, face = 'alice') => run(service, face, { group: 'saturday' });

test('a blocked person is refused, within a skip window too, and the guest sees what any denied guest sees', async () => {
  const { service, block } = await known();
  await block('refuse');
  const snapshot = await run(service, 'alice', { group: 'friday' });
  expect(await passOf(service, snapshot)).toMatchObject({ status: 'denied', reasons: ['blocked'] });
  expect(JSON.stringify(snapshot)).not.toMatch(/block|manager|fought/);
});

test('one to look at comes to a reviewer, and so does a face that may be theirs', async () => {
  const { service, scope, id, block } = await known();
  await block('review');
  for (const face of ['alice', 'near:alice']) {
    const snapshot = await again(service, face);
    const found = await findOpenCaseOf(service.deps.db, scope, snapshot.session_id);
    expect(found).toMatchObject({ reasons: ['blocked'], suspectIds: [id] });
  }
});

test('it ends with its days, or by an admin, and then the person passes', async () => {
  const { service, scope, id, block } = await known();
  await block('refuse', 2);
  service.clock.advance(2 * DAY_MS);
  expect((await passOf(service, await again(service))).status).toBe('approved');
  const unblock = () => endPersonBlock(service.deps, scope, id, { reason: 'apologised', actor: BY.actor });
  expect(await refusalOf(unblock())).toBe('not_blocked');
  await block('refuse');
  await unblock();
  expect((await readBlocks(service.deps, scope, {})).items).toEqual([]);
  const snapshot = await run(service, 'alice', { group: 'sunday' });
  expect((await passOf(service, snapshot)).status).toBe('approved');
});

test('the list shows those in effect, the person all of theirs, a new one replaces the last', async () => {
  const { service, scope, id, block } = await known();
  await block('refuse');
  service.clock.advance(1);
  await block('review', 5);
  const { items } = await readBlocks(service.deps, scope, {});
  expect(items).toMatchObject([
    {
      person_id: id,
      name: 'seat-a',
      action: 'review',
      created_by: 'Ada',
      contact: BY.contact,
      is_active: true,
    },
  ]);
  const { items: all } = await readBlocksOf(service.deps, scope, id);
  expect(all.map(({ action, is_active }) => [action, is_active])).toEqual([
    ['review', true],
    ['refuse', false],
  ]);
  const other = await readBlocks(service.deps, service.scope('live'), {});
  expect(other.items).toEqual([]);
});

test('a block set after the clock went back is the one that an admin ends', async () => {
  const { service, scope, id, block } = await known();
  await block('refuse');
  service.clock.advance(-60_000);
  await block('review');
  const { items } = await endPersonBlock(service.deps, scope, id, { reason: 'over', actor: BY.actor });
  expect(items.map(({ is_active }) => is_active)).toEqual([false, false]);
});

test('the audit log has what was set, until when and why, and no contact', async () => {
  const { service, block } = await known();
  await block('refuse');
  const [entry] = await listAuditEntries(service.deps.db, { action: 'person.block' }, null, 1);
  expect(JSON.parse(entry?.details ?? '')).toEqual({
    decision: 'refuse',
    expires_at: new Date(service.clock.now() + 30 * DAY_MS).toISOString(),
    reason: BY.reason,
  });
});

test('of two admins who block at the same time, one block is in effect', async () => {
  const { service, scope, block } = await known();
  await Promise.all([block('refuse'), block('review')]);
  expect((await readBlocks(service.deps, scope, {})).items).toHaveLength(1);
});

test('the person’s export has their blocks without who set them, and erasing the person ends it', async () => {
  const { service, scope, id, block } = await known();
  await block('refuse');
  const { blocks } = await exportPerson(service.deps, scope, id, 'cli');
  expect(blocks).toMatchObject([{ action: 'refuse', reason: BY.reason, contact: BY.contact }]);
  expect(JSON.stringify(blocks)).not.toContain('Ada');
  await eraseOnePerson(service.deps, scope, id, 'cli');
  expect(await service.deps.db.all('SELECT 1 FROM person_blocks')).toEqual([]);
  const snapshot = await again(service);
  expect((await sessionOf(service, snapshot.session_id)).state).toBe('settled');
  expect((await passOf(service, snapshot)).status).toBe('approved');
});
