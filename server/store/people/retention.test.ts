import { describe, expect, it } from 'vitest';
import { startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { openCapture } from '../../services/capture/capture.ts';
import { insertSeenFrames, insertSeenSignatures } from '../matching/seen-frames.ts';
import { deleteOrphans } from './retention.ts';

const DAY_MS = 86_400_000;

describe('orphans of runs', () => {
  it('stay while they are needed, and are then removed', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    const session = await startRun(service);
    await openCapture(service.deps, session, 120_000, []);
    await db.tx(async (tx) => {
      const now = service.clock.now();
      await insertSeenFrames(tx, [Uint8Array.of(1)], now);
      await insertSeenSignatures(tx, [{ part: Uint8Array.of(2), signature: Uint8Array.of(3) }], now);
    });
    const sweep = () => db.tx((tx) => deleteOrphans(tx, service.clock.deletionTime(), 100));
    expect(await sweep()).toMatchObject({ seen_frames: 0, seen_signatures: 0, challenges: 0 });
    service.clock.advance(2 * DAY_MS);
    expect(await sweep()).toMatchObject({ seen_frames: 0, seen_signatures: 1, challenges: 1 });
    service.clock.advance(29 * DAY_MS);
    expect(await sweep()).toMatchObject({ seen_frames: 1 });
  });

  it('stay for the whole of their time, although it is stored by the hour', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    service.clock.advance(59 * 60_000);
    await db.tx(async (tx) => {
      const now = service.clock.now();
      await insertSeenFrames(tx, [Uint8Array.of(1)], now);
      await insertSeenSignatures(tx, [{ part: Uint8Array.of(2), signature: Uint8Array.of(3) }], now);
    });
    const sweep = () => db.tx((tx) => deleteOrphans(tx, service.clock.deletionTime(), 100));
    service.clock.advance(DAY_MS);
    expect(await sweep()).toMatchObject({ seen_signatures: 0 });
    service.clock.advance(29 * DAY_MS);
    expect(await sweep()).toMatchObject({ seen_frames: 0, seen_signatures: 1 });
  });

  it('go in parts, so that no table is held for long', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    await db.tx(async (tx) => {
      const hashes = [1, 2, 3].map((byte) => Uint8Array.of(byte));
      await insertSeenFrames(tx, hashes, service.clock.now());
    });
    service.clock.advance(31 * DAY_MS);
    const sweep = () => db.tx((tx) => deleteOrphans(tx, service.clock.deletionTime(), 2));
    expect([await sweep(), await sweep()]).toMatchObject([{ seen_frames: 2 }, { seen_frames: 1 }]);
  });
});
