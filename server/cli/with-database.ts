import { PARTITION_NAMES } from '../contract/console/common.ts';
import { ConfigError } from '../data/errors.ts';
import { type DatabaseLocation, databaseFrom, dataDirFrom } from '../data/location.ts';
import type { Scope } from '../domain/scope.ts';
import { parseAllowHosts } from '../domain/webhooks/destination.ts';
import { openDatabase, refuseWithoutData } from '../data/folder.ts';
import { listAllCompanies } from '../services/companies/companies.ts';
import { systemClock } from '../services/ports/clock.ts';
import { allowHostsNow } from '../services/webhooks/allow-list.ts';
import { findCompany } from '../store/companies/companies.ts';
import type { Database } from '../store/sql/port.ts';
import { CliError, type CommandInput, optionalChoice, optionalText, requiredText } from './io.ts';

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
  const db = await openDatabase(dataDir, {
    ...location,
    beforeMigration: onlyForServers(location, mayBegin),
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * On PostgreSQL, a command changes no schema: nodes of the older version may be running, and could not start again. Nor does
 * it begin an installation in a database that was named by mistake.
 */
export const onlyForServers =
  ({ databaseUrl }: Pick<DatabaseLocation, 'databaseUrl'>, mayBegin = false) =>
  (schemaVersion: number): void => {
    if (databaseUrl === null || (schemaVersion === 0 && mayBegin)) return;
    throw new ConfigError(
      schemaVersion === 0
        ? 'The database that GATEHOUSE_DATABASE_URL names contains no Gatehouse data. Check its name. Nothing was changed.'
        : 'The database on PostgreSQL was written by an older version. Start a node of this version first, or run the command with the older one. Nothing was changed.',
    );
  };

/** The company that `--company` names. @throws CliError */
export async function requiredCompany(db: Database, input: CommandInput): Promise<string> {
  const id = requiredText(input, 'company');
  if (!(await findCompany(db, id)))
    throw new CliError(`There is no company ${id}. Run "gatehouse company list" to see all companies.`);
  return id;
}

/** What services take of a command: webhooks may go where the service lets them, but for its own addresses. */
export const depsOf = (db: Database) => ({
  db,
  clock: systemClock,
  webhooks: {
    policy: async () => ({
      allowHosts: await allowHostsNow(
        db,
        parseAllowHosts(process.env['GATEHOUSE_WEBHOOK_ALLOW_HOSTS']) ?? [],
      ),
      ownAddresses: new Set<string>(),
      ownPorts: new Set<number>(),
    }),
  },
});
type Deps = ReturnType<typeof depsOf>;

/** Works on the company that `--company` names. @throws CliError */
export const inCompany = <T>(
  input: CommandInput,
  work: (deps: Deps, companyId: string) => Promise<T>,
): Promise<T> => withDatabase(input, async (db) => work(depsOf(db), await requiredCompany(db, input)));

/** Works on that company's live partition, or on the one that `--partition` names. @throws CliError */
export const inScope = <T>(
  input: CommandInput,
  work: (deps: Deps, scope: Scope) => Promise<T>,
): Promise<T> => {
  const partition = optionalChoice(input, 'partition', PARTITION_NAMES) ?? 'live';
  return inCompany(input, (deps, companyId) => work(deps, { companyId, partition }));
};

/** The company that `--company` names; without it, the oldest of the installation. */
export async function companyOrOldest(db: Database, input: CommandInput): Promise<string> {
  if (optionalText(input, 'company') !== undefined) return requiredCompany(db, input);
  const [oldest] = await listAllCompanies(db);
  if (!oldest) throw new CliError('There is no company yet. Create one in the window of Gatehouse first.');
  return oldest.company_id;
}
