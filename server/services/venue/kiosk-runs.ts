/** Runs at a kiosk: a walk-up for its event, or the run of a person's QR code. */
import type { OpenResponse } from '../../contract/flow.ts';
import { type ScannedLink, readScannedLink } from '../../domain/runs/scanned-link.ts';
import { configOfEvent, eventState, wayOutGroupOf } from '../../domain/venue/event.ts';
import { findCompanyEvent, type VenueEvent } from '../../store/venue/events.ts';
import { findInviteByCode } from '../../store/runs/invites.ts';
import { listHeldRuns, saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import type { Kiosk } from '../../store/venue/kiosks.ts';
import { hasSources } from '../../store/tickets/sources.ts';
import { reopenSession } from '../../store/runs/reopen.ts';
import { cancelSession, findSession, insertSession } from '../../store/runs/sessions.ts';
import { bindSession, unbindSession } from '../../store/runs/session-holders.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { findVerification, findVerificationAnywhere } from '../../store/companies/verifications.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { configOf } from '../companies/run-config.ts';
import { openSession } from '../runs/flow.ts';
import { newFlowToken, sha256 } from '../ports/ids.ts';
import { openInvite } from '../runs/invites.ts';
import { tokenWithKey } from '../matching/sealed-faces.ts';
import { newSession, SESSION_LIFETIME_MS } from '../runs/sessions/sessions.ts';
import { isChecking } from '../../domain/runs/progress.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';
import { snapshotOf, type SnapshotDeps } from '../runs/sessions/session-view.ts';
import { openVerificationLink } from '../runs/verification-link.ts';

/**
 * Creates a run with the event's verification, group and limit, opened on this kiosk; at an exit with a group of its own.
 * @param withRun writes what belongs to the run, in its transaction
 * @param ticketKey that the run's token carries; null for none
 * @throws Refusal `no_event`, `event_not_started`, `event_over`
 */
export async function startWalkUp(
  deps: SnapshotDeps,
  kiosk: Kiosk,
  withRun: (tx: SqlTx, sessionId: string) => Promise<void> = async () => undefined,
  ticketKey: Uint8Array | null = null,
): Promise<OpenResponse> {
  const now = deps.clock.now();
  const event = await runningEvent(deps, kiosk);
  const token = tokenWithKey(newFlowToken(), ticketKey);
  const opened = await deps.db.tx(async (tx) => {
    const verification = await findVerification(tx, kiosk.companyId, event.verificationId);
    if (!verification) throw new Refusal('no_event');
    // Only tickets say who is inside.
    const isWayOut = kiosk.wayOut === 1 && (await hasSources(tx, event.scope, event.id));
    const session = newSession({
      scope: event.scope,
      keyId: null,
      inviteId: null,
      verificationId: verification.id,
      request: {
        ...EMPTY_REQUEST,
        group: isWayOut ? wayOutGroupOf(event.group) : event.group,
        config: configOfEvent(verification.config, event.limit),
        autoReturn: false,
      },
      now,
    });
    // The guest before has left.
    await endRunsOf(tx, kiosk.id, now);
    await insertSession(tx, session);
    await bindSession(tx, session.scope, session.id, {
      flowTokenHash: sha256(token),
      resumeKeyHash: null,
      device: 'kiosk',
      at: now,
    });
    await saveKioskRun(tx, {
      sessionId: session.id,
      kioskId: kiosk.id,
      eventId: event.id,
      origin: 'walk_up',
      startedAt: now,
    });
    await withRun(tx, session.id);
    return { session: await findSession(tx, session.id), verification };
  }, event.scope);
  if (!opened.session) throw new Refusal('not_found');
  const { session, verification } = opened;
  return { flow_token: token, snapshot: await snapshotOf(deps, session, { verification }) };
}

/**
 * Opens the run of a scanned link on this kiosk. Only links of the kiosk's own company count, and a kiosk of a live
 * event accepts no test runs, because a test face would pass there.
 * @param ownOrigins addresses of this server
 * @throws Refusal `not_our_link`, `no_event`, `event_not_started`, `event_over`, and those of the flow's `open`
 */
export async function openScanned(
  deps: SnapshotDeps,
  kiosk: Kiosk,
  { text, ownOrigins }: { text: string; ownOrigins: readonly string[] },
): Promise<OpenResponse> {
  const link = readScannedLink(text, ownOrigins);
  if (!link) throw new Refusal('not_our_link');
  const event = await runningEvent(deps, kiosk);
  await refuseForeign(deps, event, link);
  const opened = await openLink(deps, link);
  await deps.db.tx(
    (tx) =>
      saveKioskRun(tx, {
        sessionId: opened.snapshot.session_id,
        kioskId: kiosk.id,
        eventId: event.id,
        origin: 'scan',
        startedAt: deps.clock.now(),
      }),
    event.scope,
  );
  return opened;
}

/**
 * A device that loses access keeps no run: a walk-up ends, and a guest's own link can be opened elsewhere, with the attempts that
 * are left.
 */
export async function endRunsOf(tx: SqlTx, kioskId: string, at: number): Promise<void> {
  await endRuns(tx, await listHeldRuns(tx, kioskId, at - SESSION_LIFETIME_MS), at);
}

/**
 * The kiosk no longer shows this run: its guest walked away, or the page was loaded again. A capture that is being judged still
 * gets its verdict.
 */
export async function endLeftRun(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { id, companyId }: Pick<Kiosk, 'id' | 'companyId'>,
  sessionId: string,
): Promise<void> {
  await db.tx(
    async (tx) => {
      const at = clock.now();
      const held = await listHeldRuns(tx, id, at - SESSION_LIFETIME_MS);
      const left = held.filter((run) => run.sessionId === sessionId && !isChecking(run, at));
      await endRuns(tx, left, at);
    },
    { companyId },
  );
}

async function endRuns(tx: SqlTx, held: Awaited<ReturnType<typeof listHeldRuns>>, at: number): Promise<void> {
  for (const { companyId, partition, sessionId, origin, attemptsLeft } of held) {
    const scope: Scope = { companyId, partition };
    if (origin === 'walk_up') await cancelSession(tx, scope, sessionId, at);
    else await reopenSession(tx, scope, sessionId, attemptsLeft);
  }
}

/** A kiosk is paired, so its runs count against no address. */
const AT_KIOSK = { device: 'kiosk', flowToken: null, address: null } as const;

async function openLink(deps: SnapshotDeps, link: ScannedLink): Promise<OpenResponse> {
  switch (link.kind) {
    case 'session':
      await freeForKiosk(deps, link.id);
      return openSession(
        deps,
        link.id,
        { device: 'kiosk', ...(link.directToken !== null && { t: link.directToken }) },
        null,
      );
    case 'invite':
      return openInvite(deps, link.code, AT_KIOSK);
    case 'verification':
      return openVerificationLink(deps, link.id, AT_KIOSK);
  }
}

/**
 * A phone can do nothing with a run that only a kiosk may check: it only showed that message, so its run is released.
 */
async function freeForKiosk({ db }: Pick<Ports, 'db'>, sessionId: string): Promise<void> {
  const session = await findSession(db, sessionId);
  if (!session?.flowTokenHash || session.device === 'kiosk') return;
  const verification = await findVerification(db, session.scope.companyId, session.verificationId);
  if (configOf(session, verification).captureTrust !== 'kiosk') return;
  const { scope, id, flowTokenHash } = session;
  await db.tx((tx) => unbindSession(tx, scope, id, flowTokenHash), scope);
}

/** A link of another company or the other partition is not found (decisions §1.2). */
async function refuseForeign(
  { db }: Pick<Ports, 'db'>,
  { scope }: VenueEvent,
  link: ScannedLink,
): Promise<void> {
  const found = await scopeOf(db, link);
  if (!found || !isSameScope(found, scope)) throw new Refusal('not_found');
}

async function scopeOf(db: Ports['db'], link: ScannedLink): Promise<VenueEvent['scope'] | undefined> {
  switch (link.kind) {
    case 'session':
      return (await findSession(db, link.id))?.scope;
    case 'invite':
      return (await findInviteByCode(db, sha256(link.code)))?.scope;
    case 'verification': {
      const verification = await findVerificationAnywhere(db, link.id.toLowerCase());
      return (
        verification && {
          companyId: verification.companyId,
          partition: verification.config['is_test'] === true ? 'test' : 'live',
        }
      );
    }
  }
}

/** @throws Refusal `no_event`, `event_not_started`, `event_over` */
export async function runningEvent(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  kiosk: Kiosk,
): Promise<VenueEvent> {
  const event =
    kiosk.eventId === null ? undefined : await findCompanyEvent(db, kiosk.companyId, kiosk.eventId);
  if (!event) throw new Refusal('no_event');
  const state = eventState(event, clock.now());
  if (state === 'upcoming') throw new Refusal('event_not_started');
  if (state === 'over') throw new Refusal('event_over');
  return event;
}
