/** How often control cases come, and the pictures that they show. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import {
  CONTROL_RATE,
  type ControlChange,
  type ControlSettings,
  MOST_CONTROL_PEOPLE,
  MOST_CONTROL_PICTURES,
} from '../../../contract/console/controls.ts';
import type { Actor } from '../../../domain/operators/actor.ts';
import { framingOf, type FaceFraming } from '../../../domain/reviews/framing.ts';
import { Refusal, notFound } from '../../../refusals/refusal.ts';
import { appendAudit } from '../../../store/operators/audit.ts';
import {
  deleteControlPictures,
  insertControlPicture,
  listControlPictures,
  readControlPicture,
  removeControls,
} from '../../../store/reviews/controls.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import type { SqlReader } from '../../../store/sql/port.ts';
import type { Ports } from '../../ports/ports.ts';
import { iso } from '../../wire/values.ts';
import { mergeChange, versionOf } from '../../wire/versions.ts';

const SETTING = 'review.control_one_in';
const DAY_MS = 86_400_000;
/** Like a camera's still. */
const LONGEST_SIDE_PX = 1_280;
const MAX_INPUT_PIXELS = 48_000_000;
const QUALITY = 88;
const FORMATS: readonly string[] = ['jpeg', 'png', 'webp'];
/** A smaller face could not be compared. */
const LEAST_EYE_DISTANCE_PX = 40;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** One control case for so many real ones; 0: none. */
export const readControlRate = async (db: SqlReader): Promise<number> =>
  (await readSetting<number>(db, SETTING)) ?? 0;

export async function readControlSettings({ db, clock }: Deps): Promise<ControlSettings> {
  const oneIn = await readControlRate(db);
  const byName = Map.groupBy(await listControlPictures(db, clock.now()), ({ name }) => name);
  const people = [...byName].map(([name, pictures]) => ({
    name,
    pictures: pictures.map(({ id }) => id),
    kept_until: iso(Math.min(...pictures.map(({ deleteAfter }) => deleteAfter))),
  }));
  const hasPair = people.length > 1 || people.some(({ pictures }) => pictures.length > 1);
  return {
    version: versionOf({ one_in: oneIn }),
    one_in: oneIn,
    people,
    obstacle: oneIn === 0 ? 'off' : hasPair ? null : 'pictures',
  };
}

/**
 * From 0 on, those that wait are withdrawn.
 * @throws Refusal `setting_out_of_range`, `changed_meanwhile`
 */
export async function changeControlRate(
  deps: Deps,
  { one_in: oneIn, reason, version }: ControlChange,
  actor: Actor,
): Promise<ControlSettings> {
  const { least: min, most: max } = CONTROL_RATE;
  if (oneIn !== 0 && (oneIn < min || oneIn > max)) {
    throw new Refusal('setting_out_of_range', { args: { min, max } });
  }
  await deps.db.tx(async (tx) => {
    const current = { one_in: await readControlRate(tx) };
    const log = { subject: 'installation', actions: { one_in: 'review.controls' } } as const;
    const { one_in: to } = await mergeChange(tx, { version, current, sent: { one_in: oneIn }, log });
    if (to === undefined) return;
    await writeSetting(tx, SETTING, to);
    if (to === 0) await removeControls(tx, { openedBefore: Number.MAX_SAFE_INTEGER });
    await appendAudit(tx, {
      at: deps.clock.now(),
      actor,
      action: 'review.controls',
      subject: 'installation',
      details: { from: current.one_in, to, reason },
    });
  });
  return readControlSettings(deps);
}

/**
 * Adds a picture of somebody who agreed to it. Encoded again, so that only pixels are kept.
 * @throws Refusal `invalid_logo`, `control_no_face`, `control_too_many`
 */
export async function addControlPicture(
  deps: Deps & Pick<Ports, 'faces'>,
  { name: given, bytes, keepDays, actor }: { name: string; bytes: Buffer; keepDays: number; actor: Actor },
): Promise<ControlSettings> {
  const name = given.trim();
  const picture = await measured(deps, bytes);
  await deps.db.tx(async (tx) => {
    const addedAt = deps.clock.now();
    const there = await listControlPictures(tx, addedAt);
    const own = there.filter((one) => one.name === name).length;
    const isNew = own === 0 && new Set(there.map((one) => one.name)).size >= MOST_CONTROL_PEOPLE;
    if (isNew || own >= MOST_CONTROL_PICTURES) {
      const args = { people: MOST_CONTROL_PEOPLE, pictures: MOST_CONTROL_PICTURES };
      throw new Refusal('control_too_many', { args });
    }
    const deleteAfter = addedAt + keepDays * DAY_MS;
    await insertControlPicture(tx, { id: randomUUID(), name, ...picture, addedAt, deleteAfter });
    // Without the name: the log is kept longer than the picture.
    await appendAudit(tx, {
      at: addedAt,
      actor,
      action: 'review.control_picture',
      subject: 'installation',
      details: { days: keepDays },
    });
  });
  return readControlSettings(deps);
}

async function measured(
  { faces }: Pick<Ports, 'faces'>,
  bytes: Buffer,
): Promise<{ jpeg: Uint8Array; framing: FaceFraming }> {
  const jpeg = await encoded(bytes);
  const [evidence] = await faces.analyse([jpeg]);
  const framing = evidence ? framingOf(evidence) : null;
  if (!framing || framing.interocularPx < LEAST_EYE_DISTANCE_PX) throw new Refusal('control_no_face');
  return { jpeg, framing };
}

async function encoded(bytes: Buffer): Promise<Uint8Array> {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, failOn: 'error' });
    const { format } = await image.metadata();
    if (FORMATS.includes(format))
      return await image
        .rotate()
        .resize({ width: LONGEST_SIDE_PX, height: LONGEST_SIDE_PX, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: QUALITY })
        .toBuffer();
  } catch {
    // Refused below, like a file that is no picture.
  }
  throw new Refusal('invalid_logo');
}

/** @throws Refusal `not_found` */
export async function readControlJpeg({ db, clock }: Deps, id: string): Promise<Uint8Array> {
  const picture = await readControlPicture(db, id, clock.now());
  if (!picture) throw notFound();
  return picture.jpeg;
}

/**
 * Deletes all pictures of somebody, and withdraws the cases that show them.
 * @throws Refusal `not_found`
 */
export async function removeControlPerson(deps: Deps, name: string, actor: Actor): Promise<ControlSettings> {
  await deps.db.tx(async (tx) => {
    const pictures = await deleteControlPictures(tx, name);
    if (pictures === 0) throw notFound();
    await removeControls(tx, { shows: name });
    await appendAudit(tx, {
      at: deps.clock.now(),
      actor,
      action: 'review.control_picture_removed',
      subject: 'installation',
      details: { pictures },
    });
  });
  return readControlSettings(deps);
}
