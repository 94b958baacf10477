/** The servers of the soak, which are killed meanwhile: one server, or several nodes on PostgreSQL. */
import type { Gatehouse } from '../support/service/server.ts';
import { startGatehouse } from '../support/service/server.ts';
import { openDatabase } from '../../server/data/folder.ts';
import type { Database } from '../../server/store/sql/port.ts';
import type { Random } from '../../testing/camera/capture/random.ts';

/** One kill and its outcome. */
export type Kill = {
  what: 'server' | 'node' | 'leader' | 'primary';
  /** From the kill to ready, in milliseconds. */
  readyAfterMs: number;
  /** Why a start failed that was made again, as a service manager does. */
  failedStarts: string[];
};

export type Site = Pick<Gatehouse, 'baseUrl' | 'company' | 'cli'> & {
  /** Resolves once calls are answered; at once while they are. */
  running(): Promise<unknown>;
  /** Kills something (SIGKILL) and brings it back. @param isSecondHalf of the soak */
  kill(random: Random, isSecondHalf: boolean): Promise<Kill>;
  openDatabase(): Promise<Database>;
  /** Kills everything, so that only committed data is left. @returns the errors in the database's files */
  end(db: Database): Promise<string[]>;
  stop(): Promise<void>;
};

/** Guests, their pictures and a start share the machine, perhaps with other work. */
export const READY_TIMEOUT_MS = 180_000;
/** A start fails where the face engine gets too little of a busy processor. */
const MOST_STARTS = 3;

export async function startServer(env: Record<string, string>): Promise<Site> {
  const server = await startGatehouse({ env, readyTimeoutMs: READY_TIMEOUT_MS });
  let running: Promise<unknown> = Promise.resolve();
  return {
    baseUrl: server.baseUrl,
    company: server.company,
    cli: (args) => server.cli(args),
    running: () => running,
    async kill() {
      const restarted = Promise.withResolvers<null>();
      running = restarted.promise;
      const outage = await restart(server);
      restarted.resolve(null);
      return { what: 'server', ...outage };
    },
    openDatabase: () => openDatabase(server.dataDir),
    async end(db) {
      await server.kill9();
      const damage = await db.all<{ integrity_check: string }>('PRAGMA integrity_check');
      const isWhole = damage.length === 1 && damage[0]?.integrity_check === 'ok';
      return isWhole ? [] : [JSON.stringify(damage)];
    },
    stop: () => server.stop(),
  };
}

/** Kills it and starts it, again where that fails. @throws where no start succeeds */
export async function restart(server: Gatehouse): Promise<Omit<Kill, 'what'>> {
  await server.kill9();
  const startMs = performance.now();
  const failedStarts: string[] = [];
  while (failedStarts.length < MOST_STARTS - 1) {
    try {
      await server.restart();
      return { readyAfterMs: performance.now() - startMs, failedStarts };
    } catch (error) {
      failedStarts.push(String(error));
    }
  }
  await server.restart();
  return { readyAfterMs: performance.now() - startMs, failedStarts };
}
