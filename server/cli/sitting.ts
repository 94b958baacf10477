/**
 * One sitting of a person whose capture is recorded, to measure the rules on. The hosted page is served on loopback from
 * a folder that is deleted afterwards, so a recorded person never gets into the venue's database, index or backups; only
 * the sealed recording stays, in the data folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serverConfig } from '../config.ts';
import { refuseWithoutData } from '../data/folder.ts';
import type { DatabaseLocation } from '../data/location.ts';
import { shareDataDir } from '../data/lock.ts';
import { deleteRecordings, openRecordings, type SavedRecording } from '../data/recordings.ts';
import { ATTACK_THRESHOLDS } from '../domain/capture/attack/weights.ts';
import type {
  RecordedCapture,
  Recording,
  RecordingConsent,
  RecordingLabel,
} from '../domain/capture/recording.ts';
import type { ChallengeMode } from '../domain/companies/verification-config.ts';
import { createCompany } from '../services/companies/companies.ts';
import { saveVerification } from '../services/companies/verifications.ts';
import { newRecordingCode } from '../services/ports/ids.ts';
import { authenticateV3 } from '../services/keys/keys.ts';
import type { RecordingSetup } from '../services/ports/ports.ts';
import { initialize } from '../services/runs/initialize.ts';
import { findSession } from '../store/runs/sessions.ts';
import { CLI_ACTOR } from './with-database.ts';

const DAY_MS = 86_400_000;

export type Sitting = RecordingLabel & {
  dataDir: string;
  database: DatabaseLocation;
  challenge: ChallengeMode;
  keepDays: number;
  /** Of the hosted page; 0 picks a free one. */
  port: string;
};

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

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
