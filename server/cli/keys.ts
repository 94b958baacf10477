import { serverConfig } from '../config.ts';
import { systemClock } from '../services/ports/clock.ts';
import { issuePair, listCompanyKeys, revokeKeys, rollKeys } from '../services/keys/keys.ts';
import { renameKeyPair } from '../services/keys/manage.ts';
import { listKeys } from '../store/keys/keys.ts';
import {
  answer,
  CliError,
  type CommandInput,
  optionalText,
  print,
  requiredChoice,
  requiredText,
} from './io.ts';
import { asCliError, CLI_ACTOR, companyOrOldest, requiredCompany, withDatabase } from './with-database.ts';
import { OVERLAPS } from '../contract/console/keys.ts';

export async function keysList(input: CommandInput): Promise<void> {
  const keys = await withDatabase(input, async (db) =>
    listCompanyKeys(db, await requiredCompany(db, input), systemClock.now()),
  );
  answer(input, keys);
}

/** Says what the keys are for. A roll keeps it. */
export async function keysRename(input: CommandInput): Promise<void> {
  const pairId = requiredText(input, 'pair');
  const name = optionalText(input, 'name') ?? null;
  const pair = await asCliError(
    withDatabase(input, async (db) => {
      const companyId = await requiredCompany(db, input);
      const partition = (await listKeys(db, companyId)).find((key) => key.pairId === pairId)?.partition;
      if (partition === undefined)
        throw new CliError(`This company has no pair ${pairId}. Run "gatehouse keys list" to see its pairs.`);
      const request = { scope: { companyId, partition }, name, actor: CLI_ACTOR } as const;
      return renameKeyPair({ db, clock: systemClock }, pairId, request);
    }),
  );
  answer(input, { pair_id: pairId, name: pair.name });
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

/**
 * Issues test keys and prints them as lines for a shell, so that the documentation's commands can be pasted. An address that
 * the shell already has in `BASE` stays.
 */
export async function keysExport(input: CommandInput): Promise<void> {
  const issued = await withDatabase(input, async (db) => {
    const companyId = await companyOrOldest(db, input);
    const scope = { companyId, partition: 'test' } as const;
    const request = { scope, reason: 'keys export', actor: CLI_ACTOR } as const;
    return db.tx(async (tx) => {
      const v3 = await issuePair(tx, systemClock.now(), { ...request, type: 'v3' });
      const connect = await issuePair(tx, systemClock.now(), { ...request, type: 'connect' });
      return { companyId, ...v3.keys, ...connect.keys };
    });
  });
  const { publicUrl, host, port } = serverConfig({});
  const variables = {
    BASE: publicUrl ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
    COMPANY: issued.companyId,
    SK_TEST: issued.sk_test,
    PK_TEST: issued.pk_test,
    AK_TEST: issued.ak_test,
  };
  if (input.values['json'] === true) {
    answer(input, variables);
    return;
  }
  const lines = Object.entries(variables).map(([name, value]) =>
    name === 'BASE' ? `export BASE="\${BASE:-${value}}"` : `export ${name}=${value}`,
  );
  print(lines.join('\n'));
}
