import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { createRefusalLog, MAX_SOURCES, REFUSAL_WINDOW_MS } from './refusals.ts';

async function withLog() {
  const { deps, clock } = await openTestService();
  const failures: unknown[] = [];
  const log = createRefusalLog(deps.db, clock, (error) => failures.push(error));
  const entries = async () => {
    const rows = await deps.db.all<{ subject: string; details: string }>(
      "SELECT subject, details FROM audit_entries WHERE action = 'key.refused' ORDER BY seq",
    );
    return rows.map(({ subject, details }) => ({ subject, ...(JSON.parse(details) as object) }));
  };
  const note = (source: string) => log.note({ action: 'key.refused', subject: 'unknown key', source });
  return { clock, log, note, entries, failures };
}

it('the first refusal is recorded immediately, the rest of its window as one entry with their number', async () => {
  const { clock, log, note, entries } = await withLog();
  const since = new Date(clock.now()).toISOString();
  for (let n = 0; n < 1_000; n += 1) note('192.0.2.1');
  await expect.poll(entries).toEqual([{ subject: 'unknown key', source: '192.0.2.1' }]);
  clock.advance(REFUSAL_WINDOW_MS);
  note('192.0.2.1');
  await log.close();
  expect(await entries()).toEqual([
    { subject: 'unknown key', source: '192.0.2.1' },
    { subject: 'unknown key', source: '192.0.2.1', count: 999, since },
    { subject: 'unknown key', source: '192.0.2.1' },
  ]);
});

it('a flood from many sources is bounded, and its counts are written when the server stops', async () => {
  const { log, note, entries, failures } = await withLog();
  for (let n = 0; n < 5_000; n += 1) note(`source ${n}`);
  await log.close();
  const written = await entries();
  expect(written).toHaveLength(MAX_SOURCES + 1);
  expect(written.at(-1)).toMatchObject({ subject: 'many', source: 'many', count: 5_000 - MAX_SOURCES });
  expect(failures).toEqual([]);
});
