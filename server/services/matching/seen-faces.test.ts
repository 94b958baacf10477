/** Old resting stills, recognised by their face. The faces are made up; everything after them is real. */
import { expect, it, onTestFinished } from 'vitest';
import type { DeletionTime } from '../../domain/clock.ts';
import { honestCapture, settleFace } from '../../../testing/service/captures.ts';
import { NO_SKIP, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { settleCapture } from '../capture/capture.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { forgetSignatures } from './replay.ts';
import { facesSeenBefore, rememberFaces } from './seen-faces.ts';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2030-05-15T22:41:07.123Z');
const MODEL = 'm';

/** A face of unit length at this cosine to that of `alice`. */
const alice = (cosine: number): Float32Array =>
  Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2), 0, 0, 0, 0, 0, 0);
const bob = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0);

async function openService() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const session = await startRun(service, NO_SKIP);
  const { db } = service.deps;
  const remember = (face: Float32Array, at: number, sessionId = session.id) =>
    db.tx((tx) => rememberFaces(tx, sessionId, { model: MODEL, faces: [face, null] }, at));
  const isKnown = async (face: Float32Array, at: number, model = MODEL) =>
    (await facesSeenBefore(db, { model, faces: [face] }, at))[0];
  const forget = (at: number | null) =>
    forgetSignatures({
      db,
      deletions: { doubt: () => null, deletionTime: () => at as DeletionTime | null },
    });
  const counts = async () =>
    Promise.all(
      ['seen_faces', 'seen_face_parts', 'seen_face_keys'].map(
        async (table) => (await db.all(`SELECT 1 AS found FROM ${table}`)).length,
      ),
    );
  return { service, session, db, remember, isKnown, forget, counts };
}

it('a still that was cropped or turned is known for a day, across midnight, and another still is not', async () => {
  const { remember, isKnown } = await openService();
  await remember(alice(1), AT);
  for (const at of [AT, AT + 2 * HOUR_MS, AT + 24 * HOUR_MS]) {
    expect(await isKnown(alice(0.999), at)).toBe(true);
    expect(await isKnown(alice(0.985), at)).toBe(false);
    expect(await isKnown(bob, at)).toBe(false);
  }
  expect(await isKnown(alice(1), AT + 24 * HOUR_MS + 1)).toBe(false);
});

it('faces of another model are not compared', async () => {
  const { remember, isKnown } = await openService();
  await remember(alice(1), AT);
  expect(await isKnown(alice(1), AT, 'other')).toBe(false);
});

it('without the key of its day nothing stored about a face repeats: neither its numbers nor its parts', async () => {
  const { db, remember } = await openService();
  await remember(alice(1), AT);
  await remember(alice(1), AT + 6 * HOUR_MS);
  const faces = await db.all<{ vector: Uint8Array; day: number }>('SELECT vector, day FROM seen_faces');
  expect(new Set(faces.map(({ day }) => day)).size).toBe(2);
  for (const { vector } of faces)
    expect(Buffer.from(vector).includes(Buffer.from([127, 0, 0, 0]))).toBe(false);
  const parts = await db.all<{ part: Uint8Array }>('SELECT part FROM seen_face_parts');
  expect(new Set(parts.map(({ part }) => Buffer.from(part).toString('hex'))).size).toBe(parts.length);
});

it('faces are deleted once they are not compared any more, with the key of their day, and not while the clock is in doubt', async () => {
  const { remember, forget, counts } = await openService();
  await remember(alice(1), AT);
  expect(await forget(AT + 24 * HOUR_MS)).toBe(0);
  expect(await forget(null)).toBe(0);
  expect((await counts()).every((rows) => rows > 0)).toBe(true);
  expect(await forget(AT + 24 * HOUR_MS + 1)).toBe(1);
  expect(await counts()).toEqual([0, 0, 1]);
  await forget(AT + 26 * HOUR_MS);
  expect(await counts()).toEqual([0, 0, 0]);
});

it('two captures that begin a day together share its key', async () => {
  const { remember, isKnown, counts } = await openService();
  await Promise.all([remember(alice(1), AT), remember(bob, AT)]);
  expect((await counts())[2]).toBe(1);
  expect([await isKnown(alice(1), AT), await isKnown(bob, AT)]).toEqual([true, true]);
});

it('a recording that was cropped fails the second time, and the person who comes back passes', async () => {
  const { service } = await openService();
  const deps = { ...service.deps, remembersFaces: true };
  const settle = async (account: string, face: Float32Array) =>
    settleFace(deps, await startRun(service, { ...NO_SKIP, external_id: account }), face);
  expect((await settle('alice', alice(1))).result).toMatchObject({ verified: true });
  // Of real people's other stills, 99.8 % are further away.
  expect((await settle('alice', alice(0.97))).result).toMatchObject({ verified: true });
  expect(await settle('alice', alice(0.999))).toMatchObject({ state: 'open', findings: ['try_again'] });
  expect((await settle('bob', bob)).result).toMatchObject({ verified: true });
});

it('an installation that remembers no faces keeps none, and takes a cropped recording', async () => {
  const { service, counts } = await openService();
  for (const cosine of [1, 0.999])
    expect(
      (
        await settleFace(
          service.deps,
          await startRun(service, { ...NO_SKIP, external_id: 'alice' }),
          alice(cosine),
        )
      ).result,
    ).toMatchObject({ verified: true });
  expect(await counts()).toEqual([0, 0, 0]);
});

it('erasing a person removes the faces that their checks left', async () => {
  const { service, counts } = await openService();
  const deps = { ...service.deps, remembersFaces: true };
  const session = await startRun(service, NO_SKIP);
  const { nonce, judge } = await honestCapture(deps, session, alice(1));
  const { result } = await settleCapture(deps, session, nonce, () => judge());
  expect(result).toMatchObject({ verified: true });
  await settleFace(deps, await startRun(service, NO_SKIP), bob);
  const [before = 0] = await counts();
  const owner = await deps.db.one<{ personId: string }>(
    'SELECT p.person_id AS "personId" FROM passes p JOIN sessions s ON s.pass_id = p.id WHERE s.id = ?',
    session.id,
  );
  await eraseOnePerson(deps, session.scope, owner?.personId ?? '', 'person');
  const [after = 0, parts = 0] = await counts();
  expect(before).toBeGreaterThan(after);
  expect(after).toBeGreaterThan(0);
  expect(parts).toBe(8 * after);
});
