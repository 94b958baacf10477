/** Privacy papers of a company: written from the settings each time that they are read. */
import { messagesOf } from '../../../locales/node.ts';
import type { PaperName, PaperView } from '../../contract/console/papers.ts';
import type { Language } from '../../contract/languages.ts';
import { writeAssessment } from '../../domain/papers/assessment.ts';
import { writeRecord } from '../../domain/papers/record.ts';
import type { Scope } from '../../domain/scope.ts';
import { iso } from '../wire/values.ts';
import { type FactDeps, readFacts } from './facts.ts';

export type PaperDeps = FactDeps;

const WRITERS = { record: writeRecord, assessment: writeAssessment } as const;

export async function readPaper(
  deps: PaperDeps,
  scope: Scope,
  { paper, language }: { paper: PaperName; language: Language },
): Promise<PaperView> {
  const facts = await readFacts(deps, scope);
  const writing = { words: messagesOf('papers', language), language };
  return {
    organiser: facts.organiser,
    written_at: iso(deps.clock.now()),
    paper: WRITERS[paper](facts, writing),
  };
}
