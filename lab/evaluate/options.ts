/** The options of `npm run evaluate`, checked before anything is fetched or played. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { CLIP_KINDS, HALVES, type ClipKind, type Half } from './plan.ts';

export type EvaluateOptions = {
  fit?: true;
  half?: Half;
  portraits?: string;
  sample?: number;
  kind?: ClipKind[];
  report?: string;
  recordings?: string;
  phone?: true;
  claim?: true;
  rendered?: true;
  keyStdin?: true;
};

/** Parses the folder as its only argument; a wrong option ends the process with a sentence that names the allowed values. */
export const evaluateProgram = (): Command =>
  new Command('npm run evaluate --')
    .argument('[folder]', 'recorded clips; the built-in set where left out')
    .addOption(new Option('--half <half>', 'play one half of the built-in people').choices(HALVES))
    .option('--portraits <folder>', 'pictures of faces, each played as a further person')
    .option('--sample <n>', 'clips of each kind and built-in person', wholeNumber)
    .addOption(new Option('--kind <kinds...>', 'play these kinds of the built-in set').choices(CLIP_KINDS))
    .option('--recordings <data-folder>', 'captures recorded with "gatehouse record"')
    .option('--key-stdin', 'read the key of the data folder from standard input')
    .option('--rendered', 'the built-in set, too')
    .option('--phone', 'play captures as of a phone, which moves with the hand')
    .option('--claim', 'the fast lane beside the full check: guests whose ticket names them')
    .option('--report <file>', 'write a page for an auditor', htmlFile)
    .option('--fit', 'print newly fitted weights')
    .allowExcessArguments(false)
    .hook('preAction', (program) => {
      const { half, portraits, sample, kind, rendered, recordings } = program.opts<EvaluateOptions>();
      const isRenderedPlayed = rendered === true || (program.args.length === 0 && recordings === undefined);
      if (!isRenderedPlayed && [half, portraits, sample, kind].some((option) => option !== undefined))
        program.error(
          'error: --half, --portraits, --sample and --kind are for the built-in set: add --rendered to play it, too.',
        );
    })
    .action(() => undefined);

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Allowed: a whole number from 1.');
  return Number(value);
}

function htmlFile(value: string): string {
  if (!value.endsWith('.html'))
    throw new InvalidArgumentError('Allowed: a file that ends in .html. A browser prints it as a PDF.');
  return value;
}
