import type { AttackThresholds } from '../domain/capture/attack/weights.ts';
import type { FaceEngine } from '../face/engine.ts';
import type { Database } from '../store/sql/port.ts';
import type { Clock } from './clock.ts';
import type { CodeService } from './phone/code-delivery.ts';
import type { ConnectSigner } from './connections/signer.ts';
import type { FaceIndex } from './matching/face-index.ts';
import type { MaintenanceGate } from './maintenance/maintenance.ts';
import type { UsageTracker } from './keys/usage-tracker.ts';
import type { RefusalLog } from './keys/refusals.ts';
import type { ResultTokens } from './passes/result-tokens.ts';
import type { DeletionGuard } from './service-clock.ts';
import type { SessionEvents } from './runs/session-events.ts';
import type { WebhookService } from './webhooks/desk.ts';

/** What the use cases work with; made once at start, replaced piecewise in tests. */
export type ServiceDeps = {
  db: Database;
  clock: Clock;
  /** The machine's own clock: what the clocks of phones agree with. */
  wallClock: Clock;
  /** Asked before anything is deleted or ended for its age. */
  deletions: DeletionGuard;
  /** Uniform integer in [0, n), from the system's CSPRNG. */
  randomInt: (n: number) => number;
  /** Advertised origin, without a slash at the end. */
  baseUrl: () => string;
  faces: FaceEngine;
  faceIndex: FaceIndex;
  tokens: ResultTokens;
  /** Of the v2 links. */
  connect: ConnectSigner;
  reads: UsageTracker;
  /** Failed sign-ins, refused keys and roles on their way to the audit log. */
  refusals: RefusalLog;
  events: SessionEvents;
  maintenance: MaintenanceGate;
  codes: CodeService;
  webhooks: WebhookService;
  /** Those that were fitted, where left out. */
  attackThresholds?: AttackThresholds | undefined;
};
