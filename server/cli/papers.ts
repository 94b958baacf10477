import type { PaperName } from '../contract/console/papers.ts';
import { LANGUAGES } from '../contract/languages.ts';
import { markdownOf } from '../domain/papers/markdown.ts';
import { readKeptPaper } from '../services/papers/papers.ts';
import { CliError, type CommandInput, optionalChoice, print } from './io.ts';
import { inScope } from './with-database.ts';

/** A privacy paper as Markdown, from what an admin kept last: a command doesn't know the environment of the service. */
const paperOf =
  (paper: PaperName) =>
  async (input: CommandInput): Promise<unknown> => {
    const language = optionalChoice(input, 'language', LANGUAGES) ?? 'en';
    const kept = await inScope(input, ({ db }, scope) => readKeptPaper(db, scope, { paper, language }));
    if (kept === null)
      throw new CliError(
        'No version is kept. Open the console, Settings, Privacy, select a paper and then "Keep this version".',
      );
    if (input.values['json'] === true) return kept;
    print(markdownOf(kept));
    return undefined;
  };

export const privacyRecord = paperOf('record');
export const privacyAssessment = paperOf('assessment');
