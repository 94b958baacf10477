import type { DeniedPictures } from '../services/capture/denied-pictures.ts';
import type { BackupService } from '../services/backup/service.ts';
import type { RestoreService } from '../services/backup/restore/restore-service.ts';
import type { ConnectSigner } from '../services/connections/signer.ts';
import type { Health } from '../services/health/health.ts';
import type { RequestLog } from '../services/keys/request-log.ts';
import type { UsageTracker } from '../services/keys/usage-tracker.ts';
import type { RefusalLog } from '../services/keys/refusals.ts';
import type { FaceIndex } from '../services/matching/face-index.ts';
import type { ServiceNode } from '../services/maintenance/nodes.ts';
import type { MaintenanceGate } from '../services/maintenance/maintenance.ts';
import type { LanService } from '../services/network/service.ts';
import type { UnsavedActivity } from '../services/operators/operator-session.ts';
import type { PaperSources } from '../services/papers/facts.ts';
import type { ResultTokens } from '../services/passes/result-tokens.ts';
import type { CodeService } from '../services/phone/codes.ts';
import type { SmsSetting } from '../services/phone/sms-settings.ts';
import type { Ports } from '../services/ports/ports.ts';
import type { SessionEvents } from '../services/runs/sessions/session-events.ts';
import type { UpdateService } from '../services/updates/service.ts';
import type { WebhookService } from '../services/webhooks/service.ts';

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
  /** Remembers calls of the interface by their Request-Id. */
  requests: RequestLog;
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
  updates: UpdateService;
  papers: PaperSources;
};

export type ConsoleDeps = ServiceDeps & Installation;
