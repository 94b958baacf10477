/** Tickets at a kiosk: scanned before the check, which then begins, or asked for after it. */
import type {
  KioskAdmissionRequest,
  KioskTicketRequest,
  KioskTicketResponse,
  TicketDecision,
} from '../../contract/tickets.ts';
import { isSameScope } from '../../domain/scope.ts';
import { kioskActor } from '../../domain/operators/actor.ts';
import { readScannedLink } from '../../domain/runs/scanned-link.ts';
import { isWayOutGroup } from '../../domain/venue/event.ts';
import { saveTicketRun } from '../../store/tickets/entries.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { findKioskOfRun } from '../../store/venue/kiosk-runs.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';
import type { SnapshotDeps } from '../runs/sessions/session-view.ts';
import { ticketKeyOf } from '../matching/sealed-faces.ts';
import { openScanned, runningEvent, startWalkUp } from '../venue/kiosk-runs.ts';
import { notFound, Refusal } from '../../refusals/refusal.ts';
import { admitGuest, answer, type Deps, findShown } from './admit.ts';
import { ticketHasher } from './codes.ts';
import { decisionOf, judge, type Place } from './facts.ts';

async function placeOf(deps: Deps, kiosk: Kiosk): Promise<Place> {
  const { id, name, wayOut } = kiosk;
  const event = await runningEvent(deps, kiosk);
  return { event, gate: { id, name }, direction: wayOut === 1 ? 'out' : 'in', isLane: false };
}

/** Guests see it, so it has nothing that is for staff. */
const forGuests = (decision: TicketDecision): TicketDecision => ({ ...decision, note: null });

/**
 * Opens a check with the ticket, if it is good. A link of this server opens its own run.
 * @throws Refusal as `startWalkUp` and `openScanned`, `not_our_link` for such a link at an exit
 */
export async function scanAtKiosk(
  deps: SnapshotDeps,
  kiosk: Kiosk,
  { text, ticket_id: ticketId, ownOrigins }: KioskTicketRequest & { ownOrigins: readonly string[] },
): Promise<KioskTicketResponse> {
  if (text !== undefined && readScannedLink(text, ownOrigins)) {
    // Its run is to let somebody in, and would end here.
    if (kiosk.wayOut === 1) throw new Refusal('not_our_link');
    return { decision: null, opened: await openScanned(deps, kiosk, { text, ownOrigins }) };
  }
  const shown = ticketId === undefined ? { text: text ?? '' } : { ticketId };
  const place = await placeOf(deps, kiosk);
  const hash = await ticketHasher(deps);
  const { scope, faces } = place.event;
  const isSealed = faces === 'ticket';
  const looked = await deps.db.tx(async (tx) => {
    const now = deps.clock.now();
    const found = await findShown(tx, place, hash, { shown, at: now });
    // Who names the ticket has been asked who of the party is here. Where faces are sealed, each shows their own code.
    const given = { personId: null, isPartyAsked: ticketId !== undefined || isSealed, now };
    const judged = await judge(tx, place, found, given);
    return judged.admission.verdict === 'check'
      ? { decision: decisionOf(place, judged), ticket: judged.ticket }
      : { decision: await answer(tx, place, judged, now), ticket: null };
  }, scope);
  const { ticket } = looked;
  const decision = forGuests(looked.decision);
  if (ticket === null) return { decision, opened: null };
  const opened = await startWalkUp(
    deps,
    kiosk,
    (tx, sessionId) => saveTicketRun(tx, scope, { sessionId, ticketId: ticket.id }),
    isSealed && text !== undefined ? ticketKeyOf(text, ticket.id) : null,
  );
  return { decision, opened };
}

/**
 * The guest of a run passed at this kiosk.
 * @throws Refusal `not_found` for a run of another kiosk or event, `wrong_step` for a guest who has not passed
 */
export async function admitAtKiosk(
  deps: Deps,
  kiosk: Kiosk,
  { session_id: sessionId, text }: KioskAdmissionRequest,
): Promise<TicketDecision> {
  const place = await placeOf(deps, kiosk);
  const { scope } = place.event;
  const session = await findSession(deps.db, sessionId);
  if (!session || !isSameScope(session.scope, scope)) throw notFound();
  if ((await findKioskOfRun(deps.db, scope, sessionId))?.id !== kiosk.id) throw notFound();
  // The run stays what it was when it began.
  const direction = isWayOutGroup(session.request.group) ? 'out' : 'in';
  return forGuests(
    await admitGuest(deps, { ...place, direction }, { session, text, actor: kioskActor(kiosk.id) }),
  );
}
