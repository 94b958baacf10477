/** The kept photo of a guest who passed: whose, for how long, and who sees it. */
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CONSENT_VERSIONS } from '../../contract/consent-texts.ts';
import { PHOTO_CONSENT_VERSIONS } from '../../contract/event-consents.ts';
import type { EventUpdate } from '../../contract/console/events.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { listGuestPhotos } from '../../store/reviews/guest-photos.ts';
import { honestCapture, settleFace } from '../../../testing/service/captures.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { settleCapture } from '../capture/capture.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readSessionDetail } from '../passes/detail.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { exportPerson } from '../people/export.ts';
import { runRetention } from '../people/retention-run.ts';
import { saveRetention } from '../people/retention-settings.ts';
import { clearTestData } from '../people/test-data.ts';
import { initialize } from '../runs/initialize.ts';
import { giveConsent, readSnapshot } from '../runs/flow.ts';
import { reopenStuckSession } from '../runs/stuck-sessions.ts';
import { changeEvent, createEvent } from '../venue/events.ts';
import { readReviewCase } from './case.ts';
import { claimReview, decideReviewLater } from './decide.ts';
import { viewGuestPhoto } from './guest-photo.ts';

const DAY_MS = 86_400_000;
const GROUP = 'gala';
const ENDS_AT = NOW + DAY_MS;
const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
const OTHER = Float32Array.of(0, 1, 0, 0, 0, 0, 0, 0);
const IN_REVIEW = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };

let still: Buffer;
beforeAll(async () => {
  still = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a08070' } })
    .jpeg()
    .toBuffer();
});

/** A service with an event whose photos are kept so many days after its end; null for none. */
async function openVenue(days: number | null) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { deps } = service;
  const scope = service.scope('test');
  const event = await createEvent(
    deps,
    scope,
    {
      name: 'Gala',
      group: GROUP,
      starts_at: new Date(NOW - DAY_MS).toISOString(),
      ends_at: new Date(ENDS_AT).toISOString(),
      guest_photo_days: days,
      // Another event recognises its guests.
      faces: 'organiser',
    },
    'operator:ada',
  );
  const change = (update: Omit<EventUpdate, 'reason'>) =>
    changeEvent(deps, scope, event.event_id, { ...update, reason: 'as agreed' }, 'operator:ada');
  const kept = async (personId: string) => listGuestPhotos(deps.db, scope, personId, service.clock.now());
  const rows = async () =>
    (await deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM guest_photos'))?.n ?? 0;
  return { service, deps, scope, change, kept, rows };
}

/** A run past a consent to the text that its page shows. */
async function agreedRun(service: TestService, body: InitializeRequest = {}) {
  const { deps } = service;
  const request = { group: GROUP, ...body };
  const id = (await initialize(deps, await service.caller('sk_test'), request)).session_id ?? '';
  const { photo_until: until } = await readSnapshot(deps, id);
  await giveConsent(deps, await sessionOf(service, id), {
    accepted: true,
    text_version: PHOTO_CONSENT_VERSIONS.kiosk,
    language: 'en',
    ...(until !== undefined && { photo_until: until }),
  });
  return sessionOf(service, id);
}

async function passed(service: TestService, face = FACE, body: InitializeRequest = {}): Promise<string> {
  const snapshot = await settleFace(service.deps, await agreedRun(service, body), face, still);
  return (await passOf(service, snapshot)).personId ?? '';
}

const until = new Date(ENDS_AT + 7 * DAY_MS).toISOString();
const photoText = { text_version: PHOTO_CONSENT_VERSIONS.hosted, photo_until: until };

test('a photo that cannot be made costs the guest nothing, and its loss is reported', async () => {
  const { service, deps, rows } = await openVenue(7);
  const session = await agreedRun(service);
  const { nonce, judge } = await honestCapture(deps, session, FACE, Buffer.from('not a picture'));
  const lost: unknown[] = [];
  const settled = await settleCapture(deps, session, nonce, async () => ({
    ...(await judge()),
    onPhotoLost: (error) => lost.push(error),
  }));
  expect(settled.result).toMatchObject({ verified: true });
  expect(await rows()).toBe(0);
  expect(lost).toMatchObject([{ message: 'The photo of a guest could not be made.' }]);
});

test('the session names the day of the photo that its guest agreed to, and none where the text had no photo', async () => {
  const { service, deps, scope } = await openVenue(7);
  const session = await agreedRun(service);
  const consent = async () => (await readSessionDetail(deps, scope, session.id, 'staff')).consent;
  expect(await consent()).toMatchObject({ version: PHOTO_CONSENT_VERSIONS.kiosk, photo_until: until });
  await deps.db.tx((tx) =>
    tx.run('UPDATE sessions SET consent_version = ? WHERE id = ?', CONSENT_VERSIONS.kiosk, session.id),
  );
  expect(await consent()).toMatchObject({ photo_until: null });
});

test.each([
  ['the event keeps photos and the guest agreed to it', 7, photoText, 1],
  ['the event keeps none', null, photoText, 0],
  [
    'the guest agreed to the text without it',
    7,
    { text_version: CONSENT_VERSIONS.hosted, photo_until: until },
    0,
  ],
  ['the guest agreed to no version', 7, { photo_until: until }, 0],
  ['the page did not say until when', 7, { text_version: PHOTO_CONSENT_VERSIONS.hosted }, 0],
  ['the time that was shown has passed', 7, { ...photoText, photo_until: '2001-01-01T00:00:00.000Z' }, 0],
])('%s', async (_, days, consent, count) => {
  const { service, deps, rows } = await openVenue(days);
  const id = (await initialize(deps, await service.caller('sk_test'), { group: GROUP })).session_id ?? '';
  expect((await readSnapshot(deps, id)).photo_until).toBe(days === null ? undefined : until);
  await giveConsent(deps, await sessionOf(service, id), { accepted: true, language: 'en', ...consent });
  const { state } = await settleFace(deps, await sessionOf(service, id), FACE, still);
  expect(state).toBe('settled');
  expect(await rows()).toBe(count);
});

test('only a check that passes keeps a photo', async () => {
  const { service, deps, rows } = await openVenue(7);
  await settleFace(deps, await agreedRun(service, { external_id: 'a' }), FACE, still);
  const refused = await agreedRun(service, { external_id: 'b', ...NO_SKIP });
  const snapshot = await settleFace(deps, refused, FACE, still);
  expect((await passOf(service, snapshot)).status).toBe('denied');
  const waiting = await agreedRun(service, { external_id: 'c', ...IN_REVIEW });
  expect((await settleFace(deps, waiting, FACE, still)).state).toBe('in_review');
  expect(await rows()).toBe(1);
});

test('a run that is reopened for the next person keeps no consent to a photo', async () => {
  const { service, deps, scope } = await openVenue(7);
  const { id, photoUntil } = await agreedRun(service);
  expect(photoUntil).toBe(ENDS_AT + 7 * DAY_MS);
  await reopenStuckSession(deps, scope, id, { actor: 'operator:ada', reason: 'wrong phone' });
  expect((await sessionOf(service, id)).photoUntil).toBeNull();
});

test('a consent to the text without a photo, recorded by a node of the version before, keeps none', async () => {
  const { service, deps } = await openVenue(5);
  const agreed = await agreedRun(service);
  expect(agreed.photoUntil).not.toBeNull();
  await deps.db.tx((tx) =>
    tx.run('UPDATE sessions SET consent_version = ? WHERE id = ?', CONSENT_VERSIONS.kiosk, agreed.id),
  );
  expect((await sessionOf(service, agreed.id)).photoUntil).toBeNull();
});

test('a later check of the guest replaces the photo', async () => {
  const { service, kept } = await openVenue(7);
  const again = { external_id: 'a', ...NO_SKIP };
  const person = await passed(service, FACE, again);
  service.clock.advance(60_000);
  expect(await passed(service, FACE, again)).toBe(person);
  expect((await kept(person)).map(({ takenAt }) => takenAt)).toEqual([NOW + 60_000]);
});

test('a photo is kept no longer than its guest agreed to, and less long if the event says so', async () => {
  const { service, change, kept } = await openVenue(7);
  const early = await agreedRun(service);
  const endOf = async (person: string) => (await kept(person))[0]?.deleteAfter;
  const person = await passed(service, OTHER);
  await change({ guest_photo_days: 30 });
  expect(await endOf(person)).toBe(ENDS_AT + 7 * DAY_MS);
  const snapshot = await settleFace(service.deps, early, FACE, still);
  expect(await endOf((await passOf(service, snapshot)).personId ?? '')).toBe(ENDS_AT + 7 * DAY_MS);
  await change({ guest_photo_days: 2 });
  expect(await endOf(person)).toBe(ENDS_AT + 2 * DAY_MS);
  await change({ ends_at: new Date(ENDS_AT - 3_600_000).toISOString() });
  expect(await endOf(person)).toBe(ENDS_AT - 3_600_000 + 2 * DAY_MS);
});

test('turning it off deletes the photos at once, also beside checks that are settling', async () => {
  const { service, deps, change, rows } = await openVenue(7);
  await passed(service, OTHER);
  const faces = [2, 3, 4, 5].map((at) => Float32Array.from({ length: 8 }, (_, i) => (i === at ? 1 : 0)));
  const runs: Awaited<ReturnType<typeof agreedRun>>[] = [];
  for (const _ of faces) runs.push(await agreedRun(service));
  const settling = faces.map((face, place) => settleFace(deps, runs[place]!, face, still));
  await Promise.all([...settling, change({ guest_photo_days: null })]);
  expect(await rows()).toBe(0);
  const [entry] = await deps.db.all<{ details: string }>(
    `SELECT details FROM audit_entries WHERE action = 'event.update'`,
  );
  const details: unknown = JSON.parse(entry?.details ?? '{}');
  expect(details).toMatchObject({ changed: ['guest_photo_days'], guest_photo_days: null });
  expect(details).toHaveProperty('guest_photos_deleted');
});

test('only the reviewer who holds the undecided case sees it, and each view is in the audit log', async () => {
  const { service, deps, scope } = await openVenue(7);
  for (const id of ['ana', 'ben']) {
    await deps.db.tx((tx) =>
      insertOperator(tx, {
        ...{ id, name: id, nameKey: id, role: 'reviewer', origin: 'cli' },
        ...{ passphraseHash: '', passphraseChangedAt: NOW, createdAt: NOW },
      }),
    );
  }
  const person = await passed(service, FACE, { external_id: 'a' });
  const stranger = await passed(service, OTHER, { external_id: 'z' });
  const run = await agreedRun(service, { external_id: 'b', ...IN_REVIEW });
  await settleFace(deps, run, FACE, still);
  const caseId = (await findOpenCaseOf(deps.db, scope, run.id))?.id ?? '';
  const [ana, ben] = ['ana', 'ben'].map((operatorId) => ({ scope, caseId, operatorId }));
  const view = async (call = ana!, whose = person) =>
    viewGuestPhoto(deps, call, whose).then(
      (jpeg) => sharp(jpeg).metadata(),
      (error: unknown) => (error instanceof Refusal ? error.code : error),
    );
  expect((await readReviewCase(deps, scope, caseId)).suspects[0]?.photo?.framing.width).toBeLessThanOrEqual(
    320,
  );
  expect(await view()).toBe('case_not_held');
  await claimReview(deps, ana!);
  expect(await view()).toMatchObject({ format: 'jpeg' });
  expect(await view(ben)).toBe('case_not_held');
  expect(await view(ana, stranger)).toBe('not_found');
  expect(await view({ ...ana!, scope: service.scope('live') })).toBe('not_found');
  const seen = await deps.db.all<{ actor: string; subject: string; details: string }>(
    `SELECT actor, subject, details FROM audit_entries WHERE action = 'review.photo'`,
  );
  const details = JSON.stringify({ person_id: person });
  expect(seen).toEqual([{ actor: 'operator:ana', subject: caseId, details }]);
  await decideReviewLater(deps, ana!, { decision: 'same_person', reason: 'the same' });
  expect(await view()).toBe('case_not_held');
});

test('a case shows only the photo of its own event, to which the guest agreed, and opening it decrypts none', async () => {
  const { service, deps, scope } = await openVenue(7);
  const person = await passed(service, FACE, { external_id: 'a' });
  const caseIn = async (group: string) => {
    const run = await agreedRun(service, { external_id: `b-${group}`, group, ...IN_REVIEW });
    await settleFace(deps, run, FACE, still);
    return (await findOpenCaseOf(deps.db, scope, run.id))?.id ?? '';
  };
  const photoIn = async (caseId: string) => {
    const [suspect] = (await readReviewCase(deps, scope, caseId)).suspects;
    expect(suspect?.person_id).toBe(person);
    return suspect?.photo ?? null;
  };
  const [same, other] = [await caseIn(GROUP), await caseIn('another event')];
  await deps.db.write('UPDATE guest_photos SET jpeg = ?', Uint8Array.of(1));
  expect(await photoIn(same)).not.toBeNull();
  expect(await photoIn(other)).toBeNull();
  await deps.db.tx((tx) =>
    insertOperator(tx, {
      ...{ id: 'ana', name: 'ana', nameKey: 'ana', role: 'reviewer', origin: 'cli' },
      ...{ passphraseHash: '', passphraseChangedAt: NOW, createdAt: NOW },
    }),
  );
  const call = { scope, caseId: other, operatorId: 'ana' };
  await claimReview(deps, call);
  await expect(viewGuestPhoto(deps, call, person)).rejects.toMatchObject({ code: 'not_found' });
});

test('an expired photo is hidden at once and deleted at night, and so is that of a deleted face', async () => {
  const { service, deps, kept, rows } = await openVenue(7);
  const nightly = () => runRetention(deps.db, deps.clock, service.clock.deletionTime(), 'system');
  const person = await passed(service);
  service.clock.advance(8 * DAY_MS - 1);
  await nightly();
  expect(await kept(person)).toHaveLength(1);
  service.clock.advance(1);
  expect(await kept(person)).toEqual([]);
  expect(await nightly()).toMatchObject({ guest_photos: 1 });

  const { service: shortLived, deps: own, rows: rowsLeft } = await openVenue(30);
  await passed(shortLived);
  await saveRetention(own, { template_inactive: 1 }, 'cli');
  shortLived.clock.advance(2 * DAY_MS);
  await runRetention(own.db, own.clock, shortLived.clock.deletionTime(), 'system');
  expect([await rows(), await rowsLeft()]).toEqual([0, 0]);
});

test('a person’s export contains the photo, and their erasure and the clearing of test data remove it', async () => {
  const { service, deps, scope, rows } = await openVenue(7);
  const person = await passed(service, FACE, { external_id: 'a' });
  await passed(service, OTHER, { external_id: 'b' });
  const { photos } = await exportPerson(deps, scope, person, 'operator:ada');
  expect(photos).toMatchObject([{ kept_until: until }]);
  expect(Buffer.from(photos[0]?.jpeg ?? '', 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  await eraseOnePerson(deps, scope, person, 'cli');
  expect(await rows()).toBe(1);
  const proof = await deps.db.one<{ removed: string; remaining: number }>(
    'SELECT removed, remaining FROM erasure_proofs',
  );
  expect(JSON.parse(proof?.removed ?? '{}')).toMatchObject({ guest_photos: 1 });
  expect(proof?.remaining).toBe(0);
  await clearTestData(deps.db, deps.clock, { companyId: scope.companyId, before: null, actor: 'cli' });
  expect(await rows()).toBe(0);
});
