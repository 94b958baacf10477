/** The enrolled faces in memory: one exact index a scope, in step with the store. */
import { cosine, normalisedMean } from '../domain/matching.ts';
import type { Scope } from '../domain/scope.ts';
import { FlatIndex, type Hit } from '../face/index/flat-index.ts';
import type { SqlReader } from '../store/port.ts';
import { listTemplateScopes, listTemplatesAfter, listTemplatesOf } from '../store/templates.ts';

const PAGE = 2_000;

export type GallerySearch = {
  hits: Hit[];
  /** People searched. */
  enrolled: number;
  /** Last template that the search has seen; what came later is looked at inside the settling transaction. */
  seenSeq: number;
};

export type Gallery = {
  /** Everyone of the scope at or above `floor` cosine, best first. */
  search(scope: Scope, probe: Float32Array, floor: number): Promise<GallerySearch>;
  /**
   * The same for people whose templates came after `seenSeq`, read through a transaction: together with `search` no
   * one is missed who was enrolled before this settlement, here or by another process.
   */
  searchSince(
    tx: SqlReader,
    scope: Scope,
    probe: Float32Array,
    floor: number,
    seenSeq: number,
  ): Promise<Hit[]>;
  /** Takes in what has been committed since. */
  catchUp(scope: Scope): Promise<void>;
  /** Takes an erased person out. */
  forget(scope: Scope, personId: string): void;
  enrolled(scope: Scope): number;
};

type Shelf = { index: FlatIndex; seenSeq: number };

/** Loads every scope's templates of `model`. */
export async function openGallery(
  db: SqlReader,
  model: { id: string; embeddingLength: number },
): Promise<Gallery> {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (scope: Scope): Shelf => {
    const name = `${scope.companyId}/${scope.partition}`;
    let shelf = shelves.get(name);
    if (!shelf) {
      shelf = { index: new FlatIndex(model.embeddingLength), seenSeq: 0 };
      shelves.set(name, shelf);
    }
    return shelf;
  };

  async function catchUp(scope: Scope): Promise<void> {
    const shelf = shelfOf(scope);
    for (;;) {
      const templates = await listTemplatesAfter(db, scope, model.id, shelf.seenSeq, PAGE);
      for (const template of templates) {
        // Two callers may catch up at once: each template counts one time.
        if (template.seq <= shelf.seenSeq) continue;
        shelf.index.add(template.personId, template.vector);
        shelf.seenSeq = template.seq;
      }
      if (templates.length < PAGE) return;
    }
  }

  for (const scope of await listTemplateScopes(db)) await catchUp(scope);

  return {
    catchUp,
    forget: (scope, personId) => void shelfOf(scope).index.remove(personId),
    enrolled: (scope) => shelfOf(scope).index.size,
    async search(scope, probe, floor) {
      const { index, seenSeq } = shelfOf(scope);
      return { enrolled: index.size, seenSeq, hits: await index.search(probe, floor) };
    },
    async searchSince(tx, scope, probe, floor, seenSeq) {
      const fresh = await listTemplatesAfter(tx, scope, model.id, seenSeq, Number.MAX_SAFE_INTEGER);
      const hits: Hit[] = [];
      for (const personId of new Set(fresh.map((template) => template.personId))) {
        const templates = await listTemplatesOf(tx, scope, model.id, personId);
        const similarity = cosine(probe, normalisedMean(templates.map((template) => template.vector)));
        if (similarity >= floor) hits.push({ personId, similarity });
      }
      return hits;
    },
  };
}
