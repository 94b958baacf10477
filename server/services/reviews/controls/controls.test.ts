/** Control cases: like any other until the decision, without effect on anybody, told afterwards. */
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { madeUpFrame } from '../../../domain/capture/liveness.fixture.ts';
import { UNDO_MS, type ReviewDecisionName } from '../../../contract/console/reviews.ts';
import { shareOf } from '../../../domain/statistics.ts';
import { EVENT_PHOTO_CONSENT_VERSIONS } from '../../../contract/event-consents.ts';
import { insertOperator } from '../../../store/operators/operators.ts';
import { bindExternalId, findExternalIdOwner, insertPerson } from '../../../store/people/people.ts';
import { findPass } from '../../../store/passes/passes.ts';
import { settleFace } from '../../../../testing/service/captures.ts';
import { NOW } from '../../../../testing/store/rows.ts';
import { sessionOf } from '../../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../../testing/service/temp-service.ts';
import { readSessionDetail } from '../../passes/detail.ts';
import { setLock } from '../../passes/lock.ts';
import { eraseOnePerson } from '../../people/erasure.ts';
import { readPersonProfile } from '../../people/profile.ts';
import { initialize } from '../../runs/initialize.ts';
import { giveConsent, openSession } from '../../runs/flow.ts';
import { createEvent } from '../../venue/events.ts';
import { readReviewCase } from '../case.ts';
import { applyReviewsNow, claimReview, decideReviewLater } from '../decide.ts';
import { viewGuestPhoto } from '../guest-photo.ts';
import { readAgreement, readReviewPage } from '../queue.ts';
import { settleDueReviews } from '../due.ts';
import { decideReview } from '../reviews.ts';
import { createWebhook } from '../../webhooks/v3-webhooks.ts';
import { openDueControls } from './open.ts';
import {
  addControlPicture,
  changeControlRate,
  readControlSettings,
  removeControlPerson,
} from './settings.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const GROUP = 'gala';
const VERIFICATION = '01a1fd74-0fe9-71f1-a527-419a33965f8d';
const ADMIN = 'operator:ada';
const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

let still: Buffer;
beforeAll(async () => {
  still = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a08070' } })
    .jpeg()
    .toBuffer();
});

/** A live event that keeps photos, with one real case, and control cases one in ten with pictures of two people. */
async function opened() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const frame = { ...madeUpFrame(), width: 640, height: 480 };
  const faces = { ...service.deps.faces, analyse: async () => [frame] };
  const deps = { ...service.deps, faces };
  const scope = service.scope('live');
  for (const [id, role] of [
    ['ana', 'reviewer'],
    ['ada', 'admin'],
  ] as const) {
    await deps.db.tx((tx) =>
      insertOperator(tx, {
        ...{ id, name: id, nameKey: id, role, origin: 'cli' },
        ...{ passphraseHash: '', passphraseChangedAt: NOW, createdAt: NOW },
      }),
    );
  }
  await service.verification(VERIFICATION, {
    config: { skip: { window_hours: 0 }, collision: { action: 'review' } },
  });
  await createEvent(
    deps,
    scope,
    {
      name: 'Gala',
      group: GROUP,
      starts_at: new Date(NOW - DAY_MS).toISOString(),
      ends_at: new Date(NOW + DAY_MS).toISOString(),
      guest_photo_days: 7,
    },
    ADMIN,
  );
  let guests = 0;
  /** A check of the one face; the first passes, each further one goes to review. */
  const check = async () => {
    const caller = await service.caller('sk_live');
    guests += 1;
    const metadata = { name: `Zoe ${'abcdefghijklmnopqrstuvwxyz'.charAt(guests)}`, ticket: 'Balcony' };
    const request = { group: GROUP, verification_id: VERIFICATION, metadata };
    const made = await initialize(deps, caller, { ...request, external_id: `guest-${1000 + guests}` });
    const id = made.session_id ?? '';
    await openSession(deps, id, { device: 'mobile' }, null);
    await giveConsent(deps, await sessionOf(service, id), {
      accepted: true,
      language: 'en',
      text_version: EVENT_PHOTO_CONSENT_VERSIONS.hosted,
      photo_until: new Date(NOW + 8 * DAY_MS).toISOString(),
    });
    service.clock.advance(1_000);
    return settleFace(deps, await sessionOf(service, id), FACE, still);
  };
  const add = (name: string) => addControlPicture(deps, { name, bytes: still, keepDays: 90, actor: ADMIN });
  const rate = (oneIn: number) => changeControlRate(deps, { one_in: oneIn, reason: 'to measure' }, ADMIN);
  const controls = () =>
    deps.db.all<{ caseId: string; answer: string; personId: string; sessionId: string; pastId: string }>(
      `SELECT case_id AS "caseId", answer, person_id AS "personId", session_id AS "sessionId",
         past_session_id AS "pastId" FROM review_controls`,
    );
  /** As many real cases as make one due whatever was drawn, then the look. */
  const due = async () => {
    await openDueControls(deps);
    for (let n = 0; n < 17; n++) await check();
    // The turn that was taken back has no more than 20 cases waiting.
    return openDueControls(deps);
  };
  await check();
  const decide = async (caseId: string, decision: ReviewDecisionName, operatorId = 'ana') => {
    const call = { scope, caseId, operatorId };
    await claimReview(deps, call);
    await decideReviewLater(deps, call, { decision, reason: 'looked at it' });
  };
  const settle = async () => {
    service.clock.advance(UNDO_MS);
    await settleDueReviews(deps);
  };
  return { service, deps, scope, check, add, rate, controls, due, decide, settle };
}

/** With one control case open. */
async function withControl() {
  const venue = await opened();
  await venue.add('Kim');
  await venue.add('Kim');
  await venue.rate(10);
  expect(await venue.due()).toBe(1);
  const [control] = await venue.controls();
  if (!control) throw new Error('There is no control case.');
  return { ...venue, control };
}

const COUNTED = [
  'passes',
  'people',
  'sessions',
  'templates',
  'distinct_pairs',
  'webhook_calls',
  'usage_outcomes',
  'guest_photos',
  'case_frames',
  'review_cases',
];
async function counts({ deps }: Pick<Awaited<ReturnType<typeof opened>>, 'deps'>) {
  const of = async (table: string) =>
    (await deps.db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n;
  return Object.fromEntries(
    await Promise.all(COUNTED.map(async (table) => [table, await of(table)] as const)),
  );
}

test('off until an admin turns them on, and none without pictures', async () => {
  const { due, rate, add, deps, controls } = await opened();
  expect(await readControlSettings(deps)).toMatchObject({ one_in: 0, people: [], obstacle: 'off' });
  await add('Kim');
  expect(await due()).toBe(0);
  expect((await rate(10)).obstacle).toBe('pictures');
  expect(await openDueControls(deps)).toBe(0);
  expect(await controls()).toEqual([]);
});

test.each([1, 9, 201])('one in %i is refused', async (oneIn) => {
  const { rate } = await opened();
  expect(await refusalOf(rate(oneIn))).toBe('setting_out_of_range');
});

test('one at a time, and the next only after so many further cases', async () => {
  const { deps, controls, decide, settle, check } = await withControl();
  expect(await openDueControls(deps)).toBe(0);
  const [control] = await controls();
  await decide(control!.caseId, 'same_person');
  await settle();
  expect(await openDueControls(deps)).toBe(0);
  for (let n = 0; n < 2; n++) await check();
  expect(await openDueControls(deps)).toBe(0);
});

test('a reviewer who falls behind gets none', async () => {
  const { deps, add, rate, check } = await opened();
  await add('Kim');
  await add('Kim');
  await rate(10);
  await openDueControls(deps);
  for (let n = 0; n < 21; n++) await check();
  expect(await openDueControls(deps)).toBe(0);
});

test('before its decision nothing that a reviewer reads has other fields or other kinds of values than a real case', async () => {
  const { deps, scope, control } = await withControl();
  const page = await readReviewPage(deps, scope, 'ana', {});
  const rows = page.items.map(({ case_id: id, ...row }) => [id === control.caseId, row] as const);
  const formOf = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.length === 0
        ? []
        : [formOf(value[0])]
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, formOf(of)]))
        : typeof value === 'string'
          ? value.replaceAll(/[a-z]/gi, 'a').replaceAll(/\d/g, '0').length > 30
            ? 'text'
            : 'short'
          : typeof value;
  const real = rows.find(([isControl]) => !isControl)![1];
  const own = rows.find(([isControl]) => isControl)![1];
  expect(formOf(own)).toEqual(formOf(real));
  const realId = page.items.find(({ case_id: id }) => id !== control.caseId)!.case_id;
  const detail = await readReviewCase(deps, scope, control.caseId);
  const other = await readReviewCase(deps, scope, realId);
  expect(formOf(detail)).toEqual(formOf(other));
  expect(detail.item.external_id).toMatch(/^guest-[1-9]\d{3}$/);
  expect(detail.suspects[0]?.external_ids[0]).toMatch(/^guest-[1-9]\d{3}$/);
  expect(detail.metadata).toMatchObject({ ticket: 'Balcony' });
  expect(detail.metadata['name']).not.toMatch(/^Zoe/);
  const session = async (id: string) => formOf(await readSessionDetail(deps, scope, id, 'reviewer'));
  expect(await session(control.sessionId)).toEqual(await session(other.item.session_id));
  const profile = async (id: string) => formOf(await readPersonProfile(deps, scope, id));
  expect(await profile(control.personId)).toEqual(await profile(other.suspects[0]!.person_id));
  await claimReview(deps, { scope, caseId: control.caseId, operatorId: 'ana' });
  const photo = { scope, caseId: control.caseId, operatorId: 'ana' };
  expect(await sharp(await viewGuestPhoto(deps, photo, control.personId)).metadata()).toMatchObject({
    format: 'jpeg',
  });
});

test('an entry of the audit log that names a control case is written only at its end', async () => {
  const { deps, control, decide, settle } = await withControl();
  const actions = () =>
    deps.db.all<{ action: string }>(
      `SELECT action FROM audit_entries WHERE subject = ? OR instr(details, ?) > 0 ORDER BY seq`,
      control.caseId,
      control.caseId,
    );
  expect(await actions()).toEqual([{ action: 'review.open' }]);
  await decide(control.caseId, 'same_person');
  await settle();
  expect((await actions()).map(({ action }) => action)).toEqual([
    'review.open',
    'review.claim',
    'review.choose',
    'review.control',
  ]);
});

test.each(['same_person', 'different_people', 'same_person_allow'] as const)(
  'decided as %s, it changes nothing about anybody and leaves no row',
  async (decision) => {
    const venue = await opened();
    const { deps, scope, add, rate, due, controls, decide, settle } = venue;
    await createWebhook(
      deps,
      { scope, actor: ADMIN },
      { url: 'https://example.org/hook', events: ['run.settled', 'review.decided', 'pass.locked'] },
    );
    await add('Kim');
    await add('Kim');
    await rate(10);
    await openDueControls(deps);
    await due();
    const before = await counts(venue);
    const [control] = await controls();
    await decide(control!.caseId, decision);
    await settle();
    const after = await counts(venue);
    const made = { passes: 1, people: 1, sessions: 2, guest_photos: 1, case_frames: 1, review_cases: 1 };
    for (const [table, n] of Object.entries(made)) before[table] = before[table]! - n;
    expect(after).toEqual(before);
    expect(await controls()).toEqual([]);
  },
);

test('the reviewer is told, with their error rate and its interval; others are not, admins are', async () => {
  const { deps, scope, control, decide, settle } = await withControl();
  const read = (id: string, role: 'reviewer' | 'admin') => readAgreement(deps, scope, { id, role });
  await decide(control.caseId, 'different_people');
  expect(await read('ana', 'reviewer')).toMatchObject({ controls: [], told: [] });
  await settle();
  const rate = { operator_id: 'ana', decided: 1, wrong: 1, low: shareOf(1, 1).low, high: 1 };
  expect(await read('ana', 'reviewer')).toMatchObject({
    controls: [rate],
    told: [{ case_id: control.caseId, decision: 'different_people', answer: 'same', wrong: true }],
  });
  expect(await read('ada', 'admin')).toMatchObject({ controls: [rate], told: [] });
  expect(await read('ben', 'reviewer')).toMatchObject({ controls: [], told: [] });
});

test('applied at once, it is settled as well', async () => {
  const { deps, scope, control, decide } = await withControl();
  await decide(control.caseId, 'same_person');
  const { items } = await applyReviewsNow(deps, { scope, operatorId: 'ana' }, { case_ids: [control.caseId] });
  expect(items).toMatchObject([{ decided: { decision: 'same_person', by: 'ana' }, pending: null }]);
  expect((await readAgreement(deps, scope, { id: 'ana', role: 'reviewer' })).controls).toMatchObject([
    { decided: 1, wrong: 0, low: 0 },
  ]);
});

test('decided on the command line, it measures nobody', async () => {
  const { deps, scope, control, controls } = await withControl();
  const by = { decision: 'different_people', reason: 'looked', actor: 'cli' } as const;
  await decideReview(deps.db, deps.clock, { companyId: scope.companyId, caseId: control.caseId }, by);
  expect(await controls()).toEqual([]);
  expect((await readAgreement(deps, scope, { id: 'ada', role: 'admin' })).controls).toEqual([]);
});

test('what staff do with its checks is told to no webhook', async () => {
  const { service, deps, scope, control } = await withControl();
  await createWebhook(
    deps,
    { scope, actor: ADMIN },
    { url: 'https://example.org/hook', events: ['pass.locked'] },
  );
  const { passId } = await sessionOf(service, control.pastId);
  const pass = await findPass(deps.db, scope, passId ?? '');
  await deps.db.tx((tx) => setLock(tx, scope, pass!, { locked: true, actor: ADMIN, at: NOW, reason: 'x' }));
  expect(await deps.db.all('SELECT 1 FROM webhook_calls')).toEqual([]);
});

test('an external ID that was made up belongs to the guest who brings it', async () => {
  const { deps, scope, control } = await withControl();
  const bound = await deps.db.one<{ id: string }>(
    'SELECT external_id AS id FROM person_external_ids WHERE person_id = ?',
    control.personId,
  );
  const externalId = bound!.id;
  expect(await findExternalIdOwner(deps.db, scope, externalId)).toBeUndefined();
  await deps.db.tx(async (tx) => {
    await insertPerson(tx, scope, 'real', NOW);
    const binding = { externalId, verificationId: VERIFICATION, at: NOW };
    await bindExternalId(tx, scope, { ...binding, personId: 'real' });
    await expect(bindExternalId(tx, scope, { ...binding, personId: control.personId })).rejects.toThrow(
      'person_external_ids_pkey',
    );
  });
  expect(await findExternalIdOwner(deps.db, scope, externalId)).toMatchObject({ personId: 'real' });
});

type Venue = Awaited<ReturnType<typeof withControl>>;
test.each<[string, (venue: Venue) => Promise<unknown>]>([
  [
    'erasing the person shown',
    ({ deps, scope, control }) => eraseOnePerson(deps, scope, control.personId, ADMIN),
  ],
  ['turning them off', ({ rate }) => rate(0)],
  ['removing the pictures', ({ deps }) => removeControlPerson(deps, 'Kim', ADMIN)],
  [
    'waiting for twelve hours',
    async ({ service, deps }) => {
      service.clock.advance(12 * HOUR_MS + 1);
      await openDueControls(deps);
    },
  ],
])('%s withdraws it, and open pages are told', async (_, end) => {
  const venue = await withControl();
  const { deps, control, scope } = venue;
  const told = vi.fn<() => void>();
  onTestFinished(deps.db.follow('case', told, scope.companyId));
  await end(venue);
  expect(told).toHaveBeenCalled();
  expect(await venue.controls()).toEqual([]);
  expect(await deps.db.all('SELECT 1 FROM review_cases WHERE id = ?', control.caseId)).toEqual([]);
  expect(await deps.db.all('SELECT 1 FROM people WHERE id = ?', control.personId)).toEqual([]);
});

test('one that is being decided is not withdrawn', async () => {
  const { rate, decide, control, controls, settle } = await withControl();
  await decide(control.caseId, 'same_person');
  await rate(0);
  expect(await controls()).toHaveLength(1);
  await settle();
  expect(await controls()).toEqual([]);
});

test('pictures have bounds, need a face, and go after their last day', async () => {
  const { deps, add, service } = await opened();
  for (let n = 0; n < 6; n++) await add('Kim');
  expect(await refusalOf(add('Kim'))).toBe('control_too_many');
  const noFace = {
    ...deps,
    faces: { ...deps.faces, analyse: async () => [{ ...madeUpFrame(), face: null }] },
  };
  const of = { name: 'Lee', keepDays: 90, actor: ADMIN } as const;
  expect(await refusalOf(addControlPicture(noFace, { ...of, bytes: still }))).toBe('control_no_face');
  expect(await refusalOf(addControlPicture(deps, { ...of, bytes: Buffer.from('<svg/>') }))).toBe(
    'invalid_logo',
  );
  service.clock.advance(90 * DAY_MS);
  expect((await readControlSettings(deps)).people).toEqual([]);
  await openDueControls(deps);
  expect(await deps.db.all('SELECT 1 FROM control_pictures')).toEqual([]);
});
