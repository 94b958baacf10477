/** The use cases on a real database in a folder of its own, with a clock that moves only when told to. */
import { createDeniedPictures } from '../../server/services/capture/denied-pictures.ts';
import { randomInt } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { DeletionTime } from '../../server/domain/clock.ts';
import { COHORT_SIZE } from '../../server/domain/matching/matching.ts';
import type { Scope } from '../../server/domain/scope.ts';
import type { FaceEngine } from '../../server/face/engine.ts';
import { SINGLE_NODE } from '../../server/services/maintenance/nodes.ts';
import { createConnectSigner } from '../../server/services/connections/signer.ts';
import { createCompany, type NewCompany } from '../../server/services/companies/companies.ts';
import type { ServiceDeps } from '../../server/routes/deps.ts';
import { Refusal } from '../../server/refusals/refusal.ts';
import { openFaceIndex } from '../../server/services/matching/face-index.ts';
import { authenticateV3, type Caller } from '../../server/services/keys/keys.ts';
import { createRequestLog } from '../../server/services/keys/request-log.ts';
import { createUsageTracker } from '../../server/services/keys/usage-tracker.ts';
import { createRefusalLog } from '../../server/services/keys/refusals.ts';
import { allowHostsNow } from '../../server/services/webhooks/allow-list.ts';
import { createResultTokens } from '../../server/services/passes/result-tokens.ts';
import { createSessionEvents } from '../../server/services/runs/sessions/session-events.ts';
import { insertVerification, type Verification } from '../../server/store/companies/verifications.ts';
import { NOW, verification } from '../store/rows.ts';
import { openTempStore, tempDir } from '../store/temp-store.ts';

export const BASE_URL = 'https://gatehouse.example';

/** Trusted, whatever its time. */
export type TestClock = {
  now(): number;
  deletionTime(): DeletionTime;
  doubt(): null;
  set(ms: number): void;
  advance(ms: number): void;
};

export type V3KeyType = 'pk_live' | 'sk_live' | 'pk_test' | 'sk_test';

export type TestService = {
  deps: ServiceDeps;
  clock: TestClock;
  company: NewCompany;
  /** The caller behind one of the company's first keys. */
  caller(key: V3KeyType): Promise<Caller>;
  /** As `company`, another one of the installation. */
  otherCompany(): Promise<{ company: NewCompany; caller: TestService['caller'] }>;
  /** Saves a verification of the company; returns its id. */
  verification(id: string, overrides?: Partial<Verification>): Promise<string>;
  scope: (partition: Scope['partition']) => Scope;
};

/** The code of a refusal, in the contract or the console; a text that is no code if the work was not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '(not refused)';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.facts.detail ?? error.code;
  }
}

export function testClock(startMs = NOW): TestClock {
  let ms = startMs;
  return {
    now: () => ms,
    deletionTime: () => ms as DeletionTime,
    doubt: () => null,
    set(to) {
      ms = to;
    },
    advance(by) {
      ms += by;
    },
  };
}

/** The service reports no problem, whatever happens; see `openTestHealth` for one that looks. */
export const ALL_WELL: ServiceDeps['health'] = {
  state: () => ({ checks: [], conditions: [], last_backup_at: null }),
  notReady: () => null,
  lastBackupAt: () => null,
  onChange: () => () => undefined,
  look: async () => undefined,
  close: async () => undefined,
};

/** Knows its dimensions, and no frame. */
const NO_ENGINE: FaceEngine = {
  embeddingModel: 'test-model',
  embeddingLength: 8,
  thresholds: { near: 0.45, samePerson: 0.55, genuine: 0.5 },
  /** All in one direction, so that only faces near it resemble them. */
  cohort: Array.from({ length: COHORT_SIZE }, () => Float32Array.of(0, 0, 0, 0, 0, 0, 0, 1)),
  analyse: () => Promise.reject(new Error('There is no camera in this test.')),
  stats: () => ({ workers: 0, busy: 0, queuedFrames: 0, restarts: 0 }),
  close: async () => undefined,
};

export async function openTestService(dir = tempDir()): Promise<TestService> {
  const db = await openTempStore(dir);
  const clock = testClock();
  const reads = createUsageTracker(db, clock, () => undefined);
  onTestFinished(() => reads.close());
  const requests = createRequestLog(db, () => undefined);
  onTestFinished(() => requests.close());
  const refusals = createRefusalLog(db, clock, () => undefined);
  onTestFinished(() => refusals.close());
  const deps: ServiceDeps = {
    db,
    clock,
    wallClock: clock,
    deletions: clock,
    randomInt: (n) => randomInt(n),
    baseUrl: () => BASE_URL,
    connectUrl: () => 'http://127.0.0.1:4180',
    trustPage: () => null,
    faces: NO_ENGINE,
    faceIndex: await openFaceIndex(db, {
      id: NO_ENGINE.embeddingModel,
      embeddingLength: NO_ENGINE.embeddingLength,
    }),
    deniedPictures: createDeniedPictures(),
    tokens: await createResultTokens(db, clock),
    connect: await createConnectSigner(db, clock),
    reads,
    requests,
    refusals,
    unsavedActivity: new Map(),
    events: createSessionEvents(db),
    webhooks: {
      policy: async () => ({
        ...{ allowHosts: await allowHostsNow(db, []), ownAddresses: new Set(), ownPorts: new Set() },
      }),
      close: async () => undefined,
    },
    codes: { sends: false, failing: () => null, use: () => undefined, close: async () => undefined },
    health: ALL_WELL,
    maintenance: { retryAfterS: () => null, follow: () => () => undefined, close: () => undefined },
    node: SINGLE_NODE,
  };
  const newCompany = async (name: string) => {
    const made = await createCompany(db, clock, { name, actor: 'cli' });
    const caller: TestService['caller'] = (key) =>
      authenticateV3(db, made.keys[key], { secretOnly: false, nowMs: clock.now() });
    return { company: made, caller };
  };
  const { company, caller } = await newCompany('Venue');
  return {
    deps,
    clock,
    company,
    caller,
    otherCompany: () => newCompany('Other venue'),
    async verification(id, overrides) {
      await db.tx((tx) => insertVerification(tx, verification(company.company_id, id, overrides)));
      return id;
    },
    scope: (partition) => ({ companyId: company.company_id, partition }),
  };
}
