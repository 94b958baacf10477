import path from 'node:path';
import { databaseFrom, dataDirFrom, dataPaths } from '../data/location.ts';
import { switchDatabase } from '../data/finish-restore.ts';
import {
  openDatabase,
  prepareDataDir,
  refuseOnPostgres,
  refuseWithoutData,
  refuseWithoutParent,
} from '../data/folder.ts';
import { injectedKey } from '../data/injected-key.ts';
import { ownDataDir } from '../data/lock.ts';
import { moveData } from '../data/move.ts';
import { systemClock } from '../services/ports/clock.ts';
import { appendAudit } from '../store/operators/audit.ts';
import { collectStatistics, copiedTo, copyData, CopyError, forgetCopy } from '../store/backup/copy.ts';
import type { Database } from '../store/sql/port.ts';
import { openPostgres } from '../store/sql/postgres/driver.ts';
import { sharePostgres } from '../store/sql/postgres/node.ts';
import { type KeySource, readKeyRing } from '../store/sql/secrets.ts';
import { openSqlite } from '../store/sql/sqlite/driver.ts';
import { CLI_ACTOR, onlyForServers } from './with-database.ts';
import { CliError, type CommandInput, optionalText, requiredText } from './io.ts';

/** Moves the installation’s data. A file in the old folder then points to the new one. */
export async function dataMove(input: CommandInput): Promise<unknown> {
  refuseOnPostgres();
  // Commander refuses the command without it.
  const [target = ''] = input.positionals;
  const from = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const { left, ...moved } = await moveData(from, path.resolve(target));
  const note =
    'The data is in the new folder. These files of the old one could not be deleted. Delete them yourself.';
  return { ...moved, ...(left.length > 0 && { left, note }) };
}

/** Copies all data from the file to PostgreSQL, or from PostgreSQL into a new folder. The source can't be used afterwards. */
export async function dataCopy(input: CommandInput): Promise<unknown> {
  const to = requiredText(input, 'to');
  const isRehearsal = input.values['rehearse'] === true;
  const toPostgres = /^postgres(ql)?:/.test(to);
  const present = databaseFrom(process.env);
  if (toPostgres && present.databaseUrl !== null)
    throw new CliError(
      'GATEHOUSE_DATABASE_URL names the source, which is already on PostgreSQL. Use pg_dump.',
    );
  if (!toPostgres && present.databaseUrl === null)
    throw new CliError(
      'The data is already in a file. Use "gatehouse data move" to move it to another folder.',
    );
  const { databaseUrl, databaseKeys } = toPostgres
    ? databaseFrom({ ...process.env, GATEHOUSE_DATABASE_URL: to })
    : present;
  // `databaseFrom` refuses an address without keys.
  if (databaseUrl === null || databaseKeys === null)
    throw new CliError(
      'Set GATEHOUSE_DATABASE_URL to the address of the PostgreSQL database to copy to or from.',
    );
  const folder = toPostgres ? dataDirFrom(optionalText(input, 'data-dir'), process.env) : path.resolve(to);
  if (!toPostgres) refuseWithoutParent(folder);
  const startedAt = Date.now();
  const { tables, hasStatistics } = await withBoth(
    { folder, url: databaseUrl, keys: databaseKeys, toPostgres },
    async (file, server) => {
      const [source, target] = toPostgres ? [file, server] : [server, file];
      const copied = await copyData(source, target, {
        isRehearsal,
        onProgress: showProgress,
        nowMs: startedAt,
      });
      const needsStatistics = toPostgres && !isRehearsal;
      return { tables: copied, hasStatistics: !needsStatistics || (await collectStatistics(server)) };
    },
  );
  return {
    ...(isRehearsal ? { rehearsal: 'nothing was copied' } : {}),
    ...(hasStatistics
      ? {}
      : { note: 'Everything was copied. Run ANALYZE in PostgreSQL before you start the service.' }),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    tables: tables.filter(({ rows }) => rows > 0),
  };
}

/** Makes the source of a copy usable again, for when the copy is not used. */
export async function dataReopen(input: CommandInput): Promise<unknown> {
  const reason = requiredText(input, 'reason');
  const folder = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const present = databaseFrom(process.env);
  if (present.databaseUrl === null) refuseWithoutData(folder);
  const db = await openDatabase(folder, {
    ...present,
    acceptsCopied: true,
    beforeMigration: onlyForServers(present),
  });
  try {
    await db.tx(async (tx) => {
      const copied = await copiedTo(tx);
      if (copied === null)
        throw new CliError('This data is already usable: no copy replaces it. Nothing was changed.');
      await forgetCopy(tx);
      await appendAudit(tx, {
        at: systemClock.now(),
        actor: CLI_ACTOR,
        action: 'data.reopen',
        subject: 'installation',
        details: { engine: copied.engine, reason },
      });
    });
    return { reopened: true };
  } finally {
    await db.close();
  }
}

/** Opens both databases while nothing else uses them. */
async function withBoth<T>(
  { folder, url, keys, toPostgres }: { folder: string; url: string; keys: KeySource; toPostgres: boolean },
  work: (file: Database, server: Database) => Promise<T>,
): Promise<T> {
  if (toPostgres) refuseWithoutData(folder);
  prepareDataDir(folder);
  const lock = ownDataDir(folder);
  try {
    // A decided restore belongs to the data: without it, the copy would contain what the restore has replaced.
    switchDatabase(folder);
    const { database, key } = dataPaths(folder);
    const file = await openSqlite({
      path: database,
      keyPath: key,
      key: injectedKey(),
      beforeMigration: async () => refuseOlder(`The data in ${folder}`),
    });
    try {
      const beforeMigration = (schemaVersion: number) => {
        if (schemaVersion > 0) refuseOlder('The database on PostgreSQL');
        if (!toPostgres)
          throw new CopyError(
            'The database on PostgreSQL contains no Gatehouse data. Check the name of the database in GATEHOUSE_DATABASE_URL.',
          );
      };
      return await onPostgresAlone({ url, keys, beforeMigration }, (server) => work(file, server));
    } finally {
      await file.close();
    }
  } finally {
    lock.release();
  }
}

/** Only the service makes a backup before it changes the data, so a copy never does. */
function refuseOlder(data: string): never {
  throw new CopyError(
    `${data} was written by an older version. Start the service on it once and stop it again, then copy.`,
  );
}

async function onPostgresAlone<T>(
  {
    url,
    keys,
    beforeMigration,
  }: { url: string; keys: KeySource; beforeMigration: (schemaVersion: number) => void },
  work: (server: Database) => Promise<T>,
): Promise<T> {
  const server = await openPostgres({ url, keys: await readKeyRing(keys), beforeMigration });
  try {
    const done: T[] = [];
    const node = await sharePostgres(url, async () => {
      done.push(await work(server));
    });
    await node.release();
    const [result] = done;
    if (result === undefined)
      throw new CopyError(
        'A node is running on PostgreSQL. Stop all nodes, then try again. If one was killed, wait a minute.',
      );
    return result;
  } finally {
    await server.close();
  }
}

function showProgress(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${table}: ${rows} rows`);
}
