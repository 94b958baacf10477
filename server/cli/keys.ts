import { systemClock } from '../services/clock.ts';
import { listCompanyKeys, revokeKeys, rollKeys } from '../services/keys/keys.ts';
import { answer, CliError, type CommandInput, requiredChoice, requiredText } from './io.ts';
import { CLI_ACTOR, requiredCompany, withDatabase } from './with-database.ts';
import { OVERLAPS } from '../contract/console/keys.ts';

export async function keysList(input: CommandInput): Promise<void> {
  const keys = await withDatabase(input, async (db) =>
    listCompanyKeys(db, await requiredCompany(db, input), systemClock.now()),
  );
  answer(input, keys);
}

/** Revokes one key or both keys of a pair. A running server refuses them from the next request. */
export async function keysRevoke(input: CommandInput): Promise<void> {
  const keyOrPairId = requiredText(input, 'key');
  const reason = requiredText(input, 'reason');
  const revoked = await withDatabase(input, async (db) =>
    revokeKeys(db, systemClock, {
      companyId: await requiredCompany(db, input),
      keyOrPairId,
      reason,
      actor: CLI_ACTOR,
    }),
  );
  if (revoked.length === 0)
    throw new CliError(
      `This company has no working key or pair ${keyOrPairId}. Run "gatehouse keys list" to see its keys.`,
    );
  answer(input, revoked);
}

/** Prints the complete new pair, once. */
export async function keysRoll(input: CommandInput): Promise<void> {
  const pairId = requiredText(input, 'pair');
  const overlap = requiredChoice(input, 'overlap', OVERLAPS);
  const reason = requiredText(input, 'reason');
  const rolled = await withDatabase(input, async (db) => {
    const companyId = await requiredCompany(db, input);
    return db.tx((tx) =>
      rollKeys(tx, systemClock.now(), { companyId, pairId, overlap, reason, actor: CLI_ACTOR }),
    );
  });
  if (!rolled)
    throw new CliError(
      `This company has no working pair ${pairId}. Run "gatehouse keys list" to see its pairs.`,
    );
  answer(input, rolled);
}
