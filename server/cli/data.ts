import path from 'node:path';
import { dataDirFrom } from '../config.ts';
import { moveData } from '../data/move.ts';
import { answer, CliError, type CommandInput, optionalText } from './io.ts';

/** Moves the installation's data; the old folder says from then on where it is. */
export async function dataMove(input: CommandInput): Promise<void> {
  const [target, ...more] = input.positionals;
  if (target === undefined || more.length > 0) throw new CliError('Name the new folder.');
  const from = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  answer(input, await moveData(from, path.resolve(target)));
}
