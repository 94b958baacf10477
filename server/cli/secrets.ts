import { systemClock } from '../services/ports/clock.ts';
import { makeMetricsToken, revokeMetricsToken } from '../services/operators/metrics-token.ts';
import { answer, type CommandInput, requiredText, CliError } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';
import { rotateResultTokenKey } from '../services/passes/result-tokens.ts';
import { databaseUrlFrom } from '../data/location.ts';
import { OldKeyInUse, rotateDatabaseKey } from '../services/maintenance/database-key.ts';
import { currentKey } from '../store/sql/key-rotation.ts';

/** Prints a new token for `/metrics`, once; the previous token stops working. */
export async function metricsToken(input: CommandInput): Promise<void> {
  answer(input, {
    token: await withDatabase(input, (db) => makeMetricsToken(db, systemClock, CLI_ACTOR)),
  });
}

export async function metricsRevoke(input: CommandInput): Promise<void> {
  await withDatabase(input, (db) => revokeMetricsToken(db, systemClock, CLI_ACTOR));
  answer(input, { token: null });
}

/** Replaces the encryption key of result tokens. A running server uses the new key within a second. */
export async function resultTokenKeyRotate(input: CommandInput): Promise<void> {
  const reason = requiredText(input, 'reason');
  const version = await withDatabase(input, (db) =>
    rotateResultTokenKey(db, systemClock, { reason, actor: CLI_ACTOR }),
  );
  answer(input, { version });
}

/** Seals all secrets on PostgreSQL with the first key of the key file. Can be interrupted and repeated. */
export async function databaseKeyRotate(input: CommandInput): Promise<void> {
  const reason = requiredText(input, 'reason');
  if (databaseUrlFrom(process.env) === null)
    throw new CliError('This command is for PostgreSQL: set GATEHOUSE_DATABASE_URL.');
  const onProgress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} values`);
  };
  try {
    const rotated = await withDatabase(input, async (db) => ({
      key: currentKey(db),
      values: await rotateDatabaseKey(db, systemClock, { reason, actor: CLI_ACTOR, onProgress }),
    }));
    answer(input, rotated);
  } catch (error) {
    throw error instanceof OldKeyInUse ? new CliError(error.message) : error;
  }
}
