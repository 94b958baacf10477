/** The settings page's use cases: what is set now, in the console's words, and changing it. */
import type { Actor } from '../../domain/operators/actor.ts';
import path from 'node:path';
import type {
  BackupRestore,
  BackupSettings,
  BackupState,
  LanguageSettings,
  MatchingSettings,
  NetworkSettings,
  RetentionDays,
  RetentionSettings,
  SmsChange,
  SmsSettings,
} from '../../contract/console/settings.ts';
import { offerFault, type OfferFault } from '../../domain/companies/language-offer.ts';
import { normalisePhone } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import { changeBackupSettings, readBackupSettings } from '../backup/automatic.ts';
import { BackupError } from '../backup/errors.ts';
import { recoveryMadeAt } from '../backup/recovery-setting.ts';
import { changeLanguageOffer } from '../companies/languages.ts';
import { changeMatchMargin, MARGIN_BOUNDS, readMatchMargin } from '../matching/match-margin.ts';
import { matchingReport, type ThresholdReport } from '../matching/report.ts';
import {
  changeRetention,
  readRetention,
  RETENTION_LIMITS,
  retentionFault,
  type RetentionPeriods,
} from '../people/retention-settings.ts';
import { saveSms, senderOf, type SmsSetting, smsNow, TWILIO_API } from '../phone/sms-settings.ts';
import { readAllowHosts } from '../webhooks/allow-list.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { ConsoleError, notFound } from '../console-errors.ts';
import { iso } from '../times.ts';

export async function readRetentionSettings({ db }: Pick<ConsoleDeps, 'db'>): Promise<RetentionSettings> {
  const { caseFramesDays, templateInactiveDays, abandonedRunDays } = await readRetention(db);
  return {
    days: {
      case_frames: caseFramesDays,
      template_inactive: templateInactiveDays,
      abandoned_run: abandonedRunDays,
    },
    bounds: {
      case_frames: RETENTION_LIMITS.caseFramesDays,
      template_inactive: RETENTION_LIMITS.templateInactiveDays,
      abandoned_run: RETENTION_LIMITS.abandonedRunDays,
    },
  };
}

/** @throws ConsoleError `invalid_setting` */
export async function saveRetention(
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  days: RetentionDays,
  actor: Actor,
): Promise<void> {
  const periods: RetentionPeriods = {
    caseFramesDays: days.case_frames,
    templateInactiveDays: days.template_inactive,
    abandonedRunDays: days.abandoned_run,
  };
  const fault = retentionFault(periods);
  if (fault) {
    const { min, max } = RETENTION_LIMITS[fault];
    throw invalid(`That period must be from ${min} to ${max} days.`);
  }
  await changeRetention(db, clock, periods, actor);
}

const OFFER_FAULTS: Record<OfferFault, string> = {
  none_offered: 'Choose at least one language.',
  default_not_offered:
    'The default language must be one of those that are offered. Choose another default, or offer this one as well.',
};

/** @throws ConsoleError `invalid_setting` */
export async function changeLanguages(
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  offer: LanguageSettings,
  actor: Actor,
): Promise<void> {
  const fault = offerFault(offer);
  if (fault !== null) throw invalid(OFFER_FAULTS[fault]);
  await changeLanguageOffer(db, clock, offer, actor);
}

export async function readSmsSettings({
  db,
  installation,
}: Pick<ConsoleDeps, 'db' | 'installation'>): Promise<SmsSettings> {
  const { setting, source } = await smsNow(db, installation.sms);
  return {
    sender: setting.sender,
    source,
    gateway_host: setting.sender === 'http' ? new URL(setting.url).host : null,
    account_sid: setting.sender === 'twilio' ? setting.accountSid : null,
    from: setting.sender === 'twilio' ? setting.from : null,
  };
}

/** Counts for the next code. @throws ConsoleError `invalid_setting` */
export async function changeSms(
  { db, clock, codes, installation }: Pick<ConsoleDeps, 'db' | 'clock' | 'codes' | 'installation'>,
  change: SmsChange,
  actor: Actor,
): Promise<void> {
  const { setting: before, source } = await smsNow(db, installation.sms);
  if (source === 'environment') {
    throw invalid('The environment of the server says how codes are sent. Change it there.');
  }
  const setting = smsSettingOf(change, before);
  await saveSms(db, clock, setting, actor);
  codes.use(senderOf(setting));
}

function smsSettingOf(change: SmsChange, before: SmsSetting): SmsSetting {
  switch (change.sender) {
    case 'operator':
      return { sender: 'operator' };
    case 'http': {
      const url = change.url ?? (before.sender === 'http' ? before.url : '');
      if (!URL.canParse(url) || !/^https?:/.test(url) || !url.includes('{to}') || !url.includes('{text}')) {
        throw invalid('The gateway needs a web address with {to} and {text} in it.');
      }
      return { sender: 'http', url };
    }
    case 'twilio': {
      const kept = before.sender === 'twilio' ? before : null;
      const accountSid = change.account_sid ?? kept?.accountSid;
      const authToken = change.auth_token ?? kept?.authToken;
      const from = change.from ?? kept?.from;
      if (!accountSid || !authToken || !from) {
        throw invalid('Twilio needs the account’s SID, its auth token and a number to send from.');
      }
      return { sender: 'twilio', accountSid, authToken, from, apiUrl: TWILIO_API };
    }
  }
}

/** Sends a text that holds no code. @throws ConsoleError `invalid_setting`, `send_failed` */
export async function sendTestSms(
  { db, installation }: Pick<ConsoleDeps, 'db' | 'installation'>,
  number: string,
): Promise<void> {
  const { setting } = await smsNow(db, installation.sms);
  const sender = senderOf(setting);
  if (!sender) throw invalid('Staff read codes out: there is nothing to test.');
  const phone = normalisePhone(number);
  if (!phone) throw invalid('That is no phone number. Begin with + and the country’s code.');
  try {
    await sender.send(phone.identifier, 'This is a test from Gatehouse. Codes will look like this.');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConsoleError('send_failed', `It was not sent: ${reason}`);
  }
}

export async function readNetwork({
  db,
  baseUrl,
  installation,
}: Pick<ConsoleDeps, 'db' | 'baseUrl' | 'installation'>): Promise<NetworkSettings> {
  const url = baseUrl();
  return {
    base_url: url,
    console_url: installation.consoleUrl(),
    is_loopback: /^https?:\/\/(127\.|localhost|\[::1\])/.test(url),
    webhook_hosts: await readAllowHosts(db),
    webhook_hosts_of_environment: [...installation.webhookAllowHosts],
  };
}

export async function readMatching(deps: ConsoleDeps, scope: Scope): Promise<MatchingSettings> {
  const report = await matchingReport(deps, scope);
  const threshold = ({ cosine, expectedFalseCandidates, rateMeasured }: ThresholdReport) => ({
    cosine,
    expected_false: expectedFalseCandidates,
    is_measured: rateMeasured,
  });
  return {
    model: report.model,
    enrolled: report.enrolled,
    older_templates: report.olderTemplates.reduce((sum, { templates }) => sum + templates, 0),
    near: threshold(report.near),
    same: threshold(report.same),
    standout_in_force: report.standoutInForce,
    standout_from: report.standoutFrom,
    is_measured: report.thresholdsMeasured,
    margin: await readMatchMargin(deps.db),
    margin_min: MARGIN_BOUNDS.min,
    margin_max: MARGIN_BOUNDS.max,
  };
}

/** @throws ConsoleError `invalid_setting` */
export async function changeMatching(
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  change: { margin: number; reason: string },
  actor: Actor,
): Promise<void> {
  const { min, max } = MARGIN_BOUNDS;
  if (change.margin < min || change.margin > max) {
    throw invalid(`The margin must be from ${min} to ${max}.`);
  }
  await changeMatchMargin(db, clock, { ...change, actor });
}

export async function readBackups({
  db,
  installation,
}: Pick<ConsoleDeps, 'db' | 'installation'>): Promise<BackupState> {
  const { isOn, folder, keep } = await readBackupSettings(db);
  const { backups, restores, keyKind } = installation;
  const restoring = await restores.underWay();
  return {
    settings: { is_on: isOn, folder, keep },
    folder: await backups.folder(),
    files: await backups.files(),
    recovery_made_at: await recoveryMadeAt(db),
    running: await backups.running(),
    failure: backups.failure(),
    restoring: restoring && {
      started_at: iso(restoring.startedAt),
      name: path.basename(restoring.file),
      step: restoring.step,
      percent: restoring.percent,
    },
    restore_failure: restores.failure(),
    key_kind: keyKind,
  };
}

/** @throws ConsoleError `invalid_setting` */
export async function changeBackups(
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  { is_on: isOn, folder, keep }: BackupSettings,
  actor: Actor,
): Promise<void> {
  if (folder !== null && !path.isAbsolute(folder)) {
    throw invalid('Name the folder from the root of its disk, such as /media/usb/backups.');
  }
  await changeBackupSettings(db, clock, { isOn, folder, keep }, actor);
}

/** @throws ConsoleError `not_found` for a file that is not in the folder of backups, `invalid_setting` */
export async function restoreFromBackup(
  { installation: { backups, restores } }: Pick<ConsoleDeps, 'installation'>,
  { name, phrase }: BackupRestore,
  actor: Actor,
): Promise<void> {
  // Only a name that was listed leads to a file: no path of the caller's own does.
  const file = (await backups.files()).find((listed) => listed.name === name);
  if (!file) throw notFound('backup');
  try {
    const words = phrase?.trim() ?? '';
    await restores.begin({
      file: path.join(await backups.folder(), file.name),
      phrase: words === '' ? null : words,
      actor,
    });
  } catch (error) {
    throw error instanceof BackupError ? invalid(error.message) : error;
  }
}

const invalid = (message: string): ConsoleError => new ConsoleError('invalid_setting', message);
