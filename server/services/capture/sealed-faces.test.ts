/** At an event that seals faces, a face opens with its ticket's code alone, is compared one to one, and searched for nowhere. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import { onSqlite, tableNames } from '../../../testing/store/temp-store.ts';
import { refusalOf } from '../../../testing/service/temp-service.ts';
import { sessionOf, startRun } from '../../../testing/service/runs.ts';
import type { Device } from '../../contract/flow.ts';
import { insertSealedTemplate, listSealedTemplates } from '../../store/matching/templates.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findFacesLeft } from '../../store/venue/event-faces.ts';
import { openFaceIndex } from '../matching/face-index.ts';
import { openSealed, sealFace, ticketKeyIn, ticketKeyOf, tokenWithKey } from '../matching/sealed-faces.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { dueFaces, endFaces } from '../people/faces-end.ts';
import { offerContinuation, openContinuation } from '../runs/continuation.ts';
import { authoriseFlow, openSession } from '../runs/flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from '../runs/handoff.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { decideReview } from '../reviews/reviews.ts';
import { openAtHome } from '../tickets/at-home.ts';
import { admitAtKiosk, scanAtKiosk } from '../tickets/kiosk-tickets.ts';
import { readReport } from '../venue/report.ts';
import { captureTestFace } from './test-capture.ts';
import { ADA, BOB, CODE, faceAt, openVenue } from '../../../testing/service/ticket-venue.ts';

const DAY_MS = 86_400_000;
const MODEL = 'test-model';
const OTHER_FACE = { verdict: 'ask_staff', why: 'other_face' };
const venue = (more: { fastLane?: boolean; remembersFaces?: boolean } = {}) =>
  openVenue({ faces: 'ticket', ...more });

/** Tables in which a row has these bytes. */
async function tablesWith(db: SqlReader, bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tableNames(db)) {
    const rows = await db.all<Record<string, unknown>>(`SELECT * FROM "${table}"`);
    const has = (value: unknown) => value instanceof Uint8Array && Buffer.from(value).includes(bytes);
    if (rows.some((row) => Object.values(row).some(has))) found.push(table);
  }
  return found;
}

describe('a face that is sealed with its ticket', () => {
  it.each([
    ['with the fast lane', true, 'fast_lane'],
    ['without it', false, 'check'],
  ] as const)('lets its guest in again, and nobody else, %s', async (_, fastLane, how) => {
    const { arrive, leave, deps, templates } = await venue({ fastLane, remembersFaces: true });
    expect((await arrive(ADA)).decision).toMatchObject({ verdict: 'admit' });
    const sealed = await templates();
    expect(sealed).toBeGreaterThan(0);
    await leave();
    const filled = vi.spyOn(Float32Array.prototype, 'fill');
    onTestFinished(() => filled.mockRestore());
    expect((await arrive(ADA)).decision).toMatchObject({ verdict: 'admit' });
    // What was opened, and the mean that was compared.
    const zeroed = (filled.mock.contexts as Float32Array[]).filter(
      (face) => face.length === ADA.length && face.every((value) => value === 0),
    );
    expect(zeroed).toHaveLength(sealed + 1);
    expect(
      await deps.db.one(
        `SELECT CASE fast_lane WHEN 1 THEN 'fast_lane' ELSE how END AS how FROM ticket_entries ORDER BY seq DESC LIMIT 1`,
      ),
    ).toEqual({ how });
    await leave();
    expect((await arrive(BOB)).decision).toMatchObject(OTHER_FACE);
    // Nor does the stranger's face stay, nor one of a single picture.
    expect(await templates()).toBe(sealed);
    expect(await deps.db.one('SELECT COUNT(*) AS n FROM seen_faces')).toEqual({ n: 0 });
  });

  it('says nothing of another ticket: one person can hold several', async () => {
    const { arrive, deps, scope, event } = await venue();
    for (const code of ['ONE', 'TWO'])
      expect((await arrive(ADA, { code })).decision).toMatchObject({ verdict: 'admit' });
    const tickets = await deps.db.all<{ id: string; personId: string }>(
      'SELECT id, person_id AS "personId" FROM tickets ORDER BY created_at, id',
    );
    expect(new Set(tickets.map(({ personId }) => personId)).size).toBe(2);
    const pool = { ...scope, eventId: event.id };
    expect(deps.faceIndex.enrolled(pool)).toBe(0);
    const boxes = await Promise.all(
      tickets.map(({ personId }) => listSealedTemplates(deps.db, pool, MODEL, personId)),
    );
    expect(new Set(boxes.flat().map((box) => Buffer.from(box).toString('hex'))).size).toBe(
      boxes.flat().length,
    );

    const [{ id, personId } = { id: '', personId: '' }] = tickets;
    const open = (code: string, ticketId = id) =>
      openSealed(deps.db, pool, { ticketId, key: ticketKeyOf(code, ticketId) }, { personId, model: MODEL });
    const byCode = [await open('ONE'), await open('TWO')].filter((face) => face !== null);
    expect(byCode).toEqual([ADA]);
    expect(await open('THREE')).toBeNull();
    expect(await open('ONE', tickets[1]?.id)).toBeNull();
    expect(await open('TWO', tickets[1]?.id)).toBeNull();
  });

  it('is in no table in the clear, and its key in none', async () => {
    // However many pictures it is the mean of, the sum is exact.
    const face = faceAt(0.5, -0.5, 0.5, -0.5);
    const bytes = Buffer.from(face.buffer);
    for (const faces of ['event', 'ticket'] as const) {
      const { arrive, deps, leave } = await openVenue({ faces });
      await arrive(face);
      await leave();
      await arrive(face);
      // PostgreSQL gets each face encrypted; the file of SQLite is encrypted as a whole.
      const clear = faces === 'event' && onSqlite ? ['templates'] : [];
      expect(await tablesWith(deps.db, bytes)).toEqual(clear);
      const { id = '' } = (await deps.db.one<{ id: string }>('SELECT id FROM tickets')) ?? {};
      expect(await tablesWith(deps.db, ticketKeyOf(CODE, id))).toEqual([]);
      expect(await deps.db.one('SELECT code FROM tickets')).toEqual({ code: null });
    }
  });

  it('at two gates at once belongs to the guest who is in first', async () => {
    const { arrive } = await venue();
    let first: unknown;
    const second = await arrive(BOB, {
      opened: async () => (first = (await arrive(ADA, { gate: 'back' })).decision),
    });
    expect([first, second.decision]).toMatchObject([{ verdict: 'admit' }, OTHER_FACE]);
  });

  it('is gone with its guest’s erasure, and the ticket is free for another face', async () => {
    const { arrive, leave, ticket, templates, deps, scope } = await venue();
    await arrive(ADA);
    await leave();
    await eraseOnePerson(deps, scope, (await ticket())?.personId ?? '', 'operator:ada');
    expect(await templates()).toBe(0);
    expect((await arrive(BOB)).decision).toMatchObject({ verdict: 'admit' });
  });

  it('ends with the event, counted in its certificate, and again after a restore', async () => {
    const { arrive, templates, deps, scope, event, service } = await venue();
    await arrive(ADA);
    const sealed = await templates();
    service.clock.advance(4 * DAY_MS);
    const { clock } = service;
    expect(await endFaces(deps.db, clock, await dueFaces(deps.db, clock.now()))).toBe(sealed);
    const [certificate] = (await readReport(deps, scope, event.id)).faces_ends;
    expect(certificate?.removed).toMatchObject({ people: 1, faces: sealed });
    await deps.db.tx(async (tx) => {
      const owner = await tx.one<{ id: string }>('SELECT id FROM people');
      const of = { personId: owner?.id ?? '', passId: 'p', model: MODEL, quality: 1, at: NOW };
      await insertSealedTemplate(tx, { ...scope, eventId: event.id }, { ...of, box: Buffer.alloc(60) });
    }, scope);
    const left = await findFacesLeft(deps.db, scope, event.id);
    expect(left?.faces).toBe(1);
    if (left) await endFaces(deps.db, clock, [left]);
    expect(await templates()).toBe(0);
  });

  it('of ten thousand tickets costs nothing at the start: none is read', async () => {
    const { deps, scope, event } = await venue();
    const { db } = deps;
    await db.tx(async (tx) => {
      const many = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)`;
      await tx.run(
        `INSERT INTO people (id, company_id, partition, metadata, created_at, last_seen_at)
         ${many} SELECT 'g' || i, CAST(? AS TEXT), CAST(? AS TEXT), '{}', 1, 1 FROM n`,
        scope.companyId,
        scope.partition,
      );
      await tx.run(
        `INSERT INTO templates (company_id, partition, event_id, person_id, pass_id, model, vector, quality, created_at)
         ${many} SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), 'g' || i, 'p', 'sealed:test-model', ?, 1, 1 FROM n`,
        scope.companyId,
        scope.partition,
        event.id,
        Buffer.from('no face at all'),
      );
    }, scope);
    // Bytes that are no face, and on PostgreSQL sealed with nothing: reading one would fail.
    const index = await openFaceIndex(db, { id: MODEL, embeddingLength: 8 });
    onTestFinished(() => index.close());
    expect(index.enrolled({ ...scope, eventId: event.id })).toBe(0);
    expect(await index.check()).toEqual([]);
  });
});

describe('at an event that seals faces', () => {
  it('a guest without a ticket passes, and nothing is kept; with one afterwards, staff decide when they come back', async () => {
    const { arrive, leave, templates } = await venue();
    const late = await arrive(ADA, { code: null, afterwards: CODE });
    expect(late.decision).toMatchObject({ verdict: 'admit' });
    expect(await templates()).toBe(0);
    await leave();
    expect((await arrive(ADA)).decision).toMatchObject(OTHER_FACE);
  });

  it('a check that goes to a reviewer keeps no face beyond its pictures; whom they let in is checked in full and for staff next time', async () => {
    const { arrive, deps, scope, kiosks, leave, templates } = await venue({ fastLane: true });
    await deps.db.tx((tx) =>
      tx.run(`UPDATE verifications SET config = '{"capture":{"trust":"review_untrusted"}}'`),
    );
    const { sessionId, asked } = await arrive(ADA, { isSigned: false });
    expect(await deps.db.one('SELECT COUNT(*) AS n FROM templates')).toEqual({ n: 0 });
    expect(await deps.db.all('SELECT vector, model, test_face FROM review_cases')).toEqual([
      { vector: null, model: null, test_face: null },
    ]);
    const { id: caseId = '' } = (await findOpenCaseOf(deps.db, scope, sessionId)) ?? {};
    const where = { companyId: scope.companyId, caseId };
    const decision = { decision: 'different_people', reason: 'Their passport', actor: 'cli' } as const;
    await decideReview(deps.db, deps.clock, where, decision);
    expect(await admitAtKiosk(deps, kiosks.front, { session_id: sessionId })).toMatchObject({
      verdict: 'admit',
    });
    await leave();
    const again = await arrive(ADA);
    expect([again.asked, again.decision, await templates()]).toMatchObject([asked, OTHER_FACE, 0]);
  });

  it('a check by the API does not take the ticket', async () => {
    const { arrive, deps, service, ticket } = await venue();
    await arrive(ADA);
    await deps.db.tx((tx) => tx.run(`UPDATE tickets SET person_id = NULL`));
    await captureTestFace(deps, await startRun(service, { external_id: CODE }), 'alice');
    expect((await ticket())?.personId).toBeNull();
  });

  it('a guest leaves by face with their ticket; a face alone, or another one, is for staff', async () => {
    const { arrive, deps, kiosks, ticket } = await venue();
    await arrive(ADA);
    kiosks.front = { ...kiosks.front, wayOut: 1 };
    for (const [face, how] of [
      [ADA, { code: null }],
      [BOB, {}],
    ] as const) {
      const { sessionId, decision } = await arrive(face, how);
      const pass = await deps.db.one('SELECT reasons FROM passes WHERE session_id = ?', sessionId);
      expect([decision, pass]).toEqual([null, { reasons: '["not_recognised"]' }]);
    }
    expect((await arrive(ADA)).decision).toMatchObject({ verdict: 'admit', direction: 'out' });
    expect((await ticket())?.personId).not.toBeNull();
  });

  it('each guest of an order shows their own code', async () => {
    const { arrive, deps, kiosks } = await venue();
    for (const code of ['ONE', 'TWO']) await arrive(ADA, { code });
    await deps.db.tx(async (tx) => {
      await tx.run('DELETE FROM ticket_entries');
      await tx.run(`UPDATE tickets SET party = 'order', person_id = NULL`);
    });
    const { decision, opened } = await scanAtKiosk(deps, kiosks.front, { text: 'ONE', ownOrigins: [] });
    expect([decision?.verdict, ticketKeyIn(opened?.flow_token ?? null)?.length]).toEqual(['check', 32]);
  });

  it('a test face is its ticket’s', async () => {
    const { deps, kiosks, service } = await venue();
    const check = async (name: string, code = CODE) => {
      const { opened } = await scanAtKiosk(deps, kiosks.front, { text: code, ownOrigins: [] });
      const id = opened?.snapshot.session_id ?? '';
      await deps.db.tx((tx) => tx.run('UPDATE sessions SET consent_at = 1 WHERE id = ?', id));
      await captureTestFace(deps, await sessionOf(service, id), name, opened?.flow_token);
      const pass = await deps.db.one<{ personId: string }>(
        'SELECT p.person_id AS "personId" FROM sessions s JOIN passes p ON p.id = s.pass_id WHERE s.id = ?',
        id,
      );
      return pass?.personId;
    };
    const alice = await check('alice');
    expect(await check('alice')).toBe(alice);
    expect(await check('bob')).not.toBe(alice);
    expect(await check('alice', 'ANOTHER')).not.toBe(alice);
  });
});

describe('a check at home, at an event that seals faces', () => {
  /** The ticket's link on a device, and its check's page, which is opened with the token that the device has kept. */
  async function linkOf({ deps, event }: Awaited<ReturnType<typeof venue>>, device: Device = 'mobile') {
    const opened = await openAtHome(deps, { event_id: event.id, code: CODE, device }, '192.0.2.1');
    const run = { sessionId: opened.session_id ?? '', flowToken: opened.flow_token ?? '' };
    const page = await openSession(deps, run.sessionId, { device }, run.flowToken);
    expect(page.flow_token).toBe(run.flowToken);
    return run;
  }
  const sessionAs = ({ deps }: Awaited<ReturnType<typeof venue>>, run: Run) =>
    authoriseFlow(deps, run.sessionId, run.flowToken);
  type Run = Awaited<ReturnType<typeof linkOf>>;
  const codeIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1));

  it('seals the face, so that the scan at the door is the fast lane for its guest, and for nobody else', async () => {
    const at = await venue({ fastLane: true });
    const run = await linkOf(at);
    expect((await at.check(ADA, run, { isSigned: false })).isApproved).toBe(true);
    expect(await at.templates()).toBeGreaterThan(0);
    expect((await at.ticket())?.personId).not.toBeNull();
    const key = ticketKeyIn(run.flowToken) ?? Buffer.alloc(0);
    expect(key).toEqual(ticketKeyOf(CODE, (await at.ticket())?.id ?? ''));
    expect(await tablesWith(at.deps.db, key)).toEqual([]);
    expect(await openAtHome(at.deps, { event_id: at.event.id, code: CODE }, '192.0.2.1')).toMatchObject({
      answer: 'checked',
    });
    expect((await at.arrive(BOB)).decision).toMatchObject(OTHER_FACE);
    expect((await at.arrive(ADA)).decision).toMatchObject({ verdict: 'admit' });
    expect(await at.deps.db.one('SELECT fast_lane AS lane FROM ticket_entries')).toEqual({ lane: 1 });
  });

  it('keeps its key when it is handed to a phone, and when that phone asks again', async () => {
    const at = await venue();
    const computer = await linkOf(at, 'desktop');
    const { url, match_code: number } = await offerHandoff(
      at.deps,
      await sessionAs(at, computer),
      computer.flowToken,
    );
    const code = codeIn(url).get('h') ?? '';
    const ask = {
      session_id: computer.sessionId,
      code,
      device: 'mobile',
      resume_key: 'r'.repeat(22),
    } as const;
    await openHandoff(at.deps, ask);
    const { flow_token: flowToken } = await openHandoff(at.deps, ask);
    await confirmNumber(at.deps, computer.sessionId, flowToken, number);
    expect((await at.check(ADA, { ...computer, flowToken }, { isSigned: false })).isApproved).toBe(true);
    expect((await at.arrive(ADA)).decision).toMatchObject({ verdict: 'admit' });
    expect((await at.arrive(BOB)).decision).not.toMatchObject({ verdict: 'admit' });
  });

  it('keeps its key in another browser; a link with another key is no link of the run', async () => {
    const at = await venue();
    const app = await linkOf(at);
    const { url } = await offerContinuation(
      { ...at.deps, baseUrl: () => 'https://gate.example' },
      await sessionAs(at, app),
      app.flowToken,
    );
    const code = codeIn(url).get('c') ?? '';
    const open = (shown: string) =>
      openContinuation(at.deps, { session_id: app.sessionId, code: shown, device: 'mobile' });
    const otherKey = tokenWithKey(code.split('.')[0] ?? '', Buffer.alloc(32, 1));
    for (const shown of [otherKey, code.split('.')[0] ?? ''])
      expect(await refusalOf(open(shown))).toBe('not_found');
    const { flow_token: flowToken } = await open(code);
    expect(ticketKeyIn(flowToken)).toEqual(ticketKeyIn(app.flowToken));
    expect((await at.check(ADA, { ...app, flowToken }, { isSigned: false })).isApproved).toBe(true);
    expect((await at.ticket())?.personId).not.toBeNull();
  });

  it('that is continued by its own address has no key: it passes, no face is kept, and the ticket stays free', async () => {
    const at = await venue();
    const { sessionId } = await linkOf(at);
    const { flow_token: flowToken } = await openSession(at.deps, sessionId, { device: 'mobile' }, null);
    expect(ticketKeyIn(flowToken)).toBeNull();
    expect((await at.check(ADA, { sessionId, flowToken }, { isSigned: false })).isApproved).toBe(true);
    expect(await at.templates()).toBe(0);
    expect((await at.ticket())?.personId).toBeNull();
    expect((await at.arrive(ADA)).decision).toMatchObject({ verdict: 'admit' });
    expect(await at.templates()).toBeGreaterThan(0);
  });

  it('with a test face is its ticket’s, with the key only', async () => {
    const at = await venue();
    for (const [hasKey, answer] of [
      [false, 'check'],
      [true, 'checked'],
    ] as const) {
      const run = await linkOf(at);
      await at.deps.db.tx((tx) => tx.run('UPDATE sessions SET consent_at = 1 WHERE id = ?', run.sessionId));
      const session = await sessionAs(at, run);
      await captureTestFace(at.deps, session, 'alice', hasKey ? run.flowToken : null);
      const again = await openAtHome(at.deps, { event_id: at.event.id, code: CODE }, '192.0.2.1');
      expect(again).toMatchObject({ answer, flow_token: null });
    }
  });
});

describe('a seal', () => {
  const seal = { ticketId: 't', key: ticketKeyOf(CODE, 't') };

  it('of the same face is another each time', () => {
    expect(sealFace(seal, 'p', ADA).equals(sealFace(seal, 'p', ADA))).toBe(false);
  });

  it('has the key of a code and a ticket, however the scanner read it', () => {
    expect(ticketKeyOf(`${CODE}\r\n`, 't')).toEqual(seal.key);
    expect(ticketKeyOf(CODE, 'u')).not.toEqual(seal.key);
  });

  it('goes with the token of its run, and every other token has none', () => {
    expect(ticketKeyIn(tokenWithKey('ft_1', seal.key))).toEqual(seal.key);
    for (const token of [null, 'ft_1', 'ft_1.', 'ft_1.AAAA']) expect(ticketKeyIn(token)).toBeNull();
  });
});
