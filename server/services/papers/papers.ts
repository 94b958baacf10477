/** Privacy papers of a company: written from the settings each time that they are read. An admin can keep what they are written from. */
import { messagesOf } from '../../../locales/node.ts';
import type { KeptPapers, PaperName, PaperView } from '../../contract/console/papers.ts';
import type { Language } from '../../contract/languages.ts';
import { type Actor, operatorOf } from '../../domain/operators/actor.ts';
import { writeAssessment } from '../../domain/papers/assessment.ts';
import { differencesOf } from '../../domain/papers/differences.ts';
import type { PaperFacts } from '../../domain/papers/facts.ts';
import { writeRecord } from '../../domain/papers/record.ts';
import type { Scope } from '../../domain/scope.ts';
import { notFound } from '../../refusals/refusal.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findOperator } from '../../store/operators/operators.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { newId } from '../ports/ids.ts';
import { iso } from '../wire/values.ts';
import { type FactDeps, readFacts } from './facts.ts';

export type PaperDeps = FactDeps;

const WRITERS = { record: writeRecord, assessment: writeAssessment } as const;

/** What both papers were written from. The oldest of more goes. */
type Kept = { id: string; at: number; by: Actor; facts: PaperFacts };
const MOST_KEPT = 20;

/** One setting for each company and partition, so that a change takes the lock of that company only. */
const settingOf = ({ companyId, partition }: Scope): string => `privacy_papers/${companyId}/${partition}`;

/** Newest first. */
export const readKept = async (db: SqlReader, scope: Scope): Promise<readonly Kept[]> =>
  (await readSetting<Kept[]>(db, settingOf(scope))) ?? [];

export async function forgetPapers(tx: SqlTx, companyId: string): Promise<void> {
  for (const partition of ['live', 'test'] as const)
    await writeSetting(tx, settingOf({ companyId, partition }), null);
}

/**
 * @param version a kept one; undefined for the settings in force
 * @throws Refusal `not_found`
 */
export async function readPaper(
  deps: PaperDeps,
  scope: Scope,
  { paper, language, version }: { paper: PaperName; language: Language; version?: string | undefined },
): Promise<PaperView> {
  const { db, clock } = deps;
  const now = await readFacts(deps, scope);
  const kept = await readKept(db, scope);
  const shown = version === undefined ? null : kept.find(({ id }) => id === version);
  if (shown === undefined) throw notFound();
  const write = (facts: PaperFacts) =>
    // A version before may have kept fewer facts. Those differ in nothing.
    WRITERS[paper]({ ...now, ...facts }, { words: messagesOf('papers', language), language });
  const since = shown ?? kept[0];
  return {
    organiser: (shown?.facts ?? now).organiser,
    written_at: iso(shown?.at ?? clock.now()),
    paper: write(shown?.facts ?? now),
    shown: shown?.id ?? null,
    is_changed: since !== undefined && isOther(since.facts, now),
    kept: await Promise.all(kept.map((each) => toKept(db, each))),
    differences: since === undefined ? [] : differencesOf(write(since.facts), write(now)),
  };
}

/** Both are written in one order. */
const isOther = (one: PaperFacts, other: PaperFacts): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);

const toKept = async (db: SqlReader, { id, at, by }: Kept): Promise<KeptPapers> => ({
  kept_id: id,
  kept_at: iso(at),
  kept_by: (await findOperator(db, operatorOf(by) ?? ''))?.name ?? null,
});

/** As it was kept last; null if it never was. */
export async function readKeptPaper(
  db: SqlReader,
  scope: Scope,
  { paper, language }: { paper: PaperName; language: Language },
): Promise<Pick<PaperView, 'organiser' | 'written_at' | 'paper'> | null> {
  const [newest] = await readKept(db, scope);
  if (newest === undefined) return null;
  const { facts, at } = newest;
  const written = WRITERS[paper](facts, { words: messagesOf('papers', language), language });
  return { organiser: facts.organiser, written_at: iso(at), paper: written };
}

/** Keeps what the papers are written from now. Without a change since the last time, that one stays the newest. */
export async function keepPapers(deps: PaperDeps, scope: Scope, actor: Actor): Promise<KeptPapers> {
  const { db, clock } = deps;
  const facts = await readFacts(deps, scope);
  const kept = await db.tx(async (tx) => {
    const before = await readKept(tx, scope);
    const [newest] = before;
    if (newest !== undefined && !isOther(newest.facts, facts)) return newest;
    const at = clock.now();
    const made: Kept = { id: newId(at), at, by: actor, facts };
    await writeSetting(tx, settingOf(scope), [made, ...before].slice(0, MOST_KEPT));
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'papers.keep',
      subject: scope.companyId,
      details: { kept_id: made.id },
    });
    return made;
  }, scope);
  return toKept(db, kept);
}
