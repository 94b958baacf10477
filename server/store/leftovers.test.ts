import { describe, expect, it } from 'vitest';
import { startRun } from '../testing/runs.ts';
import { openTestService } from '../testing/temp-service.ts';
import { createChallenge } from '../services/flow.ts';
import { insertFingerprint } from './frame-fingerprints.ts';
import { deleteLeftovers } from './leftovers.ts';

const DAY_MS = 86_400_000;

describe('leftovers of runs', () => {
  it('stay while they are needed, and go when they are not', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    const session = await startRun(service);
    await createChallenge(service.deps, session);
    await db.tx((tx) =>
      insertFingerprint(tx, session.scope, {
        sha256: Uint8Array.of(1),
        fingerprint: Uint8Array.of(2),
        sessionId: session.id,
        at: service.clock.now(),
      }),
    );
    const sweep = () => db.tx((tx) => deleteLeftovers(tx, service.clock.now()));
    expect(await sweep()).toMatchObject({ frame_fingerprints: 0, challenges: 0 });
    service.clock.advance(2 * DAY_MS);
    expect(await sweep()).toMatchObject({ frame_fingerprints: 0, challenges: 1 });
    service.clock.advance(29 * DAY_MS);
    expect(await sweep()).toMatchObject({ frame_fingerprints: 1 });
  });
});
