import type { AttackThresholds } from '../../domain/capture/attack/weights.ts';
import type { RecordedCapture, RecordingConsent } from '../../domain/capture/recording.ts';
import type { FaceEngine } from '../../face/engine.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock, DeletionGuard } from './clock.ts';

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
  /** The same for this machine's own windows, which need no certificate of the network mode and trust none. */
  connectUrl: () => string;
  /** Where a device gets the certificate of network mode; null while it is off. */
  trustPage: () => TrustPage | null;
  faces: FaceEngine;
  /** Replaces the fitted ones. */
  attackThresholds?: AttackThresholds | undefined;
  /** Faces of resting stills are kept for 24 hours, to recognise old stills. Defaults to no. */
  remembersFaces?: boolean;
  /** Captures are recorded, and nothing else is done with them. Only in a server that `gatehouse record` starts. */
  recording?: RecordingSetup | undefined;
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
  /** Part of an installed app, which has no command line. */
  isInstalledApp: boolean;
  /** Whether an admin may set a new passphrase with the recovery phrase. */
  recovery: { isOpen: boolean };
};

/** `fingerprint` is the authority's, for people to compare. */
type TrustPage = { url: string; fingerprint: string };

/** The sitting of one person who is recorded. */
export type RecordingSetup = {
  /** Erases the recordings of this sitting. */
  code: string;
  /** The last day on which they are kept. */
  keptUntil: string;
  /** The person agreed; nothing is captured before. */
  agree: (consent: RecordingConsent) => void;
  keep: (capture: RecordedCapture, stills: ReadonlyMap<number, Buffer>) => Promise<void>;
  /** Whether a capture with a verdict is kept. */
  isDone: () => boolean;
  /** A capture is over, and its page has the last message. */
  captureEnded: () => void;
};
