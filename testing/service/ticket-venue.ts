/** A venue with two kiosks that sign their stills, and guests who come to it with a ticket: from the scan to the admission. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { connectPage, followRequests, helloOf, type WirePage } from '../camera/capture/exchange-client.ts';
import { serveFlow } from './flow-server.ts';
import { madeUpPerson } from './made-up-people.ts';
import { sessionOf } from './runs.ts';
import { openTestService } from './temp-service.ts';
import { kiosk as kioskRow, venueEvent } from '../store/rows.ts';
import type { CaptureRequest } from '../../server/contract/capture.ts';
import type { Faces } from '../../server/contract/console/events.ts';
import { insertEntry } from '../../server/store/tickets/entries.ts';
import { saveTicketRules } from '../../server/store/tickets/rules.ts';
import { insertSource } from '../../server/store/tickets/sources.ts';
import { findTicket } from '../../server/store/tickets/tickets.ts';
import type { SqlTx } from '../../server/store/sql/port.ts';
import { insertEvent } from '../../server/store/venue/events.ts';
import { findKiosk, insertKiosk, pairKiosk } from '../../server/store/venue/kiosks.ts';
import { giveConsent } from '../../server/services/runs/flow.ts';
import { startWalkUp } from '../../server/services/venue/kiosk-runs.ts';
import { admitAtKiosk, scanAtKiosk } from '../../server/services/tickets/kiosk-tickets.ts';
import { signedTextOf } from '../../server/services/capture/kiosk-signature.ts';

const HOUR_MS = 3_600_000;
export const CODE = 'ADA-1';

/** Faces of three people; the last is as close to the first as a near miss. */
export const faceAt = (...values: number[]) =>
  Float32Array.of(...values, ...Array<number>(8 - values.length).fill(0));
export const ADA = faceAt(1);
export const BOB = faceAt(0, 1);
export const NEARLY_ADA = faceAt(0.49, 0, Math.sqrt(1 - 0.49 ** 2));

export async function openVenue({
  fastLane = true,
  hasKey = true,
  faces = 'organiser',
  remembersFaces = false,
}: { fastLane?: boolean; hasKey?: boolean; faces?: Faces; remembersFaces?: boolean } = {}) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { clock, company } = service;
  const deps = { ...service.deps, faces: { ...service.deps.faces }, remembersFaces };
  const baseUrl = await serveFlow(deps);
  const scope = service.scope('test');
  const at = clock.now();
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const event = venueEvent(scope, company.default_verification_id, 'event-1', {
    group: 'night-run',
    startsAt: at - HOUR_MS,
    endsAt: at + 48 * HOUR_MS,
    fastLane,
    faces,
  });
  const kiosks = await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertSource(tx, scope, {
      ...{ id: 's', eventId: event.id, kind: 'any', name: 'S', config: {}, state: {} },
      ...{ createdAt: at, updatedAt: at },
    });
    const rules = { reEntry: true, mostInside: null, keepDays: 30 };
    await saveTicketRules(tx, scope, { eventId: event.id, rules, at });
    return {
      front: await pairedKiosk(tx, 'front', Buffer.alloc(32, 1)),
      back: await pairedKiosk(tx, 'back', Buffer.alloc(32, 2)),
    };
  }, scope);
  async function pairedKiosk(tx: SqlTx, id: string, codeHash: Buffer) {
    await insertKiosk(tx, kioskRow(company.company_id, id, { codeHash, at, eventId: event.id }));
    await pairKiosk(tx, codeHash, { tokenHash: codeHash, publicKey: hasKey ? point : null, at });
    const kiosk = await findKiosk(tx, company.company_id, id);
    if (!kiosk) throw new Error('The kiosk was not found.');
    return kiosk;
  }
  const ticketId = async () => (await deps.db.one<{ id: string }>('SELECT id FROM tickets'))?.id ?? '';

  /** One guest from the scan to the admission. */
  async function arrive(
    face: Float32Array,
    how: {
      /** Null for none before the check. */
      code?: string | null;
      gate?: 'front' | 'back';
      /** The code that is shown after the check. */
      afterwards?: string;
      isSigned?: boolean;
      opened?: (sessionId: string) => Promise<unknown>;
      stepAsked?: () => Promise<unknown>;
    } = {},
  ) {
    const kiosk = kiosks[how.gate ?? 'front'];
    const { code = CODE } = how;
    const { decision, opened } =
      code === null
        ? { decision: null, opened: await startWalkUp(deps, kiosk) }
        : await scanAtKiosk(deps, kiosk, { text: code, ownOrigins: [] });
    if (!opened) return { decision, heard: [], asked: [], sessionId: '', last: null };
    const target = { sessionId: opened.snapshot.session_id, flowToken: opened.flow_token };
    const checked = await check(face, target, how);
    const admission = checked.isApproved
      ? await admitAtKiosk(deps, kiosk, { session_id: target.sessionId, text: how.afterwards })
      : null;
    return { decision: admission, ...checked };
  }

  /** The guest's capture in a run that a page has opened, from the consent to the verdict. */
  async function check(
    face: Float32Array,
    run: { sessionId: string; flowToken: string },
    how: {
      isSigned?: boolean;
      opened?: (sessionId: string) => Promise<unknown>;
      stepAsked?: () => Promise<unknown>;
    } = {},
  ) {
    const { sessionId } = run;
    await giveConsent(deps, await sessionOf(service, sessionId), { accepted: true });
    await how.opened?.(sessionId);
    const person = madeUpPerson(clock, face);
    deps.faces.analyse = person.analyse;
    const target = { baseUrl, ...run };
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
    return { isApproved, heard, asked, sessionId, last };
  }
  return {
    ...{ service, deps, scope, event, kiosks, arrive, check },
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
      const request = asked.get(header.request);
      if (!request) throw new Error('Nothing was asked for.');
      const sha256 = createHash('sha256').update(jpeg).digest('hex');
      const text = Buffer.from(signedTextOf(nonce, { request, seq: header.seq, sha256 }));
      const signature = sign('sha256', text, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
      page.still({ ...header, ...(nonce !== '' && { signature }) }, jpeg);
    },
  };
}
