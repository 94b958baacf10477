import type { FastifyInstance } from 'fastify';
import { renewRecoveryPhrase } from '../../services/backup/recovery-setting.ts';
import type { ConsoleDeps } from '../deps.ts';
import {
  changeBackups,
  confirmRestore,
  readBackups,
  restoreFromBackup,
} from '../../services/backup/settings.ts';
import { changeLanguages, readLanguages } from '../../services/companies/languages.ts';
import { changeCompany } from '../../services/companies/details.ts';
import { changeVenueZone } from '../../services/companies/zones.ts';
import { changeMatching, readMatching } from '../../services/matching/settings.ts';
import { changeLan, lanSettings, readNetwork } from '../../services/network/manage.ts';
import { readSystem } from '../../services/maintenance/system.ts';
import { readRetentionSettings, saveRetention } from '../../services/people/retention-settings.ts';
import { testOidc } from '../../services/operators/oidc.ts';
import { changeOidc, readOidcSettings } from '../../services/operators/oidc-setting.ts';
import { changeSms, readSmsSettings, sendTestSms } from '../../services/phone/settings.ts';
import { changeLimitSettings, readLimitSettings } from '../../services/rate-limits/settings.ts';
import { saveAllowHosts } from '../../services/webhooks/allow-list.ts';
import { versionOf } from '../../services/wire/versions.ts';
import { confirmPassphrase } from '../../services/operators/passphrases.ts';
import { backups, settings, updates } from '../../contract/routes/console/settings.ts';
import { done, register } from './register.ts';

/** Settings of the installation, for admins. */
export function settingsRoutes(
  app: FastifyInstance,
  deps: Pick<
    ConsoleDeps,
    | 'db'
    | 'clock'
    | 'baseUrl'
    | 'faces'
    | 'faceIndex'
    | 'codes'
    | 'consoleUrl'
    | 'lan'
    | 'sms'
    | 'webhookAllowHosts'
    | 'backups'
    | 'restores'
    | 'updates'
    | 'refusals'
    | 'keyKind'
    | 'isInstalledApp'
    | 'node'
    | 'addresses'
  >,
): void {
  retentionRoutes(app, deps);
  oidcRoutes(app, deps);
  smsRoutes(app, deps);
  limitRoutes(app, deps);
  languageRoutes(app, deps);
  backupRoutes(app, deps);
  updateRoutes(app, deps);
  register(
    app,
    deps,
    settings.changeZone,
    async ({ body: { zone, version }, scope: { companyId }, actor }) => {
      await changeVenueZone(deps, { companyId, zone, version, actor });
      return { zone, version: versionOf({ zone }) };
    },
  );
  register(app, deps, settings.changeCompany, ({ body, scope: { companyId }, actor }) =>
    changeCompany(deps, { companyId, change: body, actor }),
  );
  register(app, deps, settings.system, () => readSystem(deps));
  register(app, deps, settings.network, () => readNetwork(deps));
  register(app, deps, settings.changeWebhookHosts, async ({ body, actor }) => {
    const hosts = await saveAllowHosts(deps.db, deps.clock, { ...body, actor });
    return { hosts, version: versionOf({ hosts }) };
  });
  register(app, deps, settings.lan, () => lanSettings(deps, deps.lan.state()));
  register(app, deps, settings.changeLan, ({ body, signedIn }) => changeLan(deps, body, signedIn));
  register(app, deps, settings.matching, ({ scope }) => readMatching(deps, scope));
  register(app, deps, settings.changeMatching, async ({ body, scope, actor }) => {
    await changeMatching(deps, body, actor);
    return readMatching(deps, scope);
  });
}

function retentionRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, settings.retention, () => readRetentionSettings(deps));
  register(app, deps, settings.changeRetention, async ({ body, actor }) => {
    await saveRetention(deps, body, actor);
    return readRetentionSettings(deps);
  });
}

function limitRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, settings.limits, () => readLimitSettings(deps));
  register(app, deps, settings.changeLimits, async ({ body, actor }) => {
    await changeLimitSettings(deps, body, actor);
    return readLimitSettings(deps);
  });
}

function languageRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, settings.languages, () => readLanguages(deps.db));
  register(app, deps, settings.changeLanguages, async ({ body, actor }) => {
    await changeLanguages(deps, body, actor);
    return readLanguages(deps.db);
  });
}

function oidcRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, settings.oidc, () => readOidcSettings(deps));
  register(app, deps, settings.changeOidc, async ({ body, actor }) => {
    await changeOidc(deps, body, actor);
    return readOidcSettings(deps);
  });
  register(app, deps, settings.testOidc, () => done(testOidc(deps)));
}

function smsRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock' | 'codes' | 'sms'>): void {
  register(app, deps, settings.sms, () => readSmsSettings(deps));
  register(app, deps, settings.changeSms, async ({ body, actor }) => {
    await changeSms(deps, body, actor);
    return readSmsSettings(deps);
  });
  register(app, deps, settings.testSms, ({ body: { number }, actor }) =>
    done(sendTestSms(deps, number, actor)),
  );
}

function backupRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'backups' | 'restores' | 'keyKind' | 'isInstalledApp'>,
): void {
  register(app, deps, backups.read, () => readBackups(deps));
  register(app, deps, backups.change, async ({ body, actor }) => {
    await changeBackups(deps, body, actor);
    return readBackups(deps);
  });
  register(app, deps, backups.begin, async ({ actor }) => {
    await deps.backups.begin(actor);
    return readBackups(deps);
  });
  register(app, deps, backups.restore, async ({ body, actor }) => {
    await restoreFromBackup(deps, body, actor);
    return readBackups(deps);
  });
  register(app, deps, backups.confirmRestore, async ({ body: { code }, actor }) => {
    await confirmRestore(deps, code, actor);
    return readBackups(deps);
  });
  register(app, deps, backups.cancelRestore, async () => {
    await deps.restores.cancel();
    return readBackups(deps);
  });
  register(app, deps, settings.renewRecoveryPhrase, async ({ actor }) => ({
    phrase: await renewRecoveryPhrase(deps.db, deps.clock, actor),
  }));
}

function updateRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'refusals' | 'updates'>,
): void {
  register(app, deps, updates.read, () => deps.updates.state());
  register(app, deps, updates.check, ({ body: { file } }) => {
    deps.updates.check(file);
    return deps.updates.state();
  });
  register(app, deps, updates.install, async ({ body, signedIn, actor }) => {
    const { file, version, passphrase, database_is_saved: isDatabaseSaved = false } = body;
    // What the file contains runs with all data from then on.
    await confirmPassphrase(deps, signedIn, passphrase);
    deps.updates.install({ file, version, isDatabaseSaved, actor });
    return deps.updates.state();
  });
  register(app, deps, updates.withdraw, async ({ actor }) => {
    await deps.updates.withdraw(actor);
    return deps.updates.state();
  });
}
