import { databaseFrom } from '../config.ts';
import { systemClock } from '../services/clock.ts';
import { OldKeyInUse, rotateDatabaseKey } from '../services/maintenance/database-key.ts';
import { readKeyRing } from '../store/sql/secrets.ts';
import { answer, CliError, type CommandInput, requiredText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Seals all secrets on PostgreSQL with the first key of the key file. Can be interrupted and repeated. */
export async function databaseKeyRotate(input: CommandInput): Promise<void> {
  const reason = requiredText(input, 'reason');
  const { databaseUrl, databaseKeyFile } = databaseFrom(process.env);
  if (databaseUrl === null || databaseKeyFile === null)
    throw new CliError('This command is for PostgreSQL: set GATEHOUSE_DATABASE_URL.');
  const ring = readKeyRing(databaseKeyFile);
  const onProgress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} values`);
  };
  try {
    const values = await withDatabase(input, (db) =>
      rotateDatabaseKey(db, systemClock, ring, { reason, actor: CLI_ACTOR, onProgress }),
    );
    answer(input, { key: ring.current, values });
  } catch (error) {
    throw error instanceof OldKeyInUse ? new CliError(error.message) : error;
  }
}
