import path from 'node:path';
import { databaseFrom, dataDirFrom } from '../config.ts';
import { prepareDataDir, refuseOnPostgres } from '../data/folder.ts';
import { injectedKey } from '../data/injected-key.ts';
import { ownDataDir } from '../data/lock.ts';
import { moveData } from '../data/move.ts';
import { dataPaths } from '../data/paths.ts';
import { copyData, CopyError, type CopiedTable } from '../store/sql/copy.ts';
import type { Database } from '../store/sql/port.ts';
import { openPostgres } from '../store/sql/postgres.ts';
import { sharePostgres } from '../store/sql/postgres-node.ts';
import { readKeyRing } from '../store/sql/secrets.ts';
import { openSqlite } from '../store/sql/sqlite.ts';
import { answer, CliError, type CommandInput, optionalText, requiredText } from './io.ts';

/** Moves the installation’s data. A file in the old folder then points to the new one. */
export async function dataMove(input: CommandInput): Promise<void> {
  refuseOnPostgres();
  // Commander refuses the command without it.
  const [target = ''] = input.positionals;
  const from = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  answer(input, await moveData(from, path.resolve(target)));
}

/** Copies all data from the file to PostgreSQL, or from PostgreSQL into a new folder. The source stays as it is. */
export async function dataCopy(input: CommandInput): Promise<void> {
  const to = requiredText(input, 'to');
  const isRehearsal = input.values['rehearse'] === true;
  const toPostgres = /^postgres(ql)?:/.test(to);
  const present = databaseFrom(process.env);
  if (toPostgres && present.databaseUrl !== null)
    throw new CliError(
      'GATEHOUSE_DATABASE_URL names the source, which is on PostgreSQL already. Use pg_dump.',
    );
  if (!toPostgres && present.databaseUrl === null)
    throw new CliError('The data is in a file already. Use "gatehouse data move" for another folder.');
  const { databaseUrl, databaseKeyFile } = toPostgres
    ? databaseFrom({ ...process.env, GATEHOUSE_DATABASE_URL: to })
    : present;
  const folder = toPostgres ? dataDirFrom(optionalText(input, 'data-dir'), process.env) : path.resolve(to);
  const startedAt = Date.now();
  const tables = await withBoth(
    { folder, url: databaseUrl ?? '', keyFile: databaseKeyFile ?? '' },
    (file, server) =>
      copyData(toPostgres ? file : server, toPostgres ? server : file, {
        isRehearsal,
        onProgress: showProgress,
      }),
  );
  answer(input, {
    ...(isRehearsal ? { rehearsal: 'nothing was copied' } : {}),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    tables: tables.filter(({ rows }) => rows > 0),
  });
}

/** Opens both databases while nothing else uses them. */
async function withBoth(
  { folder, url, keyFile }: { folder: string; url: string; keyFile: string },
  work: (file: Database, server: Database) => Promise<CopiedTable[]>,
): Promise<CopiedTable[]> {
  prepareDataDir(folder);
  const lock = ownDataDir(folder);
  try {
    const { database, key } = dataPaths(folder);
    const file = await openSqlite({ path: database, keyPath: key, key: injectedKey() });
    try {
      return await onPostgresAlone(url, keyFile, (server) => work(file, server));
    } finally {
      await file.close();
    }
  } finally {
    lock.release();
  }
}

async function onPostgresAlone(
  url: string,
  keyFile: string,
  work: (server: Database) => Promise<CopiedTable[]>,
): Promise<CopiedTable[]> {
  const server = await openPostgres({ url, keys: readKeyRing(keyFile) });
  try {
    const copied: CopiedTable[][] = [];
    const node = await sharePostgres(url, async () => {
      copied.push(await work(server));
    });
    await node.release();
    const [tables] = copied;
    if (tables === undefined)
      throw new CopyError('A node is running on PostgreSQL. Stop all nodes, then try again.');
    return tables;
  } finally {
    await server.close();
  }
}

function showProgress(table: string, rows: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${table}: ${rows} rows`);
}
