/** The check at home: a ticket's link, whose it becomes, and what a code that nobody knows costs. */
import { onTestFinished, expect, test } from 'vitest';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { kiosk as kioskRow, venueEvent } from '../../../testing/store/rows.ts';
import type { SourceKind, TicketState } from '../../domain/tickets/ticket.ts';
import { listPassesOf } from '../../store/passes/passes.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { findTicketOfRun } from '../../store/tickets/entries.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { findTicketByCode, insertTicket } from '../../store/tickets/tickets.ts';
import { hasRuns } from '../../store/venue/event-faces.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { insertKiosk } from '../../store/venue/kiosks.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { decideReview } from '../reviews/reviews.ts';
import { giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { pairDevice } from '../venue/kiosk-pairing.ts';
import { authoriseKiosk, pairingCodeHash } from '../venue/kiosk-tokens.ts';
import { HOME_CODES, openAtHome } from './at-home.ts';
import { ticketHasher } from './codes.ts';
import { admitAtKiosk, scanAtKiosk } from './kiosk-tickets.ts';

const HOUR_MS = 3_600_000;
const HOME = '198.51.100.7';

type Given = { kind?: SourceKind; codes?: Readonly<Record<string, TicketState>>; limit?: 'none' | 'total' };

/** An event that begins in a week. */
async function openVenue({ kind = 'list', codes = { 'ADA-1': 'valid' }, limit = 'none' }: Given = {}) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const at = clock.now();
  const times = { createdAt: at, updatedAt: at };
  const event = venueEvent(scope, company.default_verification_id, 'event-1', {
    ...{ group: 'night-run', limit: { kind: limit, max: 1 } },
    ...{ startsAt: at + 7 * 24 * HOUR_MS, endsAt: at + 8 * 24 * HOUR_MS },
  });
  const hash = await ticketHasher(deps);
  const codeHash = pairingCodeHash('GATE');
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    const source = { id: 's', eventId: event.id, kind, name: 'S', config: {}, state: {} };
    await insertSource(tx, scope, { ...source, ...times });
    for (const [code, state] of Object.entries(kind === 'any' ? {} : codes))
      await insertTicket(tx, scope, {
        ...{
          id: `t-${code}`,
          eventId: event.id,
          sourceId: 's',
          codeHash: hash(code),
          code: null,
          externalId: null,
        },
        ...{ name: null, kind: null, party: null, note: null, validFrom: event.startsAt, validUntil: null },
        ...{ state, rulesUnknown: false, ...times },
      });
    await insertKiosk(tx, kioskRow(company.company_id, 'front', { codeHash, at, eventId: event.id }));
  }, scope);
  const kiosk = await authoriseKiosk(deps.db, (await pairDevice(deps, 'GATE')).device_token);
  const open = (code: string, address = HOME, eventId = event.id) =>
    openAtHome(deps, { event_id: eventId, code }, address);
  const pass = async (sessionId: string | null, face: string) => {
    const id = sessionId ?? '';
    const session = await sessionOf(service, id);
    if (session.device === null) await openSession(deps, id, { device: 'mobile' }, null);
    if (session.consentAt === null) await giveConsent(deps, await sessionOf(service, id), { accepted: true });
    return captureTestFace(deps, await sessionOf(service, id), face);
  };
  return {
    ...{ service, deps, clock, scope, event, open, pass },
    /** From the link to the verdict. */
    checkAtHome: async (code: string, face: string) => pass((await open(code)).session_id, face),
    ticket: (code: string) => findTicketByCode(deps.db, scope, event.id, hash(code)),
    atTheGate: async (code: string, face: string) => {
      clock.advance(Math.max(0, event.startsAt + HOUR_MS - clock.now()));
      const { opened } = await scanAtKiosk(deps, kiosk, { text: code, ownOrigins: [] });
      const id = opened?.snapshot.session_id ?? '';
      const ended = await pass(id, face);
      return { ended, decision: await admitAtKiosk(deps, kiosk, { session_id: id }) };
    },
  };
}

test('who passes at home has the ticket, and enters with it a week later', async () => {
  const { checkAtHome, ticket, atTheGate, deps, scope } = await openVenue({ limit: 'total' });
  expect((await checkAtHome('ADA-1', 'alice')).result?.verified).toBe(true);
  const { personId } = (await ticket('ADA-1'))!;
  expect(personId).not.toBeNull();
  expect((await atTheGate('ADA-1', 'alice')).decision).toMatchObject({ verdict: 'admit' });
  // The check at home is no entry: neither a collision nor the event's limit.
  const passes = await listPassesOf(deps.db, scope, personId ?? '');
  expect(passes.map(({ group, reasons }) => ({ group, reasons }))).toEqual(
    expect.arrayContaining([
      { group: 'home:night-run', reasons: [] },
      { group: 'night-run', reasons: [] },
    ]),
  );
});

test('somebody else with the ticket is for staff', async () => {
  const { checkAtHome, atTheGate } = await openVenue();
  await checkAtHome('ADA-1', 'alice');
  expect((await atTheGate('ADA-1', 'bob')).decision).toMatchObject({
    verdict: 'ask_staff',
    why: 'other_face',
  });
});

test('a link that is opened again continues its check until somebody acts in it, and says later that it is done', async () => {
  const { open, pass, deps, scope } = await openVenue();
  const first = await open('ADA-1');
  expect(first).toMatchObject({ answer: 'check' });
  expect(await open('ADA-1', '198.51.100.8')).toEqual(first);
  expect(await findTicketOfRun(deps.db, scope, first.session_id ?? '')).toMatchObject({
    ticketId: 't-ADA-1',
  });
  await pass(first.session_id, 'spoof');
  const second = await open('ADA-1');
  expect(second.session_id).not.toBe(first.session_id);
  await pass(second.session_id, 'alice');
  expect(await open('ADA-1')).toEqual({ answer: 'checked', session_id: null, flow_token: null });
});

test('a ticket stays with the first who passed, and a guest gets no second one', async () => {
  const { open, pass, ticket, checkAtHome } = await openVenue({
    codes: { 'ADA-1': 'valid', 'BEN-2': 'valid' },
  });
  const { session_id: early } = await open('ADA-1');
  await pass(early, 'spoof');
  await checkAtHome('ADA-1', 'alice');
  const { personId } = (await ticket('ADA-1'))!;
  await pass(early, 'bob');
  expect((await ticket('ADA-1'))?.personId).toBe(personId);
  expect((await checkAtHome('BEN-2', 'alice')).result?.verified).toBe(false);
  expect((await ticket('BEN-2'))?.personId).toBeNull();
});

test('a check at home keeps its face where the event keeps them, and fixes what they are for', async () => {
  const { checkAtHome, event, deps, scope } = await openVenue();
  await deps.db.tx((tx) => tx.run(`UPDATE events SET faces = 'event', faces_days = 2`), scope);
  await checkAtHome('ADA-1', 'alice');
  const { pool, untilMs } = await poolOfRun(deps.db, { scope, request: { group: 'home:night-run' } });
  expect({ pool, untilMs }).toEqual({
    pool: { ...scope, eventId: event.id },
    untilMs: event.endsAt + 48 * HOUR_MS,
  });
  expect(await hasRuns(deps.db, scope, ['night-run', 'home:night-run'])).toBe(true);
});

test('a reviewer’s approval binds the ticket as well', async () => {
  const { service, checkAtHome, ticket, deps, scope } = await openVenue({
    codes: { 'ADA-1': 'valid', 'BEN-2': 'valid' },
  });
  await deps.db.tx(
    (tx) => tx.run(`UPDATE verifications SET config = '{"collision":{"action":"review"}}'`),
    scope,
  );
  await checkAtHome('ADA-1', 'alice');
  const { session_id: id } = await checkAtHome('BEN-2', 'near:alice');
  expect((await sessionOf(service, id)).state).toBe('in_review');
  const found = await findOpenCaseOf(deps.db, scope, id);
  const where = { companyId: scope.companyId, caseId: found?.id ?? '' };
  await decideReview(deps.db, deps.clock, where, {
    ...{ decision: 'different_people', reason: 'Two sisters', actor: 'cli' },
  });
  expect((await ticket('BEN-2'))?.personId).not.toBe((await ticket('ADA-1'))?.personId);
  expect((await ticket('BEN-2'))?.personId).not.toBeNull();
});

test('a run of the API whose external_id is the ticket’s code binds it', async () => {
  const { service, pass, ticket, deps } = await openVenue();
  const made = await initialize(deps, await service.caller('sk_test'), { external_id: 'ADA-1' });
  await pass(made.session_id ?? '', 'alice');
  expect((await ticket('ADA-1'))?.personId).not.toBeNull();
});

test.each([
  ['unpaid', 'unpaid'],
  ['revoked', 'not_valid'],
] as const)('a ticket that is %s opens no check', async (state, answer) => {
  const { open, deps } = await openVenue({ codes: { 'ADA-1': state } });
  expect(await open('ADA-1')).toEqual({ answer, session_id: null, flow_token: null });
  expect(await deps.db.all('SELECT id FROM sessions')).toEqual([]);
});

test('after the event nothing is checked any more', async () => {
  const { open, clock, event } = await openVenue();
  clock.advance(event.endsAt - clock.now());
  expect((await open('ADA-1')).answer).toBe('over');
});

test('where only kiosks are trusted, the check is at the door', async () => {
  const { open, deps, scope } = await openVenue();
  await deps.db.tx(
    (tx) => tx.run(`UPDATE verifications SET config = '{"capture":{"trust":"kiosk"}}'`),
    scope,
  );
  expect(await open('ADA-1')).toEqual({ answer: 'at_door', session_id: null, flow_token: null });
});

test('an event that nobody knows is a code that nobody knows, and both count against the address', async () => {
  const { open } = await openVenue();
  const unknown = { answer: 'unknown', session_id: null, flow_token: null };
  expect(await open('EVE-9')).toEqual(unknown);
  expect(await open('ADA-1', HOME, 'no-such-event')).toEqual(unknown);
  for (let tried = 2; tried < HOME_CODES.limit; tried += 1) await open('ADA-1', HOME, 'no-such-event');
  expect(await refusalOf(open('ADA-1'))).toBe('too_many_sessions');
  expect((await open('ADA-1', '203.0.113.9')).answer).toBe('check');
});

test('a source of any code takes codes that lead to a check, and forgets those that led to nothing', async () => {
  const { open, ticket, checkAtHome, clock } = await openVenue({ kind: 'any' });
  await open('GUESS-1');
  await checkAtHome('ADA-1', 'alice');
  expect(await ticket('GUESS-1')).toBeDefined();
  clock.advance(2 * HOUR_MS);
  await open('GUESS-2');
  expect(await ticket('GUESS-1')).toBeUndefined();
  expect((await ticket('ADA-1'))?.personId).not.toBeNull();
});
