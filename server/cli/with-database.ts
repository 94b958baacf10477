import { databaseFrom, dataDirFrom } from '../data/location.ts';
import { openDatabase, refuseWithoutData } from '../data/folder.ts';
import { findCompany } from '../store/companies/companies.ts';
import type { Database } from '../store/sql/port.ts';
import { ConsoleError } from '../services/errors.ts';
import { CliError, type CommandInput, optionalText, requiredText } from './io.ts';

/** The actor that the audit log records for commands. */
export const CLI_ACTOR = 'cli';

/**
 * Opens the database, even while a server runs, and always closes it.
 * @param mayBegin the command may be the first one of an installation; any other is refused in a folder without data, where it
 *   would report success for something that the running service never sees
 * @throws ConfigError
 */
export async function withDatabase<T>(
  input: CommandInput,
  work: (db: Database) => Promise<T>,
  { mayBegin = false } = {},
): Promise<T> {
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const location = databaseFrom(process.env);
  if (!mayBegin && location.databaseUrl === null) refuseWithoutData(dataDir);
  const db = await openDatabase(dataDir, location);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** The company that `--company` names. @throws CliError */
export async function requiredCompany(db: Database, input: CommandInput): Promise<string> {
  const id = requiredText(input, 'company');
  if (!(await findCompany(db, id)))
    throw new CliError(`There is no company ${id}. Run "gatehouse company list" to see all companies.`);
  return id;
}

/** Turns a refusal of a service into one of the command. */
export async function asCliError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ConsoleError) throw new CliError(error.message);
    throw error;
  }
}
