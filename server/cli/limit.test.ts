import { expect, it, vi } from 'vitest';
import { seedCompany } from '../../testing/store/rows.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { openDatabase } from '../data/folder.ts';
import { utcDay } from '../domain/days.ts';
import { limitSet } from './operations.ts';

it('a cap that today’s checks have reached says on stderr that checks stop, and is set', async () => {
  const folder = tempDir();
  const db = await openDatabase(folder);
  await seedCompany(db, 'acme');
  const add = 'INSERT INTO usage_days (company_id, partition, day, settled) VALUES (?, ?, ?, ?)';
  await db.tx((tx) => tx.run(add, 'acme', 'live', utcDay(Date.now()), 12));
  await db.close();
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const set = (daily: string) =>
    limitSet({ values: { 'data-dir': folder, company: 'acme', daily }, positionals: [] });
  await set('13');
  expect(told).not.toHaveBeenCalled();
  expect(await set('12')).toEqual({ company_id: 'acme', daily_limit: 12 });
  expect(told.mock.calls.join()).toContain('12 checks have counted today');
  vi.restoreAllMocks();
});
