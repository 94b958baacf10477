/** Whose face a capture shows: exact search, thresholds for the number searched, and the stand-out condition. */
import {
  judgeMatch,
  type MatchThresholds,
  standout,
  strangerLevel,
  thresholdsFor,
} from '../../domain/matching/matching.ts';
import { ORDINARY_NEARNESS } from '../../domain/settling/score.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Scope } from '../../domain/scope.ts';
import type { FaceEngine } from '../../face/engine.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { areDistinct } from '../../store/reviews/cases.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { hasOnlyOlderTemplates } from '../../store/matching/templates.ts';
import { readyCohort, type Stranger } from './cohort.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex, FaceIndexSearch, Hit } from './face-index.ts';
import { readMatchMargin } from './match-margin.ts';
import type { Owners } from './owners.ts';

export type Identified = {
  /** The person; null for a new one. */
  personId: string | null;
  /** Others who may be the same person. */
  nearIds: string[];
  /** Of these, the ones who match as well as the person and whom no reviewer has told apart from them. */
  alsoSameIds: string[];
  /** The closest other person's cosine as a share of the same-person threshold. */
  nearness: number;
  /** Null if no search was made. */
  likeness: Likeness | null;
};

/** Details of a match for the reviewer: the cosine of everyone near the face, and the thresholds at that number. */
export type Likeness = { byPerson: ReadonlyMap<string, number>; thresholds: MatchThresholds };

/** `margin` is the admin's setting, read when the search starts. */
export type ProbeSearch = { probe: Float32Array; pool: FacePool; found: FaceIndexSearch; margin: number };

type Matching = Pick<Ports, 'faces'> & { faceIndex: FaceIndex };
type Searching = Matching & Pick<Ports, 'db'>;

/** The model's thresholds plus the admin's margin, for a search among `enrolled` people. */
export async function matchThresholds(
  db: SqlReader,
  faces: Pick<FaceEngine, 'thresholds'>,
  enrolled: number,
): Promise<MatchThresholds> {
  return thresholdsWith(await readMatchMargin(db), faces, enrolled);
}

function thresholdsWith(
  margin: number,
  { thresholds: { near, samePerson } }: Pick<FaceEngine, 'thresholds'>,
  enrolled: number,
): MatchThresholds {
  return thresholdsFor(enrolled, { near: near + margin, same: samePerson + margin });
}

/** Below this a cosine means nothing: neither for a match nor for the nearness in the score. */
const floorOf = ({ near, same }: MatchThresholds): number => Math.min(near, ORDINARY_NEARNESS * same);

/** Searches everyone in the pool, outside any transaction. */
export async function searchFaceIndex(
  { db, faceIndex, faces }: Searching,
  pool: FacePool,
  probe: Float32Array,
): Promise<ProbeSearch> {
  const margin = await readMatchMargin(db);
  const floor = floorOf(thresholdsWith(margin, faces, faceIndex.enrolled(pool)));
  return { probe, pool, found: await faceIndex.search(pool, probe, floor), margin };
}

/**
 * Decides inside the settling transaction, from the people enrolled at that time.
 * @param claimed the person whom the face was compared with one to one; others who match as well are still found
 */
export async function identify(
  deps: Matching,
  tx: SqlTx,
  { session, owners, claimed = null }: { session: Session; owners: Owners; claimed?: string | null },
  search: ProbeSearch | null,
): Promise<Identified> {
  if (!search) return { personId: null, nearIds: [], alsoSameIds: [], nearness: 0, likeness: null };
  const { probe, pool, found, margin } = search;
  const { scope } = session;
  const thresholds = thresholdsWith(margin, deps.faces, found.enrolled);
  const hits = await deps.faceIndex.compare(tx, pool, probe, floorOf(thresholds), found);
  const judged = await judgeHits(deps, tx, { search, hits, thresholds });
  const idsOf = (match: 'same' | 'near') =>
    judged.filter((one) => one.match === match).map(({ personId }) => personId);
  const personId =
    claimed ??
    (await personAmong(tx, scope, owners, { same: idsOf('same'), near: idsOf('near') })) ??
    (await renewedOwner(deps, tx, pool, owners));
  const alsoSameIds: string[] = [];
  if (personId !== null) {
    for (const other of idsOf('same')) {
      if (other !== personId && !(await areDistinct(tx, scope, [personId, other]))) alsoSameIds.push(other);
    }
  }
  return {
    personId,
    alsoSameIds,
    nearIds: [...idsOf('same'), ...idsOf('near')].filter((id) => id !== personId),
    nearness: (hits.find((hit) => hit.personId !== personId)?.similarity ?? 0) / thresholds.same,
    likeness: { byPerson: new Map(hits.map((hit) => [hit.personId, hit.similarity])), thresholds },
  };
}

async function judgeHits(
  { faces }: Matching,
  tx: SqlTx,
  { search, hits, thresholds }: { search: ProbeSearch; hits: readonly Hit[]; thresholds: MatchThresholds },
) {
  const likely = hits.filter((hit) => hit.similarity >= thresholds.near);
  if (likely.length === 0) return [];
  const cohort = await readyCohort(tx, search.pool, faces, search.found.enrolled);
  return likely.map((hit) => ({
    personId: hit.personId,
    match: judgeMatch(hit.similarity, cohort && standoutOf(search.probe, hit, cohort), thresholds),
  }));
}

/** The cohort consists of other people, so the compared person is left out. */
function standoutOf(probe: Float32Array, hit: Hit, cohort: readonly Stranger[]): number {
  const others = cohort.filter(({ personId }) => personId !== hit.personId).map(({ vector }) => vector);
  return standout(hit.similarity, strangerLevel(probe, others), strangerLevel(hit.vector, others));
}

/**
 * The person whom the face matches: the best of those who reach the threshold. If a reviewer has told look-alikes
 * apart, the one who owns the run's account; a near match is enough, because the other one's face is as good an explanation.
 */
async function personAmong(
  tx: SqlTx,
  scope: Scope,
  { identityOwnerId, externalIdOwnerId }: Owners,
  { same, near }: { same: readonly string[]; near: readonly string[] },
): Promise<string | null> {
  const [best] = same;
  if (best === undefined) return null;
  for (const other of [...same.slice(1), ...near]) {
    const isOwner = other === identityOwnerId || other === externalIdOwnerId;
    if (isOwner && (await areDistinct(tx, scope, [best, other]))) return other;
  }
  return best;
}

/**
 * Templates of an older embedding model can’t be compared. A person with the credential or external ID of someone who has
 * only such templates is accepted as that person and enrolled again. Otherwise everyone who returns after a change of
 * model would be refused as someone else.
 */
async function renewedOwner(
  { faces }: Matching,
  tx: SqlTx,
  pool: FacePool,
  { identityOwnerId, externalIdOwnerId }: Owners,
): Promise<string | null> {
  const owner = identityOwnerId ?? externalIdOwnerId;
  if (owner === null || (externalIdOwnerId !== null && externalIdOwnerId !== owner)) return null;
  return (await hasOnlyOlderTemplates(tx, pool, faces.embeddingModel, owner)) ? owner : null;
}
