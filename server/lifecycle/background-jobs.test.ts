import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { tempDir } from '../../testing/store/temp-store.ts';
import { serverConfig } from '../config.ts';
import { createServiceClock } from '../services/ports/clock.ts';
import { SINGLE_NODE } from '../services/maintenance/nodes.ts';
import { startBackgroundJobs } from './background-jobs.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => {
  // Not the timers that the database waits for.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('once the drain begins no job does, and the node serves as before until it ends', async () => {
  const dir = tempDir();
  const { deps, clock } = await openTestService(dir);
  const serviceClock = await createServiceClock(deps.db, { wall: clock, onError: () => undefined });
  const report = vi.fn(async () => undefined);
  const pack = vi.spyOn(deps.faceIndex, 'pack');
  const reload = vi.spyOn(deps.tokens, 'reload');
  const config = { ...serverConfig({ dataDir: path.join(dir) }, {}), sms: { sender: 'operator' } as const };
  const jobs = startBackgroundJobs(
    config,
    { ...deps, clock: serviceClock, node: { ...SINGLE_NODE, report }, isLeader: () => true },
    pino({ enabled: false }),
  );
  await expect.poll(() => pack).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(pack.mock.calls.length).toBeGreaterThan(1);

  jobs.stop();
  const counts = [pack, reload, report].map((each) => each.mock.calls.length);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(pack).toHaveBeenCalledTimes(counts[0]!);
  expect(reload.mock.calls.length).toBeGreaterThan(counts[1]!);
  expect(report.mock.calls.length).toBeGreaterThan(counts[2]!);

  await jobs.ended();
  await serviceClock.close();
  const last = report.mock.calls.length;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(report).toHaveBeenCalledTimes(last);
});
