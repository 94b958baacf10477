/** The admin's setting of whether other machines on the venue's network can reach this one. */
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';

const SETTING = 'lan';

export type LanSetting = {
  /** Guests' devices, kiosks and integrations on the network can reach the service. */
  isOn: boolean;
  /** The staff's console can be reached, too; has no effect while `isOn` is false. */
  isConsoleOpen: boolean;
};

/** Only this machine, until an admin changes it. */
const OFF: LanSetting = { isOn: false, isConsoleOpen: false };

export async function readLanSetting(db: SqlReader): Promise<LanSetting> {
  return (await readSetting<LanSetting>(db, SETTING)) ?? OFF;
}

export async function storeLanSetting(
  tx: SqlTx,
  clock: Clock,
  { isOn, isConsoleOpen }: LanSetting,
  actor: Actor,
): Promise<void> {
  await changeSetting(
    tx,
    SETTING,
    { isOn, isConsoleOpen: isOn && isConsoleOpen },
    {
      at: clock.now(),
      actor,
      action: 'lan.changed',
      details: { is_on: isOn, is_console_open: isOn && isConsoleOpen },
    },
  );
}
