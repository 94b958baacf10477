import type { AttackThresholds } from '../domain/capture/attack/weights.ts';
import type { FaceEngine } from '../face/engine.ts';
import type { Database } from '../store/sql/port.ts';
import type { Clock } from './clock.ts';
import type { DeletionGuard } from './service-clock.ts';

/**
 * The ports that every capability may use. A service picks the few that it needs, `Pick<Ports, 'db' | 'clock'>`, and
 * names those of other capabilities by their own types, so the order of capabilities holds for ports, too.
 */
export type Ports = {
  db: Database;
  clock: Clock;
  /** The machine's own clock, for authenticator codes. */
  wallClock: Clock;
  /** Checked before anything is deleted or ended because of its age. */
  deletions: DeletionGuard;
  /** Uniform integer in [0, n), from the system's CSPRNG. */
  randomInt: (n: number) => number;
  /** The origin of links, without a trailing slash. */
  baseUrl: () => string;
  faces: FaceEngine;
  /** Replaces the fitted ones. */
  attackThresholds?: AttackThresholds | undefined;
  /** The console's origin, once it listens. */
  consoleUrl: () => string;
  /** Where this process listens: `host:port`, and origins of the network mode. */
  addresses: () => readonly string[];
  /** Whether other machines can reach the console. */
  isConsoleOpen: () => boolean;
  /** As set in the environment. */
  webhookAllowHosts: readonly string[];
  /** Where the key of the database is kept. */
  keyKind: 'key_file' | 'keychain';
};
