/** A guest who comes back with their ticket passes a shorter check at a paired kiosk, where the event allows it. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createHash } from 'node:crypto';
import { onTestFinished, expect, test } from 'vitest';
import {
  connectPage,
  followRequests,
  helloOf,
  type WirePage,
} from '../../../testing/camera/capture/exchange-client.ts';
import { serveFlow } from '../../../testing/service/flow-server.ts';
import { madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { kiosk as kioskRow, venueEvent } from '../../../testing/store/rows.ts';
import type { CaptureRequest } from '../../contract/capture.ts';
import { insertEntry, listEntries } from '../../store/tickets/entries.ts';
import { saveTicketRules } from '../../store/tickets/rules.ts';
import { insertSource } from '../../store/tickets/sources.ts';
import { findTicket } from '../../store/tickets/tickets.ts';
import { listRunEvents } from '../../store/runs/run-events.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { findKiosk, insertKiosk, pairKiosk } from '../../store/venue/kiosks.ts';
import { giveConsent } from '../runs/flow.ts';
import { admitAtKiosk, scanAtKiosk } from '../tickets/kiosk-tickets.ts';
import { signedTextOf } from './kiosk-signature.ts';

const HOUR_MS = 3_600_000;
const CODE = 'ADA-1';

/** Faces of three people; the last is as close to the first as a near miss. */
const faceAt = (...values: number[]) =>
  Float32Array.of(...values, ...Array<number>(8 - values.length).fill(0));
const ADA = faceAt(1);
const BOB = faceAt(0, 1);
const NEARLY_ADA = faceAt(0.49, 0, Math.sqrt(1 - 0.49 ** 2));

async function openVenue({ fastLane = true, hasKey = true } = {}) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { clock, company } = service;
  const deps = { ...service.deps, faces: { ...service.deps.faces } };
  const baseUrl = await serveFlow(deps);
  const scope = service.scope('test');
  const at = clock.now();
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const codeHash = Buffer.alloc(32, 1);
  const event = venueEvent(scope, company.default_verification_id, 'event-1', {
    group: 'night-run',
    startsAt: at - HOUR_MS,
    endsAt: at + 48 * HOUR_MS,
    fastLane,
  });
  const kiosk = await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertSource(tx, scope, {
      ...{ id: 's', eventId: event.id, kind: 'any', name: 'S', config: {}, state: {} },
      ...{ createdAt: at, updatedAt: at },
    });
    const rules = { reEntry: true, mostInside: null, keepDays: 30 };
    await saveTicketRules(tx, scope, { eventId: event.id, rules, at });
    await insertKiosk(tx, kioskRow(company.company_id, 'front', { codeHash, at, eventId: event.id }));
    await pairKiosk(tx, codeHash, { tokenHash: codeHash, publicKey: hasKey ? point : null, at });
    return findKiosk(tx, company.company_id, 'front');
  }, scope);
  if (!kiosk) throw new Error('The kiosk was not found.');
  const ticketId = async () => (await deps.db.one<{ id: string }>('SELECT id FROM tickets'))?.id ?? '';

  /** One guest from the scan to the admission. */
  async function arrive(
    face: Float32Array,
    how: {
      isSigned?: boolean;
      opened?: (sessionId: string) => Promise<unknown>;
      stepAsked?: () => Promise<unknown>;
    } = {},
  ) {
    const person = madeUpPerson(clock, face);
    deps.faces.analyse = person.analyse;
    const { decision, opened } = await scanAtKiosk(deps, kiosk!, { text: CODE, ownOrigins: [] });
    if (!opened) return { decision, heard: [], asked: [], sessionId: '', last: null };
    const sessionId = opened.snapshot.session_id;
    await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
    await how.opened?.(sessionId);
    const target = { baseUrl, sessionId, flowToken: opened.flow_token };
    const page = await connectPage(target);
    page.say(helloOf(target));
    const signed = how.isSigned === false ? page : signing(page, privateKey);
    const { heard, last } = await followRequests(signed, {
      ...person,
      async react(request) {
        if (request.step) await how.stepAsked?.();
        await person.react(request);
      },
    });
    page.drop();
    const asked = heard.flatMap((message) => (message.type === 'request' ? [message.ask] : []));
    const isApproved = last?.type === 'verdict' && last.snapshot.result?.verified === true;
    const admission = isApproved ? await admitAtKiosk(deps, kiosk!, { session_id: sessionId }) : null;
    return { decision: admission, heard, asked, sessionId, last };
  }
  return {
    ...{ service, deps, scope, event, arrive },
    ticket: async () => findTicket(deps.db, scope, await ticketId()),
    change: (sql: string, ...values: string[]) => deps.db.tx((tx) => tx.run(sql, ...values), scope),
    leave: async () => {
      clock.advance(HOUR_MS);
      const left = await ticketId();
      await deps.db.tx(
        async (tx) =>
          insertEntry(tx, scope, {
            ...{ eventId: event.id, ticketId: left, personId: null, sessionId: null },
            ...{ gate: 'front', gateName: 'Front', direction: 'out', people: 1, at: clock.now() },
            ...{ actor: 'system', how: 'check', reason: null },
          }),
        scope,
      );
    },
    templates: async () => (await deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM templates'))?.n ?? 0,
  };
}

/** As the kiosk's page signs each still. */
function signing(page: WirePage, key: KeyObject): WirePage {
  const asked = new Map<number, CaptureRequest>();
  let nonce = '';
  return {
    ...page,
    async hear() {
      const message = await page.hear();
      if (message?.type === 'welcome') nonce = message.sign_nonce ?? '';
      if (message?.type === 'request') asked.set(message.id, message);
      return message;
    },
    still(header, jpeg) {
      const request = asked.get(header.request)!;
      const sha256 = createHash('sha256').update(jpeg).digest('hex');
      const text = Buffer.from(signedTextOf(nonce, { request, seq: header.seq, sha256 }));
      const signature = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
      page.still({ ...header, ...(nonce !== '' && { signature }) }, jpeg);
    },
  };
}

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
