import { systemClock } from '../services/ports/clock.ts';
import { makeMetricsToken, revokeMetricsToken } from '../services/operators/metrics-token.ts';
import { stat } from 'node:fs/promises';
import { CliError, type CommandInput, optionalText, requiredText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';
import { rotateResultTokenKey } from '../services/passes/result-tokens.ts';
import { databaseFrom, databaseUrlFrom, dataDirFrom, dataPaths } from '../data/location.ts';
import { injectedKey } from '../data/injected-key.ts';
import { countSecrets, KEPT_SECRETS, type KeptSecret, lastAuditAt } from '../store/keys/inventory.ts';
import { readRecovery } from '../services/backup/recovery-setting.ts';
import { readOidcSetting } from '../services/operators/oidc-setting.ts';
import { smsNow } from '../services/phone/sms-settings.ts';
import { storedCertificates } from '../services/network/certificates.ts';
import { isoOrNull } from '../services/wire/values.ts';
import { OldKeyInUse, rotateDatabaseKey } from '../services/maintenance/database-key.ts';
import { currentKey } from '../store/sql/key-rotation.ts';

/** Prints a new token for `/metrics`, once; the previous token stops working. */
export async function metricsToken(input: CommandInput): Promise<unknown> {
  return { token: await withDatabase(input, (db) => makeMetricsToken(db, systemClock, CLI_ACTOR)) };
}

export async function metricsRevoke(input: CommandInput): Promise<unknown> {
  await withDatabase(input, (db) => revokeMetricsToken(db, systemClock, CLI_ACTOR));
  return { token: null };
}

/** Replaces the encryption key of result tokens. A running server uses the new key within a second. */
export async function resultTokenKeyRotate(input: CommandInput): Promise<unknown> {
  const reason = requiredText(input, 'reason');
  const version = await withDatabase(input, (db) =>
    rotateResultTokenKey(db, systemClock, { reason, actor: CLI_ACTOR }),
  );
  return { version };
}

/** Seals all secrets on PostgreSQL with the first key of the key file. Can be interrupted and repeated. */
export async function databaseKeyRotate(input: CommandInput): Promise<unknown> {
  const reason = requiredText(input, 'reason');
  if (databaseUrlFrom(process.env) === null)
    throw new CliError('This command is for PostgreSQL: set GATEHOUSE_DATABASE_URL.');
  const onProgress = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} values`);
  };
  try {
    return await withDatabase(input, async (db) => ({
      key: currentKey(db),
      values: await rotateDatabaseKey(db, systemClock, { reason, actor: CLI_ACTOR, onProgress }),
    }));
  } catch (error) {
    throw error instanceof OldKeyInUse ? new CliError(error.message) : error;
  }
}

type KeptKey = {
  key: string;
  count: number;
  oldest_at: string | null;
  newest_at: string | null;
  place: string;
  renewed: string;
};

/** Where each kind is kept, and how it is replaced. */
const KINDS: Record<KeptSecret, Pick<KeptKey, 'place' | 'renewed'>> = {
  api_key: { place: 'the database, as hashes', renewed: 'gatehouse keys roll' },
  webhook_secret: { place: 'the database', renewed: 'Webhooks page, or keys roll' },
  result_token_key: { place: 'the database', renewed: 'gatehouse result-token-key rotate' },
  person_pseudonym_key: { place: 'the database', renewed: 'never: the unique_human_id of v2 would change' },
  direct_link_key: { place: 'the database', renewed: 'never: links that are out would stop working' },
  ticket_code_key: { place: 'the database', renewed: 'never: tickets would not be found by their codes' },
  human_code_key: { place: 'the database', renewed: 'gatehouse codes key --rotate' },
  kiosk_token: { place: 'the database, as hashes; the token on the kiosk', renewed: 'pair the kiosk again' },
  passphrase: { place: 'the database, as Argon2id hashes', renewed: 'gatehouse operator reset' },
  quick_pin: { place: 'the database, as Argon2id hashes', renewed: 'Account page' },
  second_factor: { place: 'the database', renewed: 'gatehouse operator reset --second-factor' },
  recovery_code: { place: 'the database, as hashes', renewed: 'Account page' },
  metrics_token: { place: 'the database, as a hash', renewed: 'gatehouse metrics token' },
};

/** The inventory of all keys and secrets in the data: how many, how old, where, and how they are replaced. Never a value. */
export async function secretsList(input: CommandInput): Promise<unknown> {
  const folder = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  return withDatabase(input, async (db) => {
    const counts = await countSecrets(db, systemClock.now());
    const recovery = await readRecovery(db);
    const { authority, certificate } = await storedCertificates(db);
    const { setting: sms } = await smsNow(db, { sender: 'operator' });
    const smsAt = sms.sender === 'operator' ? null : isoOrNull(await lastAuditAt(db, 'sms.change'));
    const oidcAt =
      (await readOidcSetting(db)).secretId === '' ? null : isoOrNull(await lastAuditAt(db, 'oidc.change'));
    const one = (key: string, at: string | null, place: string, renewed: string): KeptKey[] =>
      at === null ? [] : [{ key, count: 1, oldest_at: at, newest_at: at, place, renewed }];
    return [
      await databaseKey(folder),
      ...KEPT_SECRETS.flatMap((kind) => {
        const found = counts.find((each) => each.kind === kind);
        if (!found) return [];
        const { count, oldestAt, newestAt } = found;
        const ages = { oldest_at: isoOrNull(oldestAt), newest_at: isoOrNull(newestAt) };
        return [{ key: kind, count, ...ages, ...KINDS[kind] }];
      }),
      ...one(
        'recovery_phrase',
        recovery?.madeAt ?? null,
        'with you; its public key in the database',
        'gatehouse backup phrase',
      ),
      ...one('oidc_client_secret', oidcAt, 'the database', 'Settings page, Single sign-on'),
      ...one('sms_credentials', smsAt, 'the database', 'Settings page, SMS'),
      ...one(
        'network_authority',
        authority,
        'the database',
        'never: devices would have to trust another one',
      ),
      ...one('network_certificate', certificate, 'the database', 'automatically, 30 days before its end'),
    ];
  });
}

/** The file's time tells the age of a key in a file; nothing tells that of another. */
async function databaseKey(folder: string): Promise<KeptKey> {
  const { databaseUrl, databaseKeys } = databaseFrom(process.env);
  const key = { key: 'database_key', count: 1 };
  const found = async (file: string, renewed: string): Promise<KeptKey> => {
    const at = await stat(file).then(
      ({ mtime }) => mtime.toISOString(),
      () => null,
    );
    return { ...key, oldest_at: at, newest_at: at, place: file, renewed };
  };
  const unknown = { ...key, oldest_at: null, newest_at: null };
  if (databaseUrl !== null) {
    const renewed = 'gatehouse database-key rotate';
    if (databaseKeys === null)
      return { ...unknown, count: 0, place: 'none: secrets are not sealed', renewed };
    if ('file' in databaseKeys) return found(databaseKeys.file, renewed);
    return { ...unknown, place: 'the command in GATEHOUSE_DATABASE_KEY_COMMAND', renewed };
  }
  const renewed = 'with a restore into a new folder';
  if (injectedKey()) return { ...unknown, place: 'the system’s keychain, or standard input', renewed };
  return found(dataPaths(folder).key, renewed);
}
