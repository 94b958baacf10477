/** Hosts that webhooks may go to even if they are private or plain http: the operator's list. */
import type { Actor } from '../../domain/operators/actor.ts';
import { isAllowListHost, normaliseHost } from '../../domain/webhooks/destination.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';
import { Refusal } from '../../refusals/refusal.ts';

const SETTING = 'webhook_allow_hosts';

/** Hosts allowed in the console's settings, in addition to the environment. */
export async function readAllowHosts(db: SqlReader): Promise<string[]> {
  return (await readSetting<string[]>(db, SETTING)) ?? [];
}

/** Read at every use, so that a change applies immediately in every process. */
export async function allowHostsNow(db: SqlReader, fromEnv: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set([...fromEnv, ...(await readAllowHosts(db))]);
}

/**
 * Replaces the console's list. Returns it as stored.
 * @throws Refusal `invalid_allow_host`, `changed_meanwhile`
 */
export async function saveAllowHosts(
  db: Database,
  clock: Clock,
  request: { hosts: readonly string[]; version?: string | undefined; actor: Actor },
): Promise<string[]> {
  const wrong = request.hosts.find((host) => !isAllowListHost(host.trim()));
  if (wrong !== undefined) {
    throw new Refusal('invalid_allow_host', {
      message: `"${wrong}" is no host. Give a name or an address, without scheme, port or path.`,
      args: { host: wrong },
    });
  }
  const sent = { hosts: [...new Set(request.hosts.map((host) => normaliseHost(host.trim())))].sort() };
  return db.tx(async (tx) => {
    const current = { hosts: await readAllowHosts(tx) };
    const log: ChangeLog = { subject: SETTING, actions: ['webhook_allow_hosts.save'] };
    const merged = await mergeChange(tx, { version: request.version, current, sent, log });
    const { hosts } = { ...current, ...merged };
    await writeSetting(tx, SETTING, hosts);
    await appendAudit(tx, {
      at: clock.now(),
      actor: request.actor,
      action: 'webhook_allow_hosts.save',
      subject: SETTING,
      details: { hosts },
    });
    return hosts;
  });
}
