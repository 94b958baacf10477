import { systemClock } from '../services/clock.ts';
import { runRetention } from '../services/retention/run.ts';
import { answer, type CommandInput } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Removes what has been kept long enough, now instead of at night. */
export async function retentionRun(input: CommandInput): Promise<void> {
  answer(input, {
    removed: await withDatabase(input, (db) => runRetention(db, systemClock, CLI_ACTOR)),
  });
}
