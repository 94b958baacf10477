/** People from the command line: the block list, and those whose addresses turned out to be one. */
import { readFile } from 'node:fs/promises';
import { BLOCK_ACTIONS, MAX_BLOCK_CONTACT_CHARS, MOST_BLOCK_DAYS } from '../contract/console/blocks.ts';
import { MAX_IMPORT_BYTES } from '../contract/console/people-import.ts';
import { importPeople } from '../services/people/import.ts';
import { blockPerson, endPersonBlock, readBlocks } from '../services/people/blocks.ts';
import { listTwins } from '../services/people/canonical.ts';
import { answer, CliError, type CommandInput, requiredChoice, requiredText } from './io.ts';
import { CLI_ACTOR, inCompany, inScope } from './with-database.ts';

const LISTED = 100;

/** People whose address became another person's when addresses were made canonical. */
export async function peopleTwins(input: CommandInput): Promise<unknown> {
  const { items } = await inCompany(input, ({ db }, companyId) =>
    listTwins(db, { companyId, partition: 'live' }),
  );
  return items;
}

/** Blocks in effect, the newest first. */
export async function peopleBlocks(input: CommandInput): Promise<void> {
  const { items, next_cursor: rest } = await inScope(input, (deps, scope) =>
    readBlocks(deps, scope, { limit: LISTED }),
  );
  // Before the notice, which would scroll away above the list.
  answer(input, items);
  if (rest !== null) {
    process.stderr.write(`Only the newest ${LISTED} are listed; the People page shows all.\n`);
  }
}

export async function peopleBlock(input: CommandInput): Promise<unknown> {
  const personId = requiredText(input, 'person');
  const text = requiredText(input, 'days');
  const days = Number(text);
  if (!/^\d+$/.test(text) || days < 1 || days > MOST_BLOCK_DAYS) {
    throw new CliError(`--days must be a whole number from 1 to ${MOST_BLOCK_DAYS}, not "${text}".`);
  }
  const contact = requiredText(input, 'contact');
  if (contact.length > MAX_BLOCK_CONTACT_CHARS) {
    throw new CliError(`--contact has at most ${MAX_BLOCK_CONTACT_CHARS} characters.`);
  }
  const block = {
    action: requiredChoice(input, 'action', BLOCK_ACTIONS),
    days,
    contact,
    reason: requiredText(input, 'reason'),
    actor: CLI_ACTOR,
  } as const;
  const { items } = await inScope(input, (deps, scope) => blockPerson(deps, scope, personId, block));
  return items[0] ?? null;
}

export async function peopleUnblock(input: CommandInput): Promise<unknown> {
  const personId = requiredText(input, 'person');
  const reason = requiredText(input, 'reason');
  const { items } = await inScope(input, (deps, scope) =>
    endPersonBlock(deps, scope, personId, { reason, actor: CLI_ACTOR }),
  );
  return items[0] ?? null;
}

/** Exits with 1 if a row was refused, after the rest was imported. */
export async function peopleImport(input: CommandInput): Promise<unknown> {
  const [file = ''] = input.positionals;
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CliError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  });
  if (bytes.length > MAX_IMPORT_BYTES) {
    throw new CliError(
      `${file} is larger than ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Divide it into several files.`,
    );
  }
  const isRehearsal = input.values['rehearse'] === true;
  const report = await inScope(input, (deps, scope) =>
    importPeople(deps, scope, { bytes, isRehearsal, actor: CLI_ACTOR }),
  );
  if (report.refused > 0) process.exitCode = 1;
  return report;
}
