/** The time zone of each company's venue, in which times without an offset are meant. */
import type { Actor } from '../../domain/operators/actor.ts';
import { isLocalTime, readTime } from '../../contract/times.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { listCompanies } from '../../store/companies/companies.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';
import type { Ports } from '../ports/ports.ts';

const SETTING = 'venue_zones';

/** IANA names by company; one without an entry uses that of each operator's computer. */
type VenueZones = Readonly<Record<string, string>>;

export const readVenueZones = async (db: SqlReader): Promise<VenueZones> =>
  (await readSetting<VenueZones>(db, SETTING)) ?? {};

/**
 * The zone of a company's venue; undefined for this machine's.
 * @param companyId null: the installation, which is where its oldest company with a zone is
 */
async function zoneOf(db: SqlReader, companyId: string | null): Promise<string | undefined> {
  const zones = await readVenueZones(db);
  if (companyId !== null) return zones[companyId];
  return (await listCompanies(db)).flatMap(({ id }) => zones[id] ?? [])[0];
}

/**
 * A time that a person or a program wrote, in epoch milliseconds. Without an offset it is the venue's.
 * @throws Refusal `invalid_time` if there is no such time
 */
export async function venueTime(db: SqlReader, companyId: string | null, text: string): Promise<number> {
  const at = readTime(text, isLocalTime(text) ? await zoneOf(db, companyId) : 'UTC');
  if (at === null) throw new Refusal('invalid_time', { args: { text } });
  return at;
}

/** Start and end of a filter. @throws Refusal `invalid_time` */
export async function venueRange(
  db: SqlReader,
  companyId: string | null,
  { from, to }: { from?: string; to?: string },
): Promise<{ fromMs?: number; toMs?: number }> {
  return {
    ...(from !== undefined && { fromMs: await venueTime(db, companyId, from) }),
    ...(to !== undefined && { toMs: await venueTime(db, companyId, to) }),
  };
}

/** Whether times can be shown in it. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '' && zone !== '';
  } catch {
    return false;
  }
}

/** @throws Refusal `invalid_zone`, `changed_meanwhile` */
export async function changeVenueZone(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  {
    companyId,
    zone,
    version,
    actor,
  }: { companyId: string; zone: string | null; version?: string | undefined; actor: Actor },
): Promise<void> {
  if (zone !== null && !isZone(zone)) throw new Refusal('invalid_zone');
  await db.tx(async (tx) => {
    const current = { zone: (await readVenueZones(tx))[companyId] ?? null };
    const log: ChangeLog = { subject: companyId, actions: ['company.zone'], companyId };
    const merged = { ...current, ...(await mergeChange(tx, { version, current, sent: { zone }, log })) };
    await saveVenueZone(tx, { companyId, zone: merged.zone, actor, at: clock.now() });
  });
}

/** In the transaction of its caller, which holds the installation's lock: all zones are one setting. */
export async function saveVenueZone(
  tx: SqlTx,
  { companyId, zone, actor, at }: { companyId: string; zone: string | null; actor: Actor; at: number },
): Promise<void> {
  const { [companyId]: before, ...others } = await readVenueZones(tx);
  await writeSetting(tx, SETTING, zone === null ? others : { ...others, [companyId]: zone });
  await appendAudit(tx, {
    at,
    actor,
    action: 'company.zone',
    companyId,
    subject: companyId,
    details: { from: before ?? null, to: zone },
  });
}
