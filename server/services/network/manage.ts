/** Where the service can be reached, on the settings page. */
import type { LanChange, LanSettings, NetworkSettings } from '../../contract/console/settings.ts';
import { isLoopbackUrl } from '../../domain/address.ts';
import type { LanState } from './service.ts';
import { saveLanSetting } from './setting.ts';
import type { Ports } from '../ports.ts';
import type { LanService } from './service.ts';
import { ConsoleError } from '../errors.ts';
import type { SignedIn } from '../operators/operator-session.ts';
import { readAllowHosts } from '../webhooks/allow-list.ts';

export async function readNetwork({
  db,
  baseUrl,
  consoleUrl,
  webhookAllowHosts,
}: Pick<Ports, 'db' | 'baseUrl' | 'consoleUrl' | 'webhookAllowHosts'>): Promise<NetworkSettings> {
  const url = baseUrl();
  return {
    base_url: url,
    console_url: consoleUrl(),
    is_loopback: isLoopbackUrl(url),
    webhook_hosts: await readAllowHosts(db),
    webhook_hosts_of_environment: [...webhookAllowHosts],
  };
}

export function lanSettings(state: LanState): LanSettings {
  const { expiresAt } = state;
  return {
    is_on: state.isOn,
    is_console_open: state.isConsoleOpen,
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
 * @throws ConsoleError `second_factor_required` if an admin without one would open the console to other machines
 */
export async function changeLan(
  { db, clock, lan }: Pick<Ports, 'db' | 'clock'> & { lan: Pick<LanService, 'state' | 'apply'> },
  { is_on, is_console_open }: LanChange,
  { actor, hasSecondFactor }: Pick<SignedIn, 'actor' | 'hasSecondFactor'>,
): Promise<LanSettings> {
  if (is_console_open && !hasSecondFactor) {
    throw new ConsoleError('second_factor_required');
  }
  await saveLanSetting(db, clock, { isOn: is_on, isConsoleOpen: is_console_open }, actor);
  return lanSettings(await lan.apply());
}
