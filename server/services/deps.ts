import type { AttackThresholds } from '../domain/capture/attack/weights.ts';
import type { FaceEngine } from '../face/engine.ts';
import type { Database } from '../store/sql/port.ts';
import type { BackupService } from './backup/service.ts';
import type { RestoreService } from './backup/restore-service.ts';
import type { Clock } from './clock.ts';
import type { ConnectSigner } from './connections/signer.ts';
import type { UsageTracker } from './keys/usage-tracker.ts';
import type { RefusalLog } from './keys/refusals.ts';
import type { LiveBus } from './live.ts';
import type { FaceIndex } from './matching/face-index.ts';
import type { ServiceNode } from './maintenance/nodes.ts';
import type { MaintenanceGate } from './maintenance/maintenance.ts';
import type { LanService } from './network/service.ts';
import type { ResultTokens } from './passes/result-tokens.ts';
import type { CodeService } from './phone/code-delivery.ts';
import type { SmsSetting } from './phone/sms-settings.ts';
import type { DeletionGuard } from './service-clock.ts';
import type { SessionEvents } from './runs/session-events.ts';
import type { WebhookService } from './webhooks/service.ts';

/**
 * The ports of the service, each created once by `main.ts`. A service picks the few ports that it uses,
 * `Pick<ServiceDeps, 'db' | 'clock'>`; lint refuses taking all of them.
 */
export type ServiceDeps = {
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
  faceIndex: FaceIndex;
  tokens: ResultTokens;
  /** Signs the links of v2. */
  connect: ConnectSigner;
  reads: UsageTracker;
  /** Collects failed sign-ins, refused keys and refused roles for the audit log. */
  refusals: RefusalLog;
  events: SessionEvents;
  maintenance: MaintenanceGate;
  codes: CodeService;
  webhooks: WebhookService;
  /** This process among the nodes of the installation. */
  node: Pick<ServiceNode, 'status'>;
  /** Replaces the fitted ones. */
  attackThresholds?: AttackThresholds | undefined;
};

/** The installation's own ports: what the console shows and changes about the machine. */
export type Installation = {
  /** The console's origin, once it listens. */
  consoleUrl: () => string;
  /** Where this process listens: `host:port`, and origins of the network mode. */
  addresses: () => readonly string[];
  /** Whether other machines can reach the console. */
  isConsoleOpen: () => boolean;
  lan: Pick<LanService, 'state' | 'apply'>;
  /** As set in the environment. */
  sms: SmsSetting;
  /** As set in the environment. */
  webhookAllowHosts: readonly string[];
  backups: BackupService;
  restores: RestoreService;
  /** Where the key of the database is kept. */
  keyKind: 'key_file' | 'keychain';
};

/** The ports of the console, to be picked in the same way. */
export type ConsoleDeps = ServiceDeps & Installation & { live: LiveBus };
