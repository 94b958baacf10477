import { serverConfig } from '../config.ts';
import { systemClock } from '../services/ports/clock.ts';
import { issuePair, listCompanyKeys, revokeKeys, rollKeys } from '../services/keys/keys.ts';
import { renameKeyPair } from '../services/keys/manage.ts';
import { listKeys } from '../store/keys/keys.ts';
import { CliError, type CommandInput, optionalText, print, requiredChoice, requiredText } from './io.ts';
import { CLI_ACTOR, companyOrOldest, inCompany, withDatabase } from './with-database.ts';
import { OVERLAPS } from '../contract/console/keys.ts';

export const keysList = (input: CommandInput): Promise<unknown> =>
  inCompany(input, ({ db, clock }, companyId) => listCompanyKeys(db, companyId, clock.now()));

/** Says what the keys are for. A roll keeps it. */
export async function keysRename(input: CommandInput): Promise<unknown> {
  const pairId = requiredText(input, 'pair');
  const name = optionalText(input, 'name') ?? null;
  const pair = await inCompany(input, async (deps, companyId) => {
    const keys = await listKeys(deps.db, companyId);
    const partition = keys.find((key) => key.pairId === pairId)?.partition;
    if (partition === undefined)
      throw new CliError(`This company has no pair ${pairId}. Run "gatehouse keys list" to see its pairs.`);
    const request = { scope: { companyId, partition }, name, actor: CLI_ACTOR } as const;
    return renameKeyPair(deps, pairId, request);
  });
  return { pair_id: pairId, name: pair.name };
}

/** Revokes one key or both keys of a pair. A running server refuses them from the next request. */
export async function keysRevoke(input: CommandInput): Promise<unknown> {
  const keyOrPairId = requiredText(input, 'key');
  const reason = requiredText(input, 'reason');
  const revoked = await inCompany(input, ({ db, clock }, companyId) =>
    revokeKeys(db, clock, { companyId, keyOrPairId, reason, actor: CLI_ACTOR }),
  );
  if (revoked.length === 0)
    throw new CliError(
      `This company has no working key or pair ${keyOrPairId}. Run "gatehouse keys list" to see its keys.`,
    );
  return revoked;
}

/** Prints the complete new pair, once. */
export async function keysRoll(input: CommandInput): Promise<unknown> {
  const pairId = requiredText(input, 'pair');
  const overlap = requiredChoice(input, 'overlap', OVERLAPS);
  const reason = requiredText(input, 'reason');
  const rolled = await inCompany(input, ({ db, clock }, companyId) =>
    db.tx((tx) => rollKeys(tx, clock.now(), { companyId, pairId, overlap, reason, actor: CLI_ACTOR })),
  );
  if (!rolled)
    throw new CliError(
      `This company has no working pair ${pairId}. Run "gatehouse keys list" to see its pairs.`,
    );
  return rolled;
}

/**
 * Issues test keys and prints them as lines for a shell, so that the documentation's commands can be pasted. An address that
 * the shell already has in `BASE` stays.
 */
export async function keysExport(input: CommandInput): Promise<unknown> {
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
  if (input.values['json'] === true) return variables;
  const lines = Object.entries(variables).map(([name, value]) =>
    name === 'BASE' ? `export BASE="\${BASE:-${value}}"` : `export ${name}=${value}`,
  );
  print(lines.join('\n'));
  return undefined;
}
