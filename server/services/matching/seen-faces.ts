/**
 * Old resting stills, recognised by the face that they show: cropped, turned by a few degrees, zoomed or blurred stills have other
 * bytes and another picture, but nearly the same embedding, which another still of the person seldom has. In any company
 * and partition.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { CaptureFacts } from '../../domain/capture/liveness.ts';
import { facePartsOf, SAME_STILL } from '../../domain/capture/face-parts.ts';
import { packRow, unpackRow } from '../../face/index/quantise.ts';
import {
  dayOf,
  findDayKeys,
  findSeenFaces,
  insertDayKey,
  insertSeenFaces,
} from '../../store/matching/seen-faces.ts';
import { createKeyRing, createSealer } from '../../store/sql/secrets.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';

const KEY_BYTES = 32;
const PART_BYTES = 12;

/**
 * Faces of the resting stills of one capture, null for a still without one, and the model that made them: embeddings of two
 * models are not comparable.
 */
export type RestingFaces = { model: string; faces: readonly (Float32Array | null)[] };

export const restingFacesOf = (
  { timeline, frames }: Pick<CaptureFacts, 'timeline' | 'frames'>,
  model: string,
): RestingFaces => ({
  model,
  faces: frames.filter((_, place) => timeline.frames[place]?.step === null).map(({ embedding }) => embedding),
});

/** For each face, whether this installation received the same still within 24 hours. */
export async function facesSeenBefore(
  db: SqlReader,
  { model, faces }: RestingFaces,
  nowMs: number,
): Promise<boolean[]> {
  const keys = await findDayKeys(db, nowMs);
  const parts = keys.flatMap(({ key }) =>
    faces.flatMap((face) => (face ? hashedParts(key, model, face) : [])),
  );
  if (parts.length === 0) return faces.map(() => false);
  const sealers = new Map(keys.map(({ day, key }) => [day, sealerOf(key)]));
  const known = (await findSeenFaces(db, parts, nowMs)).flatMap(({ id, day, vector }) => {
    const sealer = sealers.get(day);
    return sealer ? sealer.open(Buffer.from(id), vector) : [];
  });
  return faces.map((face) => face !== null && known.some((packed) => cosineTo(face, packed) >= SAME_STILL));
}

/** The rounding moves it by less than 0.0001. */
function cosineTo(face: Float32Array, packed: Uint8Array): number {
  const rounded = new Int8Array(face.length);
  const { scale, keptNorm } = unpackRow(packed, face.length, rounded);
  return (scale * rounded.reduce((sum, q, i) => sum + q * (face[i] ?? 0), 0)) / keptNorm;
}

/** Stores the faces of a capture for 24 hours, encrypted with the key of the day. */
export async function rememberFaces(
  tx: SqlTx,
  sessionId: string,
  { model, faces }: RestingFaces,
  at: number,
): Promise<void> {
  const shown = faces.filter((face) => face !== null);
  if (shown.length === 0) return;
  const day = dayOf(at);
  const key = await keyOfDay(tx, day, at);
  const sealer = sealerOf(key);
  const rows = shown.map((face) => {
    const id = newId(at);
    const vector = sealer.seal(Buffer.from(id), packRow(face));
    return { id, day, vector, parts: hashedParts(key, model, face) };
  });
  await insertSeenFaces(tx, sessionId, rows, at);
}

async function keyOfDay(tx: SqlTx, day: number, at: number): Promise<Uint8Array> {
  const ofToday = async () => (await findDayKeys(tx, at)).find((one) => one.day === day)?.key;
  const known = await ofToday();
  if (known) return known;
  const made = randomBytes(KEY_BYTES);
  await insertDayKey(tx, { day, key: made });
  return (await ofToday()) ?? made;
}

const sealerOf = (key: Uint8Array) => createSealer(createKeyRing([Buffer.from(key)]));

/** Without the key, two parts in the database can't be told to be of one face. */
const hashedParts = (key: Uint8Array, model: string, face: Float32Array): Uint8Array[] =>
  facePartsOf(face).map((part) =>
    createHmac('sha256', key).update(model).update('\0').update(part).digest().subarray(0, PART_BYTES),
  );
