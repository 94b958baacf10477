/** Recorded captures in the data folder: listed and deleted without saying who was recorded. */
import { refuseWithoutData } from '../data/folder.ts';
import { databaseFrom, dataDirFrom } from '../data/location.ts';
import { deleteRecordings, listRecordings, openRecordings } from '../data/recordings.ts';
import type { RecordedCapture } from '../domain/capture/recording.ts';
import { systemClock } from '../services/ports/clock.ts';
import { appendAudit, type AuditEntry } from '../store/operators/audit.ts';
import { StoreError } from '../store/sql/port.ts';
import { answer, CliError, type CommandInput, optionalText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Lists recordings, oldest end first, with what can be read of them. */
export async function recordingsList(input: CommandInput): Promise<unknown> {
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const saved = await listRecordings(dataDir);
  if (saved.length === 0) {
    refuseWrongFolder(dataDir);
    return [];
  }
  const { read } = await openRecordings(dataDir, databaseFrom(process.env));
  const listed: object[] = [];
  for (const one of saved) {
    const { code, number, keptUntil } = one;
    const named = { code, number, kept_until: keptUntil };
    try {
      const { day, organiser, identity, attack, labels, consent, capture, stills } = await read(one);
      const result = resultOf(capture);
      const about = { day, organiser, identity, attack, labels, result, stills: stills.size, consent };
      listed.push({ ...named, readable: true, ...about });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      listed.push({ ...named, readable: false });
    }
  }
  return listed;
}

function resultOf({ verdict }: RecordedCapture): string {
  if (verdict === null) return 'no verdict';
  if (!verdict.passed) return verdict.findings.join(', ');
  return verdict.isDoubtful ? 'review' : 'passed';
}

/** Of one person, or of everybody. */
export async function recordingsDelete(input: CommandInput): Promise<void> {
  const code = optionalText(input, 'code')?.trim().toUpperCase();
  const isAll = input.values['all'] === true;
  if ((code === undefined) !== isAll) throw new CliError('Give either --code or --all.');
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const deleted = await deleteRecordings(dataDir, isAll ? null : (code ?? ''));
  if (deleted === 0) refuseWrongFolder(dataDir);
  if (deleted === 0 && !isAll)
    throw new CliError(
      `There is no recording with the code ${code ?? ''}. Run "gatehouse recordings list" to see all codes.`,
    );
  const subject = isAll ? 'installation' : (code ?? '');
  answer(input, { deleted });
  // Last, because deleting works without the key of the database.
  await auditRecordings(input, { action: 'recording.delete', subject, details: { recordings: deleted } });
}

/** Where neither recordings nor data are, the folder is probably mistyped. @throws ConfigError */
function refuseWrongFolder(dataDir: string): void {
  if (databaseFrom(process.env).databaseUrl === null) refuseWithoutData(dataDir);
}

/** Never says who was recorded. */
export async function auditRecordings(
  input: CommandInput,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'details'>,
): Promise<void> {
  await withDatabase(input, (db) =>
    db.tx((tx) => appendAudit(tx, { ...entry, at: systemClock.now(), actor: CLI_ACTOR })),
  );
}
