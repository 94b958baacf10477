/** How codes reach phones, on the settings page. */
import { messagesOf } from '../../../locales/node.ts';
import type { SmsChange, SmsSettings } from '../../contract/console/settings.ts';
import { normalisePhone } from '../../domain/identity.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { ConsoleError, invalidSetting } from '../console-errors.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { saveSms, senderOf, type SmsSetting, smsNow, TWILIO_API } from './sms-settings.ts';

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
    throw invalidSetting('The environment of the server says how codes are sent. Change it there.');
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
        throw invalidSetting('The gateway needs a web address with {to} and {text} in it.');
      }
      return { sender: 'http', url };
    }
    case 'twilio': {
      const kept = before.sender === 'twilio' ? before : null;
      const accountSid = change.account_sid ?? kept?.accountSid;
      const authToken = change.auth_token ?? kept?.authToken;
      const from = change.from ?? kept?.from;
      if (!accountSid || !authToken || !from) {
        throw invalidSetting('Twilio needs the account’s SID, its auth token and a number to send from.');
      }
      return { sender: 'twilio', accountSid, authToken, from, apiUrl: TWILIO_API };
    }
  }
}

/** Sends a message without a code, in the default language. @throws ConsoleError `invalid_setting`, `send_failed` */
export async function sendTestSms(
  { db, installation }: Pick<ConsoleDeps, 'db' | 'installation'>,
  number: string,
): Promise<void> {
  const { setting } = await smsNow(db, installation.sms);
  const sender = senderOf(setting);
  if (!sender) throw invalidSetting('Staff read codes out: there is nothing to test.');
  const phone = normalisePhone(number);
  if (!phone) throw invalidSetting('That is no phone number. Begin with + and the country’s code.');
  try {
    const { default_language: language } = await readLanguageOffer(db);
    await sender.send(phone.identifier, messagesOf('phone', language).test);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConsoleError('send_failed', `It was not sent: ${reason}`);
  }
}
