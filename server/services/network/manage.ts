/** Where the service can be reached, on the settings page. */
import type { LanChange, LanSettings, NetworkSettings } from '../../contract/console/settings.ts';
import { KIOSK_AWAY_AFTER_MS } from '../../contract/kiosk.ts';
import { countReportingKiosks } from '../../store/venue/kiosks.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { LanState } from './service.ts';
import { type LanSetting, readLanSetting, storeLanSetting } from './setting.ts';
import { type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import type { Ports } from '../ports/ports.ts';
import type { LanService } from './service.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { SignedIn } from '../operators/operator-session.ts';
import { readAllowHosts } from '../webhooks/allow-list.ts';

export async function readNetwork({
  db,
  baseUrl,
  consoleUrl,
  webhookAllowHosts,
}: Pick<Ports, 'db' | 'baseUrl' | 'consoleUrl' | 'webhookAllowHosts'>): Promise<NetworkSettings> {
  const url = baseUrl();
  const hosts = await readAllowHosts(db);
  return {
    base_url: url,
    console_url: consoleUrl(),
    is_loopback: isLoopbackUrl(url),
    webhook_hosts: hosts,
    version: versionOf({ hosts }),
    webhook_hosts_of_environment: [...webhookAllowHosts],
  };
}

export async function lanSettings(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  state: LanState,
): Promise<LanSettings> {
  const { expiresAt } = state;
  return {
    version: versionOf(lanFields(await readLanSetting(db))),
    is_on: state.isOn,
    is_console_open: state.isConsoleOpen,
    kiosks: await countReportingKiosks(db, clock.now() - KIOSK_AWAY_AFTER_MS),
    is_forced: state.isForced,
    origins: [...state.origins],
    console_origin: state.consoleOrigin,
    trust_url: state.trustUrl,
    fingerprint: state.fingerprint,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    failure: state.failure,
  };
}

/**
 * Takes effect before the reply, which contains any reason why it cannot run.
 * @throws Refusal `changed_meanwhile`, `second_factor_required` if an admin without one would open the console to other machines
 */
export async function changeLan(
  { db, clock, lan }: Pick<Ports, 'db' | 'clock'> & { lan: Pick<LanService, 'state' | 'apply'> },
  { version, ...sent }: LanChange,
  { actor, hasSecondFactor }: Pick<SignedIn, 'actor' | 'hasSecondFactor'>,
): Promise<LanSettings> {
  if (sent.is_console_open === true && !hasSecondFactor) {
    throw new Refusal('second_factor_required');
  }
  await db.tx(async (tx) => {
    const current = lanFields(await readLanSetting(tx));
    const log: ChangeLog = { subject: 'installation', actions: ['lan.changed'] };
    const { is_on: isOn, is_console_open: isConsoleOpen } = {
      ...current,
      ...(await mergeChange(tx, { version, current, sent, log })),
    };
    await storeLanSetting(tx, clock, { isOn, isConsoleOpen }, actor);
  });
  return lanSettings({ db, clock }, await lan.apply());
}

const lanFields = ({ isOn, isConsoleOpen }: LanSetting) => ({ is_on: isOn, is_console_open: isConsoleOpen });
