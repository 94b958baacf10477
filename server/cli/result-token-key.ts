import { systemClock } from '../services/clock.ts';
import { rotateResultTokenKey } from '../services/passes/result-tokens.ts';
import { answer, type CommandInput, requiredText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Replaces the encryption key of result tokens. A running server uses the new key within a second. */
export async function resultTokenKeyRotate(input: CommandInput): Promise<void> {
  const reason = requiredText(input, 'reason');
  const version = await withDatabase(input, (db) =>
    rotateResultTokenKey(db, systemClock, { reason, actor: CLI_ACTOR }),
  );
  answer(input, { version });
}
