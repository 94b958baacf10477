/** The console's sessions on a real database: search, timeline, and operators' actions. */
import { describe, expect, it } from 'vitest';
import type { SessionQuery } from '../../contract/console/sessions.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { findExternalIdOwner } from '../../store/people/people.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { createRun, listen, runConnected, reportedEvents } from '../../../testing/service/connect-runs.ts';
import { NO_SKIP, passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { CONSENT_VERSIONS } from '../../contract/consent-texts.ts';
import { giveConsent, openSession } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { overrideSession, setSessionLock } from './actions.ts';
import { attemptFactsOf, readSessionDetail } from './detail.ts';
import { exportSessions, listSessionItems } from './list.ts';
import { cancelStuckSession, reopenStuckSession } from '../runs/stuck-sessions.ts';
import { operatorActor } from '../../domain/operators/actor.ts';
import { createOperator } from '../operators/operators.ts';
import { readPersonHistory } from '../people/profile.ts';
import { readCall } from '../webhooks/manage.ts';
import { rerunCall, sendTestEvent } from '../webhooks/rerun.ts';

const ACT = { reason: 'seen at the door', actor: 'operator:1' } as const;

const list = async ({ deps, scope }: TestService, query: SessionQuery = {}) =>
  (await listSessionItems(deps, scope('test'), query, 'admin')).items;
const ids = async (service: TestService, query: SessionQuery) =>
  (await list(service, query)).map(({ session_id }) => session_id);
const detail = ({ deps, scope }: TestService, id: string, role: 'staff' | 'reviewer' | 'admin' = 'admin') =>
  readSessionDetail(deps, scope('test'), id, role);
const kinds = async (service: TestService, id: string) =>
  (await detail(service, id)).timeline.map(({ kind }) => kind);

describe('an explained score', () => {
  it('is that of the last attempt that was measured, in its own partition', async () => {
    const service = await openTestService();
    const { deps, scope, clock } = service;
    const { session_id: id } = await run(service, 'alice', NO_SKIP);
    expect((await detail(service, id)).pass?.score_parts).toBeNull();
    const early = { spoof: 40, quality: 9, nearness: 1, desktop: 5 };
    const late = { spoof: 3, quality: 2, nearness: 0.5 };
    await deps.db.tx(async (tx) => {
      for (const details of [
        { passed: false, findings: ['spoof'], score_parts: early },
        { passed: true, findings: [], score_parts: late },
        { passed: true, findings: [] },
      ]) {
        await insertRunEvent(tx, scope('test'), id, { at: clock.now(), kind: 'attempt', details });
      }
    });
    const { pass } = await detail(service, id);
    expect(pass?.score_parts).toEqual({ ...late, desktop: 0, unsigned: 0, camera: 0 });
    expect(await attemptFactsOf(deps.db, scope('live'), id)).toEqual({ scoreParts: null, isSigned: null });
  });
});

describe('the list', () => {
  it('names a verification by its owner’s ID, else its origin, and else tells when it was made', async () => {
    const service = await openTestService();
    const { deps, company } = service;
    await run(service, 'alice', { external_id: 'a', ...NO_SKIP });
    const label = async () => (await list(service))[0]?.verification;
    const unnamed = await label();
    expect(unnamed).toMatchObject({ label: null, is_default: true });
    expect(Date.parse(unnamed?.created_at ?? '')).toBeGreaterThan(0);
    const name = (column: string, value: string) =>
      deps.db.tx((tx) =>
        tx.run(`UPDATE verifications SET ${column} = ? WHERE company_id = ?`, value, company.company_id),
      );
    await name('origin', 'https://tickets.example');
    expect((await label())?.label).toBe('https://tickets.example');
    await name('external_id', 'north-gate');
    expect((await label())?.label).toBe('north-gate');
  });

  it('finds sessions by a name of their person, and for reviewers by a metadata value, in the scope alone', async () => {
    const service = await openTestService();
    const metadata = { name: 'Ada Lovelace', ticket: 'VIP-0042' };
    const { session_id: id } = await run(service, 'alice', { external_id: 'a', metadata, ...NO_SKIP });
    await run(service, 'bob', { external_id: 'b', metadata: { name: 'Ben Okafor' }, ...NO_SKIP });
    for (const q of ['lovelace', 'ADA LOVE', 'vip-0042', 'vip-'])
      expect(await ids(service, { q })).toEqual([id]);
    expect(await ids(service, { q: 'ada okafor' })).toEqual([]);
    const found = async (q: string) =>
      (await listSessionItems(service.deps, service.scope('test'), { q }, 'staff')).items.length;
    expect([await found('lovelace'), await found('vip-0042')]).toEqual([1, 0]);
    const { items } = await listSessionItems(service.deps, service.scope('live'), { q: 'lovelace' }, 'admin');
    expect(items).toEqual([]);
  });

  it('can be exported as CSV with its filters, masked by role, which the audit log records without the search', async () => {
    const service = await openTestService();
    await run(service, 'alice', { external_id: '=a,1', email: 'ada@example.com', ...NO_SKIP });
    await run(service, 'bob', { external_id: 'b', ...NO_SKIP });
    const { deps, scope } = service;
    const by = { actor: 'operator:1', role: 'staff', language: 'en' } as const;
    const lines: string[] = [];
    const query = { q: '=a,1', company_id: 'c', partition: 'test' };
    for await (const line of await exportSessions(deps, scope('test'), query, by)) lines.push(line);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(
      '\uFEFFSession,Result,status,API,Verification,verification_id,External ID,Who,Group,Started,Ended\r\n',
    );
    expect(lines[1]).toContain(',Passed,approved,v3,Default verification,');
    expect(lines[1]).not.toContain('ada@example.com');
    expect(lines[1]).not.toMatch(/,=a/);
    const [entry] = await listAuditEntries(deps.db, { action: 'session.export' }, null, 1);
    expect(entry?.details).toBe('{"filters":["q"]}');
    expect(await refusalOf(exportSessions(deps, scope('test'), { from: 'yesterday' }, by))).toBe(
      'invalid_time',
    );
  });

  it('gives every outcome its own status, and finds each by it', async () => {
    const service = await openTestService();
    const approved = await run(service, 'alice', { external_id: 'a-1', ...NO_SKIP });
    const denied = await run(service, 'alice', { external_id: 'a-2', ...NO_SKIP });
    const open = await startRun(service);
    await setSessionLock(service.deps, service.scope('test'), approved.session_id, { ...ACT, locked: true });
    expect(await ids(service, { status: 'locked' })).toEqual([approved.session_id]);
    expect(await ids(service, { status: 'approved' })).toEqual([]);
    expect(await ids(service, { status: 'denied' })).toEqual([denied.session_id]);
    expect(await ids(service, { status: 'open' })).toEqual([open.id]);
    service.clock.advance(25 * 3_600_000);
    expect(await ids(service, { status: 'open' })).toEqual([]);
    expect(await ids(service, { status: 'expired' })).toEqual([open.id]);
  });

  it('says who let a guest in and why, in the list, the detail, the CSV and the person’s history', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const request = { name: 'Ana', role: 'admin', origin: 'cli', actor: 'cli' } as const;
    const { operator } = await createOperator(deps, request);
    const ana = operatorActor(operator.operator_id);
    const first = await run(service, 'alice', { external_id: 'a-1', ...NO_SKIP });
    service.clock.advance(1_000);
    const denied = await run(service, 'alice', { external_id: 'a-2', ...NO_SKIP });
    const letIn = { by: 'Ana', reason: 'came back from smoking' };
    for (const [actor, decision, reason] of [
      ['cli', 'approve', 'too early'],
      ['cli', 'deny', 'a mistake'],
      [ana, 'approve', letIn.reason],
    ] as const)
      await overrideSession(deps, scope('test'), denied.session_id, { decision, reason, actor });
    const [newest, oldest] = await list(service);
    expect([newest?.status, newest?.let_in, oldest?.let_in]).toEqual(['flagged', letIn, null]);
    expect((await detail(service, denied.session_id, 'staff')).let_in).toEqual(letIn);
    const { personId } = await passOf(service, first);
    const history = await readPersonHistory(deps.db, scope('test'), personId ?? '', {});
    expect(history.items.map(({ let_in }) => let_in)).toEqual([letIn, null]);
    const by = { actor: ana, role: 'staff', language: 'en' } as const;
    const lines: string[] = [];
    for await (const line of await exportSessions(deps, scope('test'), {}, by)) lines.push(line);
    expect(lines[1]).toContain(',Let in by Ana: came back from smoking,flagged,');
  });

  it('finds a session by its id, its pass, an external id or its beginning, and an email', async () => {
    const service = await openTestService();
    const ana = await run(service, 'ana', { external_id: 'guest-77', email: 'Ana@Example.com' });
    await run(service, 'ben', { external_id: 'staff-1' });
    const pass = await passOf(service, ana);
    for (const q of [ana.session_id, pass.id, 'guest-77', 'gue', 'ana@example.com']) {
      expect(await ids(service, { q })).toEqual([ana.session_id]);
    }
    expect(await ids(service, { q: 'gu' })).toEqual([]);
  });

  it('combines filters, and pages without gaps', async () => {
    const service = await openTestService();
    for (const face of ['a', 'b', 'c']) {
      await run(service, face, { external_id: `id-${face}`, group: 'day-1' });
      service.clock.advance(1_000);
    }
    await run(service, 'd', { external_id: 'id-d', group: 'day-2' });
    const { deps, scope } = service;
    const filter: SessionQuery = { group: 'day-1', status: 'approved', generation: 'v3', limit: 2 };
    const first = await listSessionItems(deps, scope('test'), filter, 'admin');
    const rest = await listSessionItems(
      deps,
      scope('test'),
      { ...filter, cursor: first.next_cursor ?? '' },
      'admin',
    );
    expect([...first.items, ...rest.items].map((item) => item.external_id)).toEqual(['id-c', 'id-b', 'id-a']);
    expect(rest.next_cursor).toBeNull();
    expect((await listSessionItems(deps, scope('live'), {}, 'admin')).items).toEqual([]);
  });

  it('masks credentials for staff', async () => {
    const service = await openTestService();
    const ana = await run(service, 'ana', { email: 'ana@example.com' });
    const shown = async (role: 'staff' | 'reviewer') =>
      (await detail(service, ana.session_id, role)).identity?.identifier;
    expect(await shown('staff')).toBe('a•••@example.com');
    expect(await shown('reviewer')).toBe('ana@example.com');
  });
});

describe('the consent of a session', () => {
  it.each([
    ['of a replaced version', 'hosted-2026-11-22.2', 'fr', /visiteurs précédents/],
    ['of the current version', CONSENT_VERSIONS.hosted, 'fr', /invités précédents/],
    ['in the language that was shown', CONSENT_VERSIONS.kiosk, 'de', /früherer Gäste/],
  ])('shows the text that the guest read, %s', async (_, version, language, sentence) => {
    const service = await openTestService();
    const { session_id: id } = await run(service, 'ana', {});
    await service.deps.db.tx((tx) =>
      tx.run(
        'UPDATE sessions SET consent_version = ?, consent_language = ? WHERE id = ?',
        version,
        language,
        id,
      ),
    );
    const { consent } = await detail(service, id);
    expect(consent).toMatchObject({ version, language });
    expect(consent?.text?.join(' ')).toMatch(sentence);
  });

  it('shows no text for a version that the server does not know', async () => {
    const service = await openTestService();
    const { session_id: id } = await run(service, 'ana', {});
    expect((await detail(service, id)).consent).toMatchObject({ version: '1', text: null });
  });
});

describe('the timeline of a session', () => {
  it('lists consent, attempts with their findings, the verdict and the reads', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
    await openSession(deps, id ?? '', { device: 'mobile' }, null);
    const session = await sessionOf(service, id ?? '');
    await giveConsent(deps, session, { accepted: true, text_version: '3', language: 'fr' });
    await captureTestFace(deps, await sessionOf(service, session.id), 'blurred');
    service.clock.advance(1_000);
    await captureTestFace(deps, await sessionOf(service, session.id), 'ana');
    const { timeline } = await detail(service, session.id);
    expect(timeline.map(({ kind }) => kind)).toEqual([
      'created',
      'opened',
      'consent',
      'attempt_failed',
      'attempt_passed',
      'settled',
    ]);
    expect(timeline[2]?.details).toEqual({
      ...{ version: '3', language: 'fr', device: 'mobile', retention_days: 30 },
    });
    expect(timeline[3]?.details['findings']).toEqual(['blurred']);
  });

  it('leads to the webhook calls of the run, and a call, also one that is sent again, back to the run', async () => {
    const service = await openTestService();
    await listen(service);
    const { session_id: id } = await runConnected(service, 'ana', { external_id: 'u1' });
    const { timeline, settled_at } = await detail(service, id);
    expect(timeline.slice(-2).map(({ kind }) => kind)).toEqual(['settled', 'webhook']);
    const call = timeline.find(({ kind }) => kind === 'webhook')?.details;
    expect(call).toMatchObject({
      type: 'USER_VERIFICATION_COMPLETED',
      status: 'PENDING',
      destination: 'https://receiver.example',
      next_attempt_at: settled_at,
      http_status: null,
    });
    const owner = { scope: service.scope('test'), lineageId: String(call?.['lineage_id']) };
    const sent = String(call?.['transaction_id']);
    const session = { session_id: id, settled_at };
    expect(await readCall(service.deps.db, owner, sent)).toMatchObject({ call: { user: 'u1' }, session });
    const again = await rerunCall(service.deps, owner, sent, 'operator:ada');
    expect(await readCall(service.deps.db, owner, again.transaction_id)).toMatchObject({ session });
    const test = await sendTestEvent(service.deps, owner, 'USER_VERIFICATION_COMPLETED', 'operator:ada');
    expect(await readCall(service.deps.db, owner, test)).toMatchObject({ session: null });
  });

  it('tells only admins where a result was sent, and others whether it arrived', async () => {
    const service = await openTestService();
    await listen(service);
    const { session_id: id } = await runConnected(service, 'ana', { external_id: 'u1' });
    for (const role of ['staff', 'reviewer'] as const) {
      const { timeline } = await detail(service, id, role);
      const details = timeline.find(({ kind }) => kind === 'webhook')?.details;
      expect(details).toMatchObject({ type: 'USER_VERIFICATION_COMPLETED', status: 'PENDING' });
      for (const hidden of ['destination', 'lineage_id', 'transaction_id'])
        expect(details).not.toHaveProperty(hidden);
      expect(JSON.stringify(timeline)).not.toContain('receiver.example');
    }
  });

  it('says that an earlier pass applies to a session that skipped the check', async () => {
    const service = await openTestService();
    await run(service, 'ana', { external_id: 'x' });
    const again = await run(service, 'ana', { external_id: 'x' });
    expect((await detail(service, again.session_id)).pass?.is_own).toBe(false);
    expect(await kinds(service, again.session_id)).toContain('skipped');
  });
});

describe('force closing', () => {
  it('releases a session from its device: the next one begins from the start', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
    await openSession(deps, id ?? '', { device: 'mobile' }, null);
    await giveConsent(deps, await sessionOf(service, id ?? ''), { accepted: true });
    await captureTestFace(deps, await sessionOf(service, id ?? ''), 'blurred');
    expect(await refusalOf(openSession(deps, id ?? '', { device: 'kiosk' }, null))).toBe('session_claimed');
    await reopenStuckSession(deps, scope('test'), id ?? '', ACT);
    const { snapshot } = await openSession(deps, id ?? '', { device: 'kiosk' }, null);
    expect(snapshot).toMatchObject({ step: 'consent', attempts_left: 3, findings: [] });
    expect(await kinds(service, id ?? '')).toContain('reopened');
  });

  it('ends a run, tells its integration, and is recorded', async () => {
    const service = await openTestService();
    await listen(service);
    const { deps, scope } = service;
    const { id } = await createRun(service, { external_id: 'u1' });
    await cancelStuckSession(deps, scope('test'), id, ACT);
    expect((await detail(service, id)).status).toBe('cancelled');
    expect(await reportedEvents(service)).toEqual([['USER_VERIFICATION_DETERMINED_UNFULFILLABLE', 'u1']]);
    const [entry] = await listAuditEntries(deps.db, { subjects: [id] }, null, 1);
    expect(entry).toMatchObject({ action: 'session.cancel', actor: 'operator:1' });
    expect(await refusalOf(cancelStuckSession(deps, scope('test'), id, ACT))).toBe('session_not_open');
    expect(await refusalOf(cancelStuckSession(deps, scope('live'), id, ACT))).toBe('not_found');
  });
});

describe('locking', () => {
  it('locks and unlocks all of the person’s passes on the verification', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    const first = await run(service, 'ana', { external_id: 'x', group: 'a', ...NO_SKIP });
    const second = await run(service, 'ana', { external_id: 'x', group: 'b', ...NO_SKIP });
    await setSessionLock(deps, scope('test'), first.session_id, { ...ACT, locked: true });
    expect((await detail(service, second.session_id)).status).toBe('locked');
    expect(await kinds(service, second.session_id)).toContain('locked');
    await setSessionLock(deps, scope('test'), second.session_id, { ...ACT, locked: false });
    expect((await detail(service, first.session_id)).status).toBe('approved');
    const again = setSessionLock(deps, scope('test'), first.session_id, { ...ACT, locked: false });
    expect(await refusalOf(again)).toBe('pass_not_locked');
  });
});

describe('overriding', () => {
  it('denies an approved run with the reason manual_override, and tells v2 so', async () => {
    const service = await openTestService();
    await listen(service);
    const { deps, scope } = service;
    const snapshot = await runConnected(service, 'ana', { external_id: 'u1' });
    await overrideSession(deps, scope('test'), snapshot.session_id, { ...ACT, decision: 'deny' });
    expect(await passOf(service, snapshot)).toMatchObject({ status: 'denied', reasons: ['manual_override'] });
    expect((await reportedEvents(service)).at(-1)).toEqual(['USER_VERIFICATION_DENIED', 'u1']);
    const timeline = (await detail(service, snapshot.session_id)).timeline;
    expect(timeline.find(({ kind }) => kind === 'settled')?.details).toMatchObject({ status: 'approved' });
    expect(timeline.find(({ kind }) => kind === 'overridden')).toMatchObject({
      reason: ACT.reason,
      details: { decision: 'deny' },
    });
  });

  it('approves a denied run: its account becomes the person’s, and the findings are removed', async () => {
    const service = await openTestService();
    const { deps, scope } = service;
    await run(service, 'ana', { external_id: 'one', ...NO_SKIP });
    const denied = await run(service, 'ana', { external_id: 'two', ...NO_SKIP });
    expect((await passOf(service, denied)).status).toBe('denied');
    await overrideSession(deps, scope('test'), denied.session_id, { ...ACT, decision: 'approve' });
    const pass = await passOf(service, denied);
    expect(pass).toMatchObject({ status: 'approved', reasons: ['manual_override'], groups: [] });
    const owner = await findExternalIdOwner(deps.db, scope('test'), 'two');
    expect(owner?.personId).toBe(pass.personId);
    const again = overrideSession(deps, scope('test'), denied.session_id, { ...ACT, decision: 'approve' });
    expect(await refusalOf(again)).toBe('pass_unchanged');
  });

  it('leaves a run in review alone', async () => {
    const service = await openTestService();
    const review = { config: { collision: { action: 'review' }, skip: { window_hours: 0 } } };
    await run(service, 'ana', { external_id: 'one', ...review });
    const waiting = await run(service, 'ana', { external_id: 'two', ...review });
    expect((await detail(service, waiting.session_id)).status).toBe('in_review');
    const { deps, scope } = service;
    const work = overrideSession(deps, scope('test'), waiting.session_id, { ...ACT, decision: 'approve' });
    expect(await refusalOf(work)).toBe('session_in_review');
  });

  it.each([
    ['staff', []],
    ['reviewer', ['lock']],
    ['admin', ['lock', 'deny']],
  ] as const)('offers %s the actions that the role allows', async (role, actions) => {
    const service = await openTestService();
    const { session_id: id } = await run(service, 'ana');
    expect((await detail(service, id, role)).actions).toEqual(actions);
  });
});
