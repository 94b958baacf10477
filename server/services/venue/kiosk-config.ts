/** The config of a kiosk, and its orders. */
import { createHash } from 'node:crypto';
import {
  KIOSK_SILENT_AFTER_MS,
  logoPath,
  type KioskConfig,
  type KioskEvent,
  type KioskHeartbeat,
  type KioskOrders,
} from '../../contract/kiosk.ts';
import type { LanguageOffer } from '../../contract/languages.ts';
import { narrowOffer } from '../../domain/companies/language-offer.ts';
import { daysUntil, eventState, facesUntil } from '../../domain/venue/event.ts';
import { findCompany } from '../../store/companies/companies.ts';
import { findCompanyEvent, findEventImage, type VenueEvent } from '../../store/venue/events.ts';
import { clearCommand, type Kiosk, recordHeartbeat } from '../../store/venue/kiosks.ts';
import { countWaitingBadges } from '../../store/tickets/badges.ts';
import { hasSources } from '../../store/tickets/sources.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Ports } from '../ports/ports.ts';
import type { MaintenanceGate } from '../maintenance/maintenance.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { endLeftRun } from './kiosk-runs.ts';
import { faceDays } from '../people/retention-settings.ts';

/** A command that no kiosk has run by then is dropped. */
export const COMMAND_LIFETIME_MS = 60_000;

type Deps = Pick<Ports, 'db' | 'clock'>;

export async function readKioskConfig({ db, clock }: Deps, kiosk: Kiosk): Promise<KioskConfig> {
  const company = await findCompany(db, kiosk.companyId);
  const event =
    kiosk.eventId === null ? undefined : await findCompanyEvent(db, kiosk.companyId, kiosk.eventId);
  const languages = await readLanguageOffer(db);
  const config = {
    kiosk_id: kiosk.id,
    name: kiosk.name,
    organiser: company?.name ?? '',
    event: event
      ? {
          ...toKioskEvent(event, languages, clock.now()),
          ...(await ticketsOf(db, event)),
        }
      : null,
    languages,
    retention_days: daysUntil(
      event ? facesUntil(event) : null,
      clock.now(),
      await faceDays(db, event?.scope.partition ?? 'live'),
    ),
  };
  return { ...config, config_version: versionOf(config) };
}

async function ticketsOf(db: SqlReader, { id, scope, faces }: VenueEvent) {
  const takesTickets = await hasSources(db, scope, id);
  return { takes_tickets: takesTickets, ticket_first: takesTickets && faces === 'ticket' };
}

const versionOf = (config: object): string =>
  createHash('sha256').update(JSON.stringify(config)).digest('base64url').slice(0, 16);

function toKioskEvent(
  event: VenueEvent,
  offer: LanguageOffer,
  now: number,
): Omit<KioskEvent, 'takes_tickets' | 'ticket_first'> {
  return {
    event_id: event.id,
    name: event.name,
    state: eventState(event, now),
    starts_at: new Date(event.startsAt).toISOString(),
    ends_at: new Date(event.endsAt).toISOString(),
    is_test: event.scope.partition === 'test',
    verification_id: event.verificationId,
    languages: narrowOffer(offer, event.languages),
    words: event.words,
    colour: event.colour,
    logo_url: event.logoId === null ? null : logoPath(event.logoId),
    picture: event.picture && { url: logoPath(event.picture.id), darkest: event.picture.darkest },
  };
}

/** The server's current orders for the kiosk, and when they change by the clock alone; null if they don't. */
export async function readOrders(
  deps: Pick<Ports, 'db' | 'clock'> & { maintenance: Pick<MaintenanceGate, 'retryAfterS'> },
  kiosk: Kiosk,
): Promise<{ orders: KioskOrders; changesAt: number | null }> {
  const now = deps.clock.now();
  const { config_version, event } = await readKioskConfig(deps, kiosk);
  const { commandId, command, commandAt } = kiosk;
  const isDue = commandAt !== null && Math.abs(now - commandAt) < COMMAND_LIFETIME_MS;
  const changes = [
    ...(event === null ? [] : [Date.parse(event.starts_at), Date.parse(event.ends_at)]),
    ...(isDue ? [commandAt + COMMAND_LIFETIME_MS] : []),
  ].filter((at) => at > now);
  return {
    orders: {
      config_version,
      command:
        commandId !== null && command !== null && isDue ? { command_id: commandId, kind: command } : null,
      badges:
        event === null
          ? 0
          : await countWaitingBadges(deps.db, kiosk.companyId, {
              kioskId: kiosk.id,
              eventId: event.event_id,
            }),
      maintenance: deps.maintenance.retryAfterS() !== null,
      server_time: new Date(now).toISOString(),
    },
    changesAt: changes.length > 0 ? Math.min(...changes) : null,
  };
}

/** Records the state of the kiosk, and returns its orders. */
export async function noteHeartbeat(
  deps: Pick<Ports, 'db' | 'clock'> & { maintenance: Pick<MaintenanceGate, 'retryAfterS'> },
  kiosk: Kiosk,
  beat: KioskHeartbeat,
): Promise<KioskOrders> {
  const at = deps.clock.now();
  const sessionId = beat.session_id ?? null;
  const handled = beat.handled_command_id ?? null;
  // Statements without a lock, because each changes the kiosk's own row alone: no guest waits for a kiosk.
  const own = { run: deps.db.write };
  await recordHeartbeat(own, kiosk.id, { screen: beat.screen, camera: beat.camera, sessionId, at });
  const isNews =
    beat.screen !== kiosk.screen ||
    beat.camera !== kiosk.camera ||
    sessionId !== kiosk.sessionId ||
    at - (kiosk.lastSeenAt ?? 0) >= KIOSK_SILENT_AFTER_MS;
  if (isNews) deps.db.announce('venue', kiosk.companyId);
  if (kiosk.sessionId !== null && kiosk.sessionId !== sessionId)
    await endLeftRun(deps, kiosk, kiosk.sessionId);
  if (handled !== null) await clearCommand(own, kiosk.id, handled);
  const isHandled = handled !== null && handled === kiosk.commandId;
  return (await readOrders(deps, isHandled ? { ...kiosk, commandId: null } : kiosk)).orders;
}

/** A WebP picture. @throws Refusal `not_found` */
export async function readLogo({ db }: Pick<Ports, 'db'>, logoId: string): Promise<Buffer> {
  const image = await findEventImage(db, logoId);
  if (!image) throw new Refusal('not_found');
  return Buffer.from(image);
}
