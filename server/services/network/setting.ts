/** Whether other machines of the venue's network reach this one, as an admin has set it. */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';

const SETTING = 'lan';

export type LanSetting = {
  /** People's devices, kiosks and integrations of the network reach the service. */
  isOn: boolean;
  /** The staff's console is reached as well; means nothing while `isOn` is false. */
  isConsoleOpen: boolean;
};

/** Nobody but this machine, until somebody wants it otherwise. */
const OFF: LanSetting = { isOn: false, isConsoleOpen: false };

export async function readLanSetting(db: SqlReader): Promise<LanSetting> {
  return (await readSetting<LanSetting>(db, SETTING)) ?? OFF;
}

export async function saveLanSetting(
  db: Database,
  clock: Clock,
  { isOn, isConsoleOpen }: LanSetting,
  actor: Actor,
): Promise<void> {
  await db.tx(async (tx) => {
    await writeSetting(tx, SETTING, { isOn, isConsoleOpen: isOn && isConsoleOpen });
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'lan.changed',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { is_on: isOn, is_console_open: isOn && isConsoleOpen },
    });
  });
}
