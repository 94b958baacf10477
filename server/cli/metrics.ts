import { systemClock } from '../services/clock.ts';
import { makeMetricsToken, revokeMetricsToken } from '../services/operators/metrics-token.ts';
import { answer, type CommandInput } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

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
