import path from 'node:path';
import { dataDirFrom } from '../config.ts';
import { refuseOnPostgres } from '../data/folder.ts';
import { moveData } from '../data/move.ts';
import { answer, type CommandInput, optionalText } from './io.ts';

/** Moves the installation's data; the old folder says from then on where it is. */
export async function dataMove(input: CommandInput): Promise<void> {
  refuseOnPostgres();
  // Commander has refused the command without it.
  const [target = ''] = input.positionals;
  const from = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  answer(input, await moveData(from, path.resolve(target)));
}
