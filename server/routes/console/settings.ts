import type { FastifyInstance } from 'fastify';
import { Done } from '../../contract/console/common.ts';
import {
  BackupRestore,
  BackupSettings,
  BackupState,
  MatchingChange,
  LanChange,
  LanguageSettings,
  LanSettings,
  LimitChange,
  LimitSettings,
  MatchingSettings,
  NetworkSettings,
  RecoveryPhrase,
  RetentionDays,
  RetentionSettings,
  SmsChange,
  SmsSettings,
  SmsTest,
  WebhookHosts,
} from '../../contract/console/settings.ts';
import { renewRecoveryPhrase } from '../../services/backup/recovery-setting.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import {
  changeBackups,
  changeLanguages,
  changeMatching,
  changeSms,
  readBackups,
  readMatching,
  readNetwork,
  readRetentionSettings,
  readSmsSettings,
  restoreFromBackup,
  saveRetention,
  sendTestSms,
} from '../../services/setup/settings.ts';
import { changeLan, lanSettings } from '../../services/network/manage.ts';
import { changeLimitSettings, readLimitSettings } from '../../services/setup/manage-limits.ts';
import { readLanguageOffer } from '../../services/companies/languages.ts';
import { saveAllowHosts } from '../../services/webhooks/allow-list.ts';
import { consoleRoute, scopedRoute } from './route.ts';

/** Settings of the installation, for admins. */
export function settingsRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const role = 'admin';
  retentionRoutes(app, deps);
  smsRoutes(app, deps);
  limitRoutes(app, deps);
  languageRoutes(app, deps);
  backupRoutes(app, deps);
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/network',
    role,
    summary: 'Where the service is reached, and where webhooks may go',
    response: NetworkSettings,
    handler: () => readNetwork(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/webhook-hosts',
    role,
    summary: 'Replace the hosts that webhooks may go to although they are private',
    body: WebhookHosts,
    response: WebhookHosts,
    handler: async ({ body: { hosts }, actor }) => ({
      hosts: await saveAllowHosts(deps.db, deps.clock, { hosts, actor }),
    }),
  });
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/lan',
    role,
    summary: 'The network mode: who else reaches this machine, and how',
    response: LanSettings,
    handler: async () => lanSettings(deps.installation.lan.state()),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/lan',
    role,
    summary: 'Switch the network mode, and the console in it, on or off',
    body: LanChange,
    response: LanSettings,
    handler: ({ body, signedIn }) => changeLan(deps, body, signedIn),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/settings/matching',
    installationWide: true,
    role,
    summary: 'Thresholds and what they mean at the present number of people',
    response: MatchingSettings,
    handler: ({ scope }) => readMatching(deps, scope),
  });
  scopedRoute(app, deps, {
    method: 'PUT',
    url: '/settings/matching',
    installationWide: true,
    role,
    summary: 'Compare faces more strictly, or less, than was measured',
    body: MatchingChange,
    response: MatchingSettings,
    handler: async ({ body, scope, actor }) => {
      await changeMatching(deps, body, actor);
      return readMatching(deps, scope);
    },
  });
}

function retentionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/retention',
    role: 'admin',
    summary: 'How long what is personal is kept',
    response: RetentionSettings,
    handler: () => readRetentionSettings(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/retention',
    role: 'admin',
    summary: 'Keep it shorter or longer, from the next night on',
    body: RetentionDays,
    response: RetentionSettings,
    handler: async ({ body, actor }) => {
      await saveRetention(deps, body, actor);
      return readRetentionSettings(deps);
    },
  });
}

function limitRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/limits',
    role: 'admin',
    summary: 'What may be used without a key',
    response: LimitSettings,
    handler: () => readLimitSettings(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/limits',
    role: 'admin',
    summary: 'Allow more, or less',
    body: LimitChange,
    response: LimitSettings,
    handler: async ({ body, actor }) => {
      await changeLimitSettings(deps, body, actor);
      return readLimitSettings(deps);
    },
  });
}

function languageRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/languages',
    role: 'admin',
    summary: 'The languages that persons are offered',
    response: LanguageSettings,
    handler: () => readLanguageOffer(deps.db),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/languages',
    role: 'admin',
    summary: 'Choose them, and the one for whoever asks for none of them',
    body: LanguageSettings,
    response: LanguageSettings,
    handler: async ({ body, actor }) => {
      await changeLanguages(deps, body, actor);
      return readLanguageOffer(deps.db);
    },
  });
}

function smsRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/sms',
    role: 'admin',
    summary: 'How codes reach phones',
    response: SmsSettings,
    handler: () => readSmsSettings(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/sms',
    role: 'admin',
    summary: 'Choose how codes reach phones',
    body: SmsChange,
    response: SmsSettings,
    handler: async ({ body, actor }) => {
      await changeSms(deps, body, actor);
      return readSmsSettings(deps);
    },
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/settings/sms/test',
    role: 'admin',
    summary: 'Send a test message',
    body: SmsTest,
    response: Done,
    handler: async ({ body: { number } }) => {
      await sendTestSms(deps, number);
      return { ok: true } as const;
    },
  });
}

function backupRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  consoleRoute(app, {
    method: 'GET',
    url: '/settings/backups',
    role: 'admin',
    summary: 'Backups, and the one that is being made',
    response: BackupState,
    handler: () => readBackups(deps),
  });
  consoleRoute(app, {
    method: 'PUT',
    url: '/settings/backups',
    role: 'admin',
    summary: 'Where nightly backups go and how many stay',
    body: BackupSettings,
    response: BackupState,
    handler: async ({ body, actor }) => {
      await changeBackups(deps, body, actor);
      return readBackups(deps);
    },
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/settings/backups',
    role: 'admin',
    summary: 'Begin a backup',
    response: BackupState,
    handler: async ({ actor }) => {
      await deps.installation.backups.begin(actor);
      return readBackups(deps);
    },
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/settings/backups/restore',
    role: 'admin',
    summary: 'Restore a backup in the place of all data; the server restarts on it',
    body: BackupRestore,
    response: BackupState,
    handler: async ({ body, actor }) => {
      await restoreFromBackup(deps, body, actor);
      return readBackups(deps);
    },
  });
  consoleRoute(app, {
    method: 'POST',
    url: '/settings/recovery-phrase',
    role: 'admin',
    summary: 'Make the words that open backups elsewhere; they are shown this once',
    response: RecoveryPhrase,
    handler: async ({ actor }) => ({ phrase: await renewRecoveryPhrase(deps.db, deps.clock, actor) }),
  });
}
