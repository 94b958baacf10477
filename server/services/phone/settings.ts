/** How codes are sent to phones, on the settings page. */
import { messagesOf } from '../../../locales/node.ts';
import type { SmsChange, SmsSettings } from '../../contract/console/settings.ts';
import { canonicalPhone } from '../../domain/identity.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Ports } from '../ports/ports.ts';
import type { CodeService } from './codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { GatewayRefusal } from './senders.ts';
import { newId } from '../ports/ids.ts';
import { changedNames, type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { auditSms, senderOf, type SmsSetting, smsNow, storeSms, TWILIO_API } from './sms-settings.ts';

export async function readSmsSettings({
  db,
  sms,
}: Pick<Ports, 'db'> & { sms: SmsSetting }): Promise<SmsSettings> {
  const { setting, source } = await smsNow(db, sms);
  const fields = smsFields(setting);
  const { sender, account_sid, from } = fields;
  const gatewayHost = setting.sender === 'http' ? new URL(setting.url).host : null;
  return { version: versionOf(fields), sender, source, gateway_host: gatewayHost, account_sid, from };
}

/** As on the wire; the secret by its name. */
const smsFields = (setting: SmsSetting) => ({
  sender: setting.sender,
  account_sid: setting.sender === 'twilio' ? setting.accountSid : null,
  from: setting.sender === 'twilio' ? setting.from : null,
  secret: setting.sender === 'operator' ? null : (setting.secretId ?? null),
});

/**
 * Applies from the next code on.
 * @throws Refusal `sms_set_by_environment`, `sms_gateway_incomplete`, `sms_twilio_incomplete`, `changed_meanwhile`
 */
export async function changeSms(
  { db, clock, codes, sms }: Pick<Ports, 'db' | 'clock'> & { codes: CodeService; sms: SmsSetting },
  change: SmsChange,
  actor: Actor,
): Promise<void> {
  const setting = await db.tx(async (tx) => {
    const { setting: before, source } = await smsNow(tx, sms);
    if (source === 'environment') {
      throw new Refusal('sms_set_by_environment');
    }
    const { version, url, auth_token: token, ...texts } = change;
    const current = smsFields(before);
    const hasSecret = url !== undefined || token !== undefined;
    const sent = { ...texts, ...(hasSecret && { secret: newId(clock.now()) }) };
    const log: ChangeLog = { subject: 'installation', actions: ['sms.change'] };
    const merged = await mergeChange(tx, { version, current, sent, log });
    const next = smsSettingOf(
      { sender: before.sender, ...change, ...withoutNull(merged) },
      before,
      merged.secret,
    );
    await storeSms(tx, clock, { setting: next, changed: changedNames(current, smsFields(next)), actor });
    return next;
  });
  codes.use(senderOf(setting));
}

const withoutNull = ({ sender, account_sid, from }: Partial<ReturnType<typeof smsFields>>) => ({
  ...(sender && { sender }),
  ...(account_sid && { account_sid }),
  ...(from && { from }),
});

/** @param secretId of a new secret; a secret that was not sent stays */
function smsSettingOf(
  change: SmsChange & Pick<SmsSetting, 'sender'>,
  before: SmsSetting,
  secretId: string | null | undefined,
): SmsSetting {
  const kept = before.sender === 'operator' ? undefined : before.secretId;
  const id = secretId ?? kept;
  const named = id === undefined ? {} : { secretId: id };
  switch (change.sender) {
    case 'operator':
      return { sender: 'operator' };
    case 'http': {
      const url = change.url ?? (before.sender === 'http' ? before.url : '');
      if (!URL.canParse(url) || !/^https?:/.test(url) || !url.includes('{to}') || !url.includes('{text}')) {
        throw new Refusal('sms_gateway_incomplete');
      }
      return { sender: 'http', url, ...named };
    }
    case 'twilio': {
      const kept = before.sender === 'twilio' ? before : null;
      const accountSid = change.account_sid ?? kept?.accountSid;
      const authToken = change.auth_token ?? kept?.authToken;
      const from = change.from ?? kept?.from;
      if (!accountSid || !authToken || !from) {
        throw new Refusal('sms_twilio_incomplete');
      }
      return { sender: 'twilio', accountSid, authToken, from, apiUrl: TWILIO_API, ...named };
    }
  }
}

/**
 * Sends a message without a code, in the default language. The audit log says that it was sent, not to whom.
 * @throws Refusal `sms_not_set_up`, `invalid_phone_number`, `sms_refused`, `sms_unreachable`
 */
export async function sendTestSms(
  { db, clock, sms }: Pick<Ports, 'db' | 'clock'> & { sms: SmsSetting },
  number: string,
  actor: Actor,
): Promise<void> {
  const { setting } = await smsNow(db, sms);
  const sender = senderOf(setting);
  if (!sender) throw new Refusal('sms_not_set_up');
  const phone = canonicalPhone(number);
  if (!phone) throw new Refusal('invalid_phone_number');
  try {
    const { default_language: language } = await readLanguageOffer(db);
    await sender.send(phone.identifier, messagesOf('phone', language).test);
  } catch (error) {
    throw error instanceof GatewayRefusal
      ? new Refusal('sms_refused', { args: { status: error.status } })
      : new Refusal('sms_unreachable');
  }
  await db.tx((tx) => auditSms(tx, clock, { actor, action: 'sms.test', sender: setting.sender }));
}
