/** Parts of a paper. */
import type { PapersMessages } from '../../../locales/types/papers.ts';
import type { PaperRow } from '../../contract/console/papers.ts';
import type { Language } from '../../contract/languages.ts';

export type Writing = { words: PapersMessages; language: Language };

/** What the settings say; a question may follow. */
export const fact = (
  id: string,
  title: string,
  lines: readonly (string | false)[],
  question: string | null = null,
): PaperRow => ({ id, title, lines: lines.filter((line) => line !== false), question });

/** What no setting can say. */
export const ask = (id: string, title: string, question: string): PaperRow => fact(id, title, [], question);
