import { randomInt } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { ROLES } from '../contract/console/common.ts';
import { createOperator, resetOperator, resetOperatorFactor } from '../services/operators/operators.ts';
import { resetPasskeys } from '../services/operators/passkeys.ts';
import { findOperatorId, listOperatorRecords, recordOf } from '../services/operators/records.ts';
import { changeOperator } from '../services/operators/change.ts';
import { systemClock } from '../services/ports/clock.ts';
import type { Database } from '../store/sql/port.ts';
import {
  CliError,
  type CommandInput,
  optionalChoice,
  optionalText,
  requiredChoice,
  requiredText,
} from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

const operatorDeps = (db: Database) => ({ db, clock: systemClock, randomInt: (n: number) => randomInt(n) });

/** Prints the generated passphrase once, unless one was given. */
export async function operatorCreate(input: CommandInput): Promise<unknown> {
  const name = requiredText(input, 'name');
  const role = requiredChoice(input, 'role', ROLES);
  const passphrase = await readPassphrase(input);
  const made = await withDatabase(
    input,
    async (db) => {
      const companyIds = readCompanies(input);
      const request = { name, role, passphrase, companyIds, origin: 'cli', actor: CLI_ACTOR } as const;
      return createOperator(operatorDeps(db), request);
    },
    { mayBegin: true },
  );
  return { ...made.operator, passphrase: made.passphrase };
}

export const operatorList = (input: CommandInput): Promise<unknown> =>
  withDatabase(input, (db) => listOperatorRecords(operatorDeps(db)));

/** Changes the name, role or companies. */
export async function operatorUpdate(input: CommandInput): Promise<unknown> {
  const idOrName = requiredText(input, 'operator');
  const reason = requiredText(input, 'reason');
  const change = {
    name: optionalText(input, 'name'),
    role: optionalChoice(input, 'role', ROLES),
    companyIds: readCompanies(input),
  };
  return withDatabase(input, async (db) =>
    changeOperator(operatorDeps(db), await idOf(db, idOrName), change, { reason, actor: CLI_ACTOR }),
  );
}

/** `--companies ID,ID` or `--companies all`; undefined if omitted. */
function readCompanies(input: CommandInput): string[] | null | undefined {
  const text = optionalText(input, 'companies');
  if (text === undefined) return undefined;
  if (text.trim() === 'all') return null;
  const ids = text.split(',').map((id) => id.trim());
  if (ids.includes('')) throw new CliError('--companies takes company IDs separated by commas, or "all".');
  return ids;
}

/**
 * Sets a new passphrase for an operator who lost theirs, or removes the authenticator with `--second-factor`,
 * or all passkeys with `--passkeys`.
 */
export async function operatorReset(input: CommandInput): Promise<unknown> {
  const idOrName = requiredText(input, 'operator');
  const reason = requiredText(input, 'reason');
  if (input.values['second-factor'] === true) {
    return withDatabase(input, async (db) =>
      resetOperatorFactor(operatorDeps(db), await idOf(db, idOrName), { reason, actor: CLI_ACTOR }),
    );
  }
  if (input.values['passkeys'] === true) {
    return withDatabase(input, async (db) => {
      const id = await idOf(db, idOrName);
      await resetPasskeys(operatorDeps(db), id, { reason, actor: CLI_ACTOR });
      return recordOf(operatorDeps(db), id);
    });
  }
  const passphrase = await readPassphrase(input);
  const reset = await withDatabase(input, async (db) =>
    resetOperator(operatorDeps(db), await idOf(db, idOrName), { passphrase, reason, actor: CLI_ACTOR }),
  );
  return { ...reset.operator, passphrase: reset.passphrase };
}

async function idOf(db: Database, idOrName: string): Promise<string> {
  const id = await findOperatorId(db, idOrName);
  if (id === null)
    throw new CliError(
      `There is no operator ${idOrName}. Run "gatehouse operator list" to see all operators.`,
    );
  return id;
}

/** `--passphrase -` reads it from standard input, because other users can see the command line. */
async function readPassphrase(input: CommandInput): Promise<string | undefined> {
  const given = optionalText(input, 'passphrase');
  if (given === undefined) return undefined;
  if (input.values['key-stdin'] === true)
    throw new CliError(
      'Standard input already carries the database key. Leave out --passphrase, and Gatehouse generates one.',
    );
  if (given !== '-')
    throw new CliError(
      'Use "--passphrase -" and give the passphrase on standard input, so that it stays out of the shell history.',
    );
  return (await readAll(process.stdin)).replace(/\r?\n$/, '');
}
