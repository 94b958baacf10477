/**
 * Captures recorded to measure the rules on. `gatehouse record` serves the hosted page on loopback from a folder that it
 * deletes afterwards, so a recorded person never gets into the venue's database, index or backups; only the sealed
 * recording stays, in the data folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverConfig } from '../config.ts';
import { refuseWithoutData } from '../data/folder.ts';
import { databaseFrom, type DatabaseLocation, dataDirFrom } from '../data/location.ts';
import { shareDataDir } from '../data/lock.ts';
import { deleteRecordings, listRecordings, openRecordings, type SavedRecording } from '../data/recordings.ts';
import { ATTACK_THRESHOLDS } from '../domain/capture/attack/weights.ts';
import {
  RECORDING_NAME,
  type RecordedCapture,
  type Recording,
  type RecordingConsent,
  type RecordingLabel,
} from '../domain/capture/recording.ts';
import type { ChallengeMode } from '../domain/companies/verification-config.ts';
import { createCompany } from '../services/companies/companies.ts';
import { saveVerification } from '../services/companies/verifications.ts';
import { systemClock } from '../services/clock.ts';
import { newRecordingCode } from '../services/ids.ts';
import { authenticateV3 } from '../services/keys/keys.ts';
import type { RecordingSetup } from '../services/ports.ts';
import { initialize } from '../services/runs/initialize.ts';
import { appendAudit, type AuditEntry } from '../store/operators/audit.ts';
import { findSession } from '../store/runs/sessions.ts';
import { StoreError } from '../store/sql/port.ts';
import {
  answer,
  CliError,
  type CommandInput,
  optionalChoice,
  optionalText,
  repeatedTexts,
  requiredText,
} from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
/** Strict captures have enough steps to be measured in both modes. */
export const RECORDING_MODES = ['strict', 'standard'] as const;

export type Sitting = RecordingLabel & {
  dataDir: string;
  database: DatabaseLocation;
  challenge: ChallengeMode;
  keepDays: number;
  /** Of the hosted page; 0 picks a free one. */
  port: string;
};

/** Records one capture, and prints the link for the browser of this machine. */
export async function record(input: CommandInput): Promise<void> {
  const sitting: Sitting = {
    dataDir: dataDirFrom(optionalText(input, 'data-dir'), process.env),
    database: databaseFrom(process.env),
    organiser: requiredText(input, 'organiser'),
    identity: nameIn('identity', requiredText(input, 'identity')),
    attack: attackOf(optionalText(input, 'attack')),
    labels: labelsOf(repeatedTexts(input, 'label') ?? []),
    challenge: optionalChoice(input, 'challenge', RECORDING_MODES) ?? 'strict',
    keepDays: daysOf(optionalText(input, 'keep-days')),
    port: optionalText(input, 'port') ?? '0',
  };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { code, keptUntil, kept } = await recordSitting(sitting, {
    signal: stop.signal,
    onReady: (url) => process.stderr.write(`gatehouse: open ${url} in a browser on this machine\n`),
  });
  if (kept.length === 0) throw new CliError('Nothing was recorded. Run the command again for another try.');
  const details = { attack: sitting.attack, kept_until: keptUntil, recordings: kept.length };
  // Before the audit entry, which may fail: without the code, the person cannot be erased.
  answer(input, { code, kept_until: keptUntil, recordings: kept.map(({ name }) => name) });
  await audit(input, { action: 'recording.make', subject: code, details });
}

/**
 * @param onReady called with the link that the person opens
 * @param signal ends the sitting early
 * @returns what was recorded: nothing if the person declined
 */
export async function recordSitting(
  { dataDir, database, challenge, keepDays, port, ...label }: Sitting,
  { signal, onReady }: { signal: AbortSignal; onReady: (url: string) => void },
): Promise<{ code: string; keptUntil: string; kept: SavedRecording[] }> {
  const ended = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => ended.resolve(undefined));
  // Without data there is no key to seal with.
  if (database.databaseUrl === null) refuseWithoutData(dataDir);
  const lock = shareDataDir(dataDir);
  const temporary = await mkdtemp(path.join(tmpdir(), 'gatehouse-record-'));
  try {
    const { save } = await openRecordings(dataDir, database);
    const now = Date.now();
    const code = newRecordingCode();
    const keptUntil = dayOf(now + keepDays * DAY_MS);
    const keeper = keeperOf(dataDir, save, { ...label, code, day: dayOf(now), keptUntil });
    const setup: RecordingSetup = {
      ...{ code, keptUntil },
      ...{ agree: keeper.agree, isDone: keeper.isDone, keep: keeper.keep },
      captureEnded() {
        if (keeper.isDone()) ended.resolve(undefined);
      },
    };
    // Imported here so that other commands do not wait for the models' libraries.
    const { startServer } = await import('../main.ts');
    const server = await startServer(recorderConfig(temporary, port), setup);
    try {
      const { db, clock, events } = server.deps;
      const company = await createCompany(db, clock, { name: label.organiser, actor: CLI_ACTOR });
      const { company_id: companyId, default_verification_id: id } = company;
      const change = { config: { liveness: { challenge } } };
      await saveVerification(db, clock, { companyId, id, change, actor: CLI_ACTOR });
      const caller = await authenticateV3(db, company.keys.sk_live, { secretOnly: true, nowMs: clock.now() });
      const { url, session_id: sessionId } = await initialize(server.deps, caller, {});
      const endIfDeclined = async () => {
        const session = await findSession(db, sessionId ?? '');
        if (session?.state === 'open' || keeper.isDone()) return;
        keeper.decline();
        ended.resolve(undefined);
      };
      events.follow(sessionId ?? '', {
        changed: () => void endIfDeclined().catch(ended.reject),
        drained: () => undefined,
      });
      onReady(url);
      await ended.promise;
    } finally {
      await server.close();
    }
    return { code, keptUntil, kept: await keeper.end() };
  } finally {
    await rm(temporary, { recursive: true, force: true });
    lock.release();
  }
}

type Keeper = Pick<RecordingSetup, 'agree' | 'isDone' | 'keep'> & {
  /** The person declined, at whatever step. */
  decline: () => void;
  /** What is kept in the end. */
  end: () => Promise<SavedRecording[]>;
};

/** Keeps the captures of one sitting. A person who declines sees no code, so nothing of them stays. */
export function keeperOf(
  dataDir: string,
  save: (recording: Recording) => Promise<SavedRecording>,
  about: Omit<Recording, 'consent' | 'capture' | 'stills'>,
): Keeper {
  const kept: SavedRecording[] = [];
  let consent: RecordingConsent | null = null;
  let isDone = false;
  let hasDeclined = false;
  let saved: Promise<unknown> = Promise.resolve();
  const saveOne = async (capture: RecordedCapture, stills: Recording['stills']) => {
    if (consent === null) throw new Error('Nobody agreed to be recorded.');
    kept.push(await save({ ...about, consent, capture, stills }));
    isDone ||= capture.verdict !== null && !hasDeclined;
  };
  return {
    agree(given) {
      consent = given;
    },
    isDone: () => isDone,
    async keep(capture, stills) {
      // One after the other, because each takes the next number.
      const saving = saved.then(() => saveOne(capture, stills));
      saved = Promise.allSettled([saving]);
      await saving;
    },
    decline() {
      hasDeclined = true;
    },
    async end() {
      await saved;
      if (!hasDeclined) return kept;
      await deleteRecordings(dataDir, about.code);
      return [];
    },
  };
}

/** Reachable from this machine only, with the product's own thresholds: a recording says nothing about others. */
function recorderConfig(dataDir: string, port: string) {
  const { GATEHOUSE_MODEL_DIR, GATEHOUSE_CACHE_DIR, GATEHOUSE_MANIFEST_DIR } = process.env;
  const models = { GATEHOUSE_MODEL_DIR, GATEHOUSE_CACHE_DIR, GATEHOUSE_MANIFEST_DIR };
  return {
    ...serverConfig({ dataDir, port, consolePort: '0' }, models),
    attackThresholds: ATTACK_THRESHOLDS,
    logLevel: 'error' as const,
  };
}

/** Lists recordings, oldest end first, with what can be read of them. */
export async function recordingsList(input: CommandInput): Promise<void> {
  const dataDir = dataDirFrom(optionalText(input, 'data-dir'), process.env);
  const saved = await listRecordings(dataDir);
  if (saved.length === 0) {
    refuseWrongFolder(dataDir);
    answer(input, []);
    return;
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
  answer(input, listed);
}

function resultOf({ verdict }: RecordedCapture): string {
  if (verdict === null) return 'no verdict';
  if (!verdict.passed) return verdict.findings.join(', ');
  return verdict.isDoubtful ? 'review' : 'passed';
}

/** Never says who was recorded. */
async function audit(
  input: CommandInput,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'details'>,
): Promise<void> {
  await withDatabase(input, (db) =>
    db.tx((tx) => appendAudit(tx, { ...entry, at: systemClock.now(), actor: CLI_ACTOR })),
  );
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
  await audit(input, { action: 'recording.delete', subject, details: { recordings: deleted } });
}

/** Where neither recordings nor data are, the folder is probably mistyped. @throws ConfigError */
function refuseWrongFolder(dataDir: string): void {
  if (databaseFrom(process.env).databaseUrl === null) refuseWithoutData(dataDir);
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function nameIn(option: string, value: string): string {
  if (!RECORDING_NAME.test(value)) {
    throw new CliError(
      `--${option} must start with a small letter and have up to 32 small letters, digits, "-" and "_", not "${value}".`,
    );
  }
  return value;
}

function attackOf(species: string | undefined): string | null {
  if (species === undefined) return null;
  if (species === 'genuine') throw new CliError('Leave out --attack to record a genuine person.');
  return nameIn('attack', species);
}

function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [nameIn('label', name), nameIn('label', value.join('='))];
    }),
  );
}

function daysOf(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new CliError(`--keep-days must be a whole number from 1 to ${MOST_DAYS}, not "${text ?? ''}".`);
  return days;
}
