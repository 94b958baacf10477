/** The health of a service in a folder of the test, looked at only when asked to. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { HealthDeps } from '../../server/services/health/facts.ts';
import { createHealth, type Health } from '../../server/services/health/health.ts';
import { LAN_OFF } from '../../server/services/network/service.ts';
import { storePaths, tempDir } from '../store/temp-store.ts';
import { openTestService, type TestService } from './temp-service.ts';

export type TestHealth = TestService & {
  health: Health;
  folder: string;
  /** The codes that stand after another look, notices included. */
  codes: () => Promise<string[]>;
};

/** With two threads for faces and the key in the keychain, so that a new one has no problems. */
export async function openTestHealth(change: Partial<HealthDeps> = {}): Promise<TestHealth> {
  const folder = tempDir();
  const service = await openTestService(folder);
  const { deps } = service;
  const backups = path.join(folder, 'backups');
  mkdirSync(backups);
  const health = await createHealth(
    {
      ...deps,
      faces: {
        ...deps.faces,
        stats: () => ({ workers: 2, busy: 0, queuedFrames: 0, restarts: 0 }),
      },
      keyKind: 'keychain',
      lan: { state: () => LAN_OFF },
      folders: { data: folder, database: storePaths(folder).path, backups },
      ...change,
    },
    (error) => {
      throw error;
    },
  );
  onTestFinished(() => health.close());
  return {
    ...service,
    health,
    folder,
    async codes() {
      await health.look();
      return health.state().conditions.map(({ code }) => code);
    },
  };
}
