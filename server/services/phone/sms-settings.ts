/** The console's setting for sending codes. The environment takes precedence. */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { CodeSender } from './codes.ts';
import { httpSender, twilioSender } from './senders.ts';

const SETTING = 'sms';

export type SmsSetting =
  | { sender: 'operator' }
  | { sender: 'http'; url: string; secretId?: string }
  | {
      sender: 'twilio';
      accountSid: string;
      authToken: string;
      from: string;
      apiUrl: string;
      /** Changes with the secret, so that a stale form does not replace it. */
      secretId?: string;
    };

export const TWILIO_API = 'https://api.twilio.com';

/**
 * The sender in use, and its source.
 * @param fromEnv `operator` if the environment names none
 */
export async function smsNow(
  db: SqlReader,
  fromEnv: SmsSetting,
): Promise<{ setting: SmsSetting; source: 'environment' | 'settings' }> {
  if (fromEnv.sender !== 'operator') return { setting: fromEnv, source: 'environment' };
  const setting = (await readSetting<SmsSetting>(db, SETTING)) ?? { sender: 'operator' };
  return { setting, source: 'settings' };
}

/** Null if staff read codes out. */
export function senderOf(setting: SmsSetting): CodeSender | null {
  switch (setting.sender) {
    case 'operator':
      return null;
    case 'http':
      return httpSender(setting.url);
    case 'twilio':
      return twilioSender(setting);
  }
}

/** The audit log names the sender, never its secret. */
export async function storeSms(
  tx: SqlTx,
  clock: Clock,
  { setting, changed, actor }: { setting: SmsSetting; changed: string[]; actor: Actor },
): Promise<void> {
  await writeSetting(tx, SETTING, setting);
  await auditSms(tx, clock, { actor, action: 'sms.change', sender: setting.sender, changed });
}

export async function auditSms(
  tx: SqlTx,
  clock: Clock,
  {
    actor,
    action,
    sender,
    changed,
  }: Pick<SmsSetting, 'sender'> & { actor: Actor; action: 'sms.change' | 'sms.test'; changed?: string[] },
): Promise<void> {
  await appendAudit(tx, {
    at: clock.now(),
    actor,
    action,
    subject: 'installation',
    details: { sender, ...(changed !== undefined && { changed }) },
  });
}
