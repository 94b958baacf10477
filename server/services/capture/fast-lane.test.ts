/** A guest who comes back with their ticket passes a shorter check at a paired kiosk, where the event allows it. */
import { expect, test } from 'vitest';
import { listEntries } from '../../store/tickets/entries.ts';
import { listRunEvents } from '../../store/runs/run-events.ts';
import { ADA, BOB, NEARLY_ADA, openVenue } from '../../../testing/service/ticket-venue.ts';

const FAST = ['tint', 'tint', 'step'];
const FULL = ['tint', 'tint', 'tint', 'tint', 'step', 'step'];

test('a guest who comes back with their ticket needs two tints and one step, and every record says so', async () => {
  const { arrive, leave, deps, scope, event, templates } = await openVenue();
  const first = await arrive(ADA);
  expect(first).toMatchObject({ asked: FULL, decision: { verdict: 'admit' } });
  const views = await templates();
  await leave();
  const again = await arrive(ADA);
  expect(again).toMatchObject({ asked: FAST, decision: { verdict: 'admit' } });
  const entries = await listEntries(deps.db, scope, { eventId: event.id, limit: 9 });
  expect(entries.map(({ how }) => how)).toEqual(['fast_lane', 'check', 'check']);
  expect(entries[0]?.personId).toBe(entries[2]?.personId);
  const attempts = (await listRunEvents(deps.db, scope, again.sessionId)).filter(
    ({ kind }) => kind === 'attempt',
  );
  expect(attempts).toMatchObject([
    { details: { passed: true, capture: { trusted: true, fast_lane: true } } },
  ]);
  const audited = await deps.db.all<{ details: string }>(
    `SELECT details FROM audit_entries WHERE action IN ('run.settle', 'run.skip') ORDER BY seq`,
  );
  expect(audited.map(({ details }) => details.includes('fast_lane'))).toEqual([false, true]);
  // A short check adds no view of the face.
  expect(await templates()).toBe(views);
});

test('the page learns nothing of the claim', async () => {
  const { arrive, leave, ticket } = await openVenue();
  await arrive(ADA);
  await leave();
  const { heard } = await arrive(ADA);
  const { personId } = (await ticket()) ?? {};
  expect(personId).toBeTruthy();
  expect(JSON.stringify(heard.filter(({ type }) => type !== 'verdict'))).not.toMatch(/claim|fast|person/);
  expect(JSON.stringify(heard)).not.toContain(personId);
});

test('a stranger with the ticket gets the full check, and then the other face', async () => {
  const { arrive, leave } = await openVenue();
  await arrive(ADA);
  await leave();
  const { asked, decision } = await arrive(BOB);
  expect(asked.filter((ask) => ask === 'tint')).toHaveLength(4);
  expect(asked.filter((ask) => ask === 'step').length).toBeGreaterThanOrEqual(2);
  expect(decision).toMatchObject({ verdict: 'ask_staff', why: 'other_face' });
});

test('a near miss gets the full check', async () => {
  const { arrive, leave } = await openVenue();
  await arrive(ADA);
  await leave();
  expect((await arrive(NEARLY_ADA)).asked.filter((ask) => ask === 'tint')).toHaveLength(4);
});

test.each([
  ['where the event has no fast lane', { fastLane: false }],
  ['at a kiosk without a key', { hasKey: false }],
])('the full check follows %s', async (_, venue) => {
  const { arrive, leave } = await openVenue(venue);
  await arrive(ADA);
  await leave();
  expect((await arrive(ADA)).asked).toEqual(FULL);
});

test('after a failed attempt the same guest gets the full check', async () => {
  const { arrive, leave, change } = await openVenue();
  await arrive(ADA);
  await leave();
  const { asked } = await arrive(ADA, {
    opened: (id) => change('UPDATE sessions SET attempts_left = attempts_left - 1 WHERE id = ?', id),
  });
  expect(asked).toEqual(FULL);
});

test('a shorter check whose stills the kiosk did not sign lets nobody in', async () => {
  const { arrive, leave } = await openVenue();
  await arrive(ADA);
  await leave();
  const { last, asked } = await arrive(ADA, { isSigned: false });
  expect(asked).toEqual(FAST);
  expect(last).toMatchObject({ type: 'verdict', snapshot: { result: { verified: false } } });
});

test('a guest who is erased meanwhile begins again, with the full check', async () => {
  const { arrive, leave, change } = await openVenue();
  await arrive(ADA);
  await leave();
  const { last } = await arrive(ADA, {
    stepAsked: () => change('UPDATE tickets SET person_id = NULL'),
  });
  expect(last).toMatchObject({ type: 'again' });
  expect((await arrive(ADA)).asked).toEqual(FULL);
});
