import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { dataDirFrom, dataPaths } from '../data/location.ts';
import { databaseKeyOf, refuseOnPostgres, refuseWithoutParent } from '../data/folder.ts';
import { restoreData } from '../data/restore.ts';
import { createAuditedBackup } from '../services/backup/create.ts';
import {
  recoveryMadeAt,
  renewRecoveryPhrase,
  withdrawRecoveryPhrase,
} from '../services/backup/recovery-setting.ts';
import { checkTarget } from '../services/backup/target.ts';
import { systemClock } from '../services/ports/clock.ts';
import { CliError, type CommandInput, optionalText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

const PHRASE_NOTE =
  'Write down the 24 words and keep them away from this machine. They open backups on other machines and are not shown again.';

const DISABLED_NOTE =
  'The replaced data never had these operators, keys and kiosks, so they are disabled. In the console, enable the operators that you know, pair the kiosks again and create new keys.';
const UNSIGNED_NOTE =
  'The recovery phrase is from an earlier version, so this backup is not signed: a restore with the phrase asks who will be admin. Create a new phrase with "gatehouse backup phrase".';

/** Commander refuses a command without its file. @throws CliError */
function fileOf({ positionals: [file = ''] }: CommandInput): string {
  // Without the slash, a stick that is not connected would become a file of its name.
  if (file === '' || /[/\\]$/.test(file)) throw new CliError(`"${file}" names a folder. Name a file in it.`);
  return path.resolve(file);
}

/** Creates a backup while the server runs. The first one also creates the recovery phrase and prints it once. */
export async function backupCreate(input: CommandInput): Promise<unknown> {
  refuseOnPostgres();
  const target = fileOf(input);
  const mayReplace = input.values['replace'] === true;
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const { made, phrase } = await withDatabase(input, async (db) => {
    // Before a phrase is made: nobody would ever see it.
    await checkTarget({ file: target, dataDir, mayReplace });
    const isFirst = (await recoveryMadeAt(db)) === null;
    const phrase = isFirst ? await renewRecoveryPhrase(db, systemClock, CLI_ACTOR) : null;
    const source = { databasePath: dataPaths(dataDir).database, databaseKey: databaseKeyOf(dataDir) };
    try {
      const request = { target, mayReplace, actor: CLI_ACTOR } as const;
      return { made: await createAuditedBackup(db, systemClock, source, request), phrase };
    } catch (error) {
      if (phrase !== null) await withdrawRecoveryPhrase(db, systemClock, phrase, CLI_ACTOR);
      throw error;
    }
  });
  return {
    file: made.file,
    data_dir: dataDir,
    bytes: made.bytes,
    created_at: made.createdAt,
    schema_version: made.schemaVersion,
    rows: made.rows,
    verified: true,
    signed: made.isSigned,
    ...(made.hasRecovery && !made.isSigned && { note: UNSIGNED_NOTE }),
    ...(phrase !== null && { recovery_phrase: phrase, note: PHRASE_NOTE }),
  };
}

/** Creates a new phrase for future backups. */
export async function backupPhrase(input: CommandInput): Promise<unknown> {
  const phrase = await withDatabase(input, (db) => renewRecoveryPhrase(db, systemClock, CLI_ACTOR));
  return {
    recovery_phrase: phrase,
    note: `${PHRASE_NOTE} Earlier backups need the words that were valid when they were made.`,
  };
}

export async function backupRestore(input: CommandInput): Promise<unknown> {
  refuseOnPostgres();
  const file = fileOf(input);
  const named = optionalText(input, 'data-dir') ?? process.env['GATEHOUSE_DATA_DIR'];
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  if (named) refuseWithoutParent(dataDir);
  const restored = await restoreData(dataDir, {
    file,
    phrase: await phraseOf(input),
    confirmed: optionalText(input, 'confirm-admins')?.trim().toLowerCase() ?? null,
    keepsAccess: input.values['keep-access'] === true,
    actor: CLI_ACTOR,
  });
  // Finishes the restore as the next start would, so that a failure is reported here.
  await withDatabase(input, async () => undefined);
  return {
    restored: true,
    data_dir: dataDir,
    made_at: restored.createdAt,
    schema_version: restored.schemaVersion,
    rows: restored.rows,
    audit_entries: restored.auditEntries,
    erased_again: restored.erasedAgain,
    access_kept: restored.accessKept,
    admins: restored.admins.map(({ name }) => name),
    disabled: restored.disabled,
    ...(Object.values(restored.disabled).some((n) => n > 0) && { note: DISABLED_NOTE }),
    old_data: restored.previous === null ? null : path.join(dataDir, restored.previous),
  };
}

/** A phrase on the command line could be read by other users and would stay in the shell’s history. */
async function phraseOf(input: CommandInput): Promise<string | null> {
  const file = optionalText(input, 'phrase-file');
  if (file === undefined) return null;
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new CliError(`--phrase-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
