/** Hosts that webhooks may go to although they are private or plain http: the operator's list. */
import { isAllowListHost, normaliseHost } from '../../domain/webhook-destination.ts';
import { appendAudit } from '../../store/audit.ts';
import type { Database, SqlReader } from '../../store/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors.ts';

const SETTING = 'webhook_allow_hosts';

/** Hosts of a comma-separated list, as `GATEHOUSE_WEBHOOK_ALLOW_HOSTS` gives them; null where one is no host. */
export function parseAllowHosts(text: string | undefined): string[] | null {
  const hosts = (text ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  return hosts.every(isAllowListHost) ? hosts.map(normaliseHost) : null;
}

/** What the console's settings allow, beside the environment. */
export async function readAllowHosts(db: SqlReader): Promise<string[]> {
  return (await readSetting<string[]>(db, SETTING)) ?? [];
}

/** Read at every use, so that a change counts at once in every process. */
export async function allowHostsNow(db: SqlReader, fromEnv: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set([...fromEnv, ...(await readAllowHosts(db))]);
}

/**
 * Replaces the console's list. Returns it as it is kept.
 * @throws ServiceError `invalid_allow_host`
 */
export async function saveAllowHosts(
  db: Database,
  clock: Clock,
  request: { hosts: readonly string[]; actor: string },
): Promise<string[]> {
  const wrong = request.hosts.find((host) => !isAllowListHost(host.trim()));
  if (wrong !== undefined) {
    throw new ServiceError('invalid_allow_host', {
      extra: { reason: `"${wrong}" is no host. Give a name or an address, without scheme, port or path.` },
    });
  }
  const hosts = [...new Set(request.hosts.map((host) => normaliseHost(host.trim())))].sort();
  await db.tx(async (tx) => {
    await writeSetting(tx, SETTING, hosts);
    await appendAudit(tx, {
      at: clock.now(),
      actor: request.actor,
      action: 'webhook_allow_hosts.save',
      companyId: null,
      partition: null,
      subject: SETTING,
      details: { hosts },
    });
  });
  return hosts;
}
