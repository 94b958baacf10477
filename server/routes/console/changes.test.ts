/** How the console's stream of changes ends, without a browser. */
import { expect, test, vi } from 'vitest';
import { openConsoleServer } from '../../../testing/service/console-server.ts';
import { COMPANY_GONE_EVENT, SIGNED_OUT_EVENT } from '../../contract/console/changes.ts';
import { StoreError } from '../../store/sql/port.ts';

const endsAs = (body: unknown) =>
  [COMPANY_GONE_EVENT, SIGNED_OUT_EVENT].filter((event) => String(body).includes(`event: ${event}`));

async function followed(companies: 'one' | 'both') {
  const { service, as } = await openConsoleServer();
  const { company: other } = await service.otherCompany();
  const { db } = service.deps;
  const own = service.company.company_id;
  const operator = await as('admin', companies === 'one' ? [own] : [own, other.company_id]);
  const follow = vi.spyOn(db, 'follow');
  const ended = operator.call('GET', `/live?company_id=${own}&partition=live`);
  await expect.poll(() => follow.mock.calls.map(([topic]) => topic)).toContain('audit');
  return {
    db,
    /** The events that ended the stream. */
    ended: ended.then(({ body }) => endsAs(body)),
    hide: () => db.write('DELETE FROM operator_companies WHERE company_id = ?', own),
  };
}

test.each(['both', 'one'] as const)('an operator of %s who loses the company is told', async (companies) => {
  const { db, ended, hide } = await followed(companies);
  await hide();
  db.announce('audit');
  expect(await ended).toEqual([COMPANY_GONE_EVENT]);
});

test('a database that is away for a moment ends the stream, and signs nobody out', async () => {
  const { db, ended } = await followed('both');
  vi.spyOn(db, 'one').mockRejectedValueOnce(new StoreError('database_unreachable', 'away'));
  db.announce('audit');
  expect(await ended).toEqual([]);
});
