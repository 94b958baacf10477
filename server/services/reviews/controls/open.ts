/**
 * Opens control cases, so that neither a page nor the API tells one from any other case before its decision: it has a session,
 * a matched person with an earlier check, pictures and an audit entry of its own, all in the form of a real case of the same
 * event. It has no template, no ID that somebody could claim, no webhook and no count of usage.
 */
import sharp from 'sharp';
import {
  casesUntilNext,
  commonIn,
  drawPair,
  madeUp,
  madeUpMetadata,
  type Draw,
} from '../../../domain/reviews/controls.ts';
import { type FaceFraming, MAX_CASE_FRAMES } from '../../../domain/reviews/framing.ts';
import type { Reason } from '../../../domain/settling/reasons.ts';
import type { Scope } from '../../../domain/scope.ts';
import { AGREEMENT_DAYS } from '../../../contract/console/reviews.ts';
import { cropFace } from '../../../face/pictures/crop.ts';
import { listCompanies } from '../../../store/companies/companies.ts';
import { listCaseFrames } from '../../../store/reviews/case-frames.ts';
import { findCase } from '../../../store/reviews/cases.ts';
import { countCasesSince, listControlModels, listMetadata } from '../../../store/reviews/control-models.ts';
import {
  countControls,
  forgetControls,
  listControlPictures,
  readControlPicture,
  removeControls,
} from '../../../store/reviews/controls.ts';
import { findSession } from '../../../store/runs/sessions.ts';
import { findPerson } from '../../../store/people/people.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import type { SqlReader } from '../../../store/sql/port.ts';
import type { Ports } from '../../ports/ports.ts';
import { readControlRate } from './settings.ts';
import { type MadeUpCase, type MadeUpPerson, writeControl } from './write.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than a shift: nobody reviews. */
const WITHDRAWN_AFTER_MS = 12 * 60 * MINUTE_MS;
/** A reviewer who falls behind gets none. */
const MOST_WAITING = 20;
/** What a case is made to look like. */
const MODELS = 20;
const MODELS_SINCE_MS = 7 * DAY_MS;
const RUNS_COMPARED = 200;
/** Findings that a matched face alone explains. */
const OF_FACES: readonly Reason[] = ['collision', 'collision_company', 'duplicate_account'];
const USUAL_SIZE = { width: 480, height: 640 };
const QUALITY = 85;

type Deps = Pick<Ports, 'db' | 'clock' | 'deletions' | 'randomInt'> & {
  faces: Pick<Ports['faces'], 'embeddingModel'>;
};

/** From `since` on, one is due after `after` cases. By company. */
type Turns = Record<string, { since: number; after: number }>;
const TURNS = 'review.control_turns';

/**
 * Withdraws what waited too long, and opens what is due: at most one at a time in a company.
 * @returns how many were opened
 */
export async function openDueControls(deps: Deps): Promise<number> {
  const { db, clock, deletions } = deps;
  const time = deletions.deletionTime();
  await db.tx(async (tx) => {
    if (time !== null) await forgetControls(tx, { now: time, decidedBefore: time - AGREEMENT_DAYS * DAY_MS });
    await removeControls(tx, { openedBefore: clock.now() - WITHDRAWN_AFTER_MS });
  });
  const oneIn = await readControlRate(db);
  if (oneIn === 0) return 0;
  let opened = 0;
  for (const { id } of await listCompanies(db)) {
    if (await openIn(deps, { companyId: id, partition: 'live' }, oneIn)) opened += 1;
  }
  return opened;
}

async function openIn(deps: Deps, scope: Scope, oneIn: number): Promise<boolean> {
  const { db, clock, randomInt } = deps;
  const { companyId } = scope;
  const turn = (await readSetting<Turns>(db, TURNS))?.[companyId];
  const next = { since: clock.now(), after: casesUntilNext(oneIn, randomInt) };
  if (turn === undefined) {
    await saveTurn(db, companyId, next);
    return false;
  }
  const cases = await countCasesSince(db, scope, turn.since);
  if (cases.opened < turn.after || cases.waiting >= MOST_WAITING) return false;
  if ((await countControls(db, companyId)) > 0) return false;
  const made = await makeUp(deps, scope);
  if (made === null) return false;
  await db.tx((tx) => writeControl(tx, scope, made), scope);
  await saveTurn(db, companyId, next);
  return true;
}

const saveTurn = (db: Deps['db'], companyId: string, turn: Turns[string]): Promise<void> =>
  db.tx(async (tx) => {
    const known = new Set((await listCompanies(tx)).map(({ id }) => id));
    const turns = Object.entries((await readSetting<Turns>(tx, TURNS)) ?? {}).filter(([id]) => known.has(id));
    await writeSetting(tx, TURNS, { ...Object.fromEntries(turns), [companyId]: turn });
  });

/** Null if there are too few pictures, or no case whose form it could have. */
async function makeUp(deps: Deps, scope: Scope): Promise<MadeUpCase | null> {
  const { db, clock, randomInt: draw, faces } = deps;
  const at = clock.now();
  const pair = drawPair(await listControlPictures(db, at), draw, MAX_CASE_FRAMES);
  const since = { now: at, openedSince: at - MODELS_SINCE_MS, limit: MODELS };
  const event = drawn(await listControlModels(db, scope, since), draw);
  const found = event && (await findCase(db, scope.companyId, event.caseId));
  const session = found && (await findSession(db, found.sessionId));
  const { near, similarities } = found?.likeness ?? { near: 1, similarities: [] };
  const reasons = found?.reasons.filter((reason) => OF_FACES.includes(reason)) ?? [];
  const [similarity = null] = similarities;
  if (!pair || !event || !found || !session || similarity === null || reasons.length === 0) return null;
  const size = (await listCaseFrames(db, scope, found.id, at))[0]?.framing ?? USUAL_SIZE;
  const frames = await Promise.all(pair.ofRun.map((id) => pictureOf(db, id, at, size)));
  const match = await pictureOf(db, pair.ofMatch, at, size);
  const suspect = await findPerson(db, scope, found.suspectIds[0] ?? '');
  const isCommon = commonIn(await listMetadata(db, scope, RUNS_COMPARED));
  const personOf = (externalId: string | null, metadata: MadeUpPerson['metadata']): MadeUpPerson => ({
    externalId: externalId && madeUp(externalId, draw),
    metadata: metadata && madeUpMetadata(metadata, isCommon, draw),
  });
  const { request } = session;
  return {
    pair,
    model: { case: found, session, event },
    reasons,
    similarity: Math.min(0.97, Math.max(near, similarity + (draw(40_001) - 20_000) / 1_000_000)),
    frames,
    photo: await cropFace(match.jpeg, match.framing),
    run: personOf(request.externalId, request.metadata),
    match: personOf(suspect?.externalIds[0] ?? request.externalId, suspect?.metadata ?? request.metadata),
    embeddingModel: faces.embeddingModel,
    at,
    passedAt: Math.max(event.startsAt, at - (20 + draw(160)) * MINUTE_MS),
  };
}

const drawn = <T>(values: readonly T[], draw: Draw): T | undefined =>
  values.length === 0 ? undefined : values[draw(values.length)];

/** As large as the event's own pictures. */
async function pictureOf(
  db: SqlReader,
  id: string,
  now: number,
  { width, height }: { width: number; height: number },
): Promise<{ jpeg: Uint8Array; framing: FaceFraming }> {
  const picture = await readControlPicture(db, id, now);
  if (!picture) throw new Error('A picture of a control case was deleted meanwhile.');
  const { framing } = picture;
  const scale = Math.max(width / framing.width, height / framing.height);
  const jpeg = await sharp(picture.jpeg)
    .resize(width, height, { fit: 'cover' })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  return {
    jpeg,
    framing: {
      width,
      height,
      eyesX: framing.eyesX * scale - (framing.width * scale - width) / 2,
      eyesY: framing.eyesY * scale - (framing.height * scale - height) / 2,
      interocularPx: framing.interocularPx * scale,
      rollRad: framing.rollRad,
    },
  };
}
