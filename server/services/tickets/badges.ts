/** Badges and wristbands: queued with the entry, taken once by its kiosk, and printed again only if staff ask. */
import type { DoorBadge } from '../../contract/console/door-team.ts';
import type { KioskBadgeEnd, KioskBadgeResponse } from '../../contract/kiosk-badges.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { endBadge, listBadges, printBadgeAgain, takeBadge } from '../../store/tickets/badges.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { notFound } from '../../refusals/refusal.ts';
import { runningEvent } from '../venue/kiosk-runs.ts';
import { requireEvent } from '../venue/events.ts';
import { iso } from '../wire/values.ts';
import type { Deps } from './admit.ts';

/** Of the latest. Older ones are on the guests. */
const SHOWN_BADGES = 50;

/** The next badge of this kiosk. It is not given out again, whatever becomes of it. @throws Refusal as `runningEvent` */
export async function takeBadgeAtKiosk(deps: Deps, kiosk: Kiosk): Promise<KioskBadgeResponse> {
  const event = await runningEvent(deps, kiosk);
  const { badge: template, badgeWidthMm, badgeHeightMm } = event;
  if (template === null) return { badge: null };
  return deps.db.tx(async (tx) => {
    const given = { kioskId: kiosk.id, eventId: event.id, at: deps.clock.now() };
    const taken = await takeBadge(tx, event.scope, given);
    if (taken === undefined) return { badge: null };
    const { id, ...values } = taken;
    const size = { width_mm: badgeWidthMm, height_mm: badgeHeightMm };
    return { badge: { badge_id: id, template, ...size, values: { ...values, event: event.name } } };
  }, event.scope);
}

export async function endBadgeAtKiosk(
  { db, clock }: Deps,
  { id: kioskId, companyId }: Kiosk,
  { badge_id: id, failure }: KioskBadgeEnd,
): Promise<Record<string, never>> {
  await db.tx((tx) => endBadge(tx, companyId, { kioskId, id, failure, at: clock.now() }), { companyId });
  return {};
}

/** Staff ask for another one. @throws Refusal `not_found` if it waits already or its kiosk was removed */
export async function printAgain(
  { db, clock }: Deps,
  scope: Scope,
  { eventId, id, actor }: { eventId: string; id: string; actor: Actor },
): Promise<void> {
  await db.tx(async (tx) => {
    await requireEvent(tx, scope, eventId);
    const at = clock.now();
    const ticketId = await printBadgeAgain(tx, scope, { eventId, id, at });
    if (ticketId === undefined) throw notFound();
    const details = { ticket_id: ticketId };
    await appendAudit(tx, { ...scope, at, actor, subject: eventId, action: 'ticket.badge_again', details });
  }, scope);
}

export async function readBadges(db: SqlReader, scope: Scope, eventId: string): Promise<DoorBadge[]> {
  const badges = await listBadges(db, scope, { eventId, limit: SHOWN_BADGES });
  return badges.map(({ id, name, kiosk, status, why, updatedAt }) => ({
    badge_id: id,
    name,
    kiosk,
    status,
    why,
    at: iso(updatedAt),
  }));
}
