import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTempStore } from '../../testing/store/temp-store.ts';
import type { Database } from '../store/sql/port.ts';
import { createFastify } from '../http/public-app.ts';
import { PAGE_ERRORS_PATH, type PageErrorReport } from '../contract/page-errors.ts';
import { pageErrorRoutes } from './page-errors.ts';

async function listening(change: Partial<Database> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    {},
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = createFastify(logger, 0);
  await pageErrorRoutes(app, {
    deps: { clock: { now: () => 1_000 }, db: { ...(await openTempStore()), ...change } },
  });
  const report = (body: object, remoteAddress = '10.0.0.1') =>
    app.inject({
      method: 'POST',
      url: PAGE_ERRORS_PATH,
      headers: { 'user-agent': 'Test/1.0' },
      body: JSON.stringify(body),
      remoteAddress,
    });
  return { lines, report };
}

const REPORT: PageErrorReport = {
  page: 'hosted',
  kind: 'render',
  version: '0.1.0',
  name: 'TypeError',
  message: 'no /v/secret-code',
  stack: 'f@https://h/assets/hosted/a.js:1:2',
};

test('a reported error is logged with version and user agent, without address or token', async () => {
  const { lines, report } = await listening();
  expect((await report(REPORT)).statusCode).toBe(204);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    msg: 'page error',
    page: 'hosted',
    kind: 'render',
    version: '0.1.0',
    user_agent: 'Test/1.0',
    error: { name: 'TypeError', message: 'no …', frames: ['f hosted/a.js:1:2'] },
  });
  expect(JSON.stringify(lines)).not.toMatch(/10\.0\.0\.1|secret/);
});

test('one address is logged ten times a minute, all together sixty times', async () => {
  const { lines, report } = await listening();
  for (let n = 0; n < 12; n += 1) await report(REPORT);
  expect(lines).toHaveLength(10);
  for (let n = 0; n < 80; n += 1) expect((await report(REPORT, `10.0.1.${n}`)).statusCode).toBe(204);
  expect(lines).toHaveLength(60);
});

test('a report is logged while the database cannot count it, at most sixty times a minute', async () => {
  const { lines, report } = await listening({ tx: () => Promise.reject(new Error('database busy')) });
  for (let n = 0; n < 70; n += 1) expect((await report(REPORT)).statusCode).toBe(204);
  expect(lines.filter(({ msg }) => msg === 'page error')).toHaveLength(60);
  expect(lines.filter(({ msg }) => msg === 'page errors could not be counted')).toHaveLength(60);
});

test('a report that is too large or invalid is refused and not logged', async () => {
  const { lines, report } = await listening();
  expect((await report({ ...REPORT, stack: 'x'.repeat(9_000) })).statusCode).toBe(413);
  expect((await report({ page: 'hosted' })).statusCode).toBe(422);
  expect((await report({ ...REPORT, page: 'elsewhere' })).statusCode).toBe(422);
  expect(lines).toEqual([]);
});
