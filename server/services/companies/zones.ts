/** The time zone of each company's venue, in which the console shows and takes times. */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { ConsoleError } from '../errors.ts';
import type { Ports } from '../ports.ts';

const SETTING = 'venue_zones';

/** IANA names by company; one without an entry uses that of each operator's computer. */
type VenueZones = Readonly<Record<string, string>>;

export const readVenueZones = async (db: SqlReader): Promise<VenueZones> =>
  (await readSetting<VenueZones>(db, SETTING)) ?? {};

/** Whether times can be shown in it. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '' && zone !== '';
  } catch {
    return false;
  }
}

/** @throws ConsoleError `invalid_zone` */
export async function changeVenueZone(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { companyId, zone, actor }: { companyId: string; zone: string | null; actor: Actor },
): Promise<void> {
  if (zone !== null && !isZone(zone)) throw new ConsoleError('invalid_zone');
  await db.tx((tx) => saveVenueZone(tx, { companyId, zone, actor, at: clock.now() }));
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
    partition: null,
    subject: companyId,
    details: { from: before ?? null, to: zone },
  });
}
