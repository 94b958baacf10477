import type { DeniedPictures } from './capture/denied-pictures.ts';
import type { BackupService } from './backup/service.ts';
import type { RestoreService } from './backup/restore/restore-service.ts';
import type { ConnectSigner } from './connections/signer.ts';
import type { Health } from './health/health.ts';
import type { UsageTracker } from './keys/usage-tracker.ts';
import type { RefusalLog } from './keys/refusals.ts';
import type { ChangeFeed } from './changes/changes.ts';
import type { FaceIndex } from './matching/face-index.ts';
import type { ServiceNode } from './maintenance/nodes.ts';
import type { MaintenanceGate } from './maintenance/maintenance.ts';
import type { LanService } from './network/service.ts';
import type { UnsavedActivity } from './operators/operator-session.ts';
import type { ResultTokens } from './passes/result-tokens.ts';
import type { CodeService } from './phone/codes.ts';
import type { SmsSetting } from './phone/sms-settings.ts';
import type { Ports } from './ports.ts';
import type { SessionEvents } from './runs/sessions/session-events.ts';
import type { WebhookService } from './webhooks/service.ts';

/** The ports that only the console uses: what it shows and changes about the machine. */
type ConsolePort =
  | 'consoleUrl'
  | 'addresses'
  | 'isConsoleOpen'
  | 'webhookAllowHosts'
  | 'keyKind'
  | 'isInstalledApp'
  | 'recovery';

/** All ports of the service, each created once by `main.ts` and passed on by the routes. */
export type ServiceDeps = Omit<Ports, ConsolePort> & {
  faceIndex: FaceIndex;
  tokens: ResultTokens;
  deniedPictures: DeniedPictures;
  /** Signs the links of v2. */
  connect: ConnectSigner;
  reads: UsageTracker;
  /** Collects failed sign-ins, refused keys and refused roles for the audit log. */
  refusals: RefusalLog;
  unsavedActivity: UnsavedActivity;
  events: SessionEvents;
  maintenance: MaintenanceGate;
  codes: CodeService;
  webhooks: WebhookService;
  health: Health;
  /** This process among the nodes of the installation. */
  node: Pick<ServiceNode, 'status'>;
};

/** The installation's own ports. */
export type Installation = Pick<Ports, ConsolePort> & {
  lan: Pick<LanService, 'state' | 'apply'>;
  /** As set in the environment. */
  sms: SmsSetting;
  backups: BackupService;
  restores: RestoreService;
};

export type ConsoleDeps = ServiceDeps & Installation & { changes: ChangeFeed };
