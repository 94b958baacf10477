import { expect, it, onTestFinished } from 'vitest';
import Sqlite from 'better-sqlite3';
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import { initial } from '../../store/schema/0001-initial.ts';
import { MIGRATIONS } from '../../store/schema/migrate.ts';
import { honestCapture, settleFace } from '../../../testing/service/captures.ts';
import { NO_SKIP, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { openTempStore } from '../../../testing/service/temp-store.ts';
import { settleCapture } from '../capture/capture.ts';
import { framesSeenBefore, rememberFrames } from './replay.ts';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2030-05-15T10:41:07.123Z');

const frame = (byte: number): FrameEvidence =>
  ({
    sha256: byte.toString(16).padStart(2, '0').repeat(32),
    fingerprint: new Uint8Array(32).fill(byte),
    face: null,
    width: 640,
    height: 480,
  }) as unknown as FrameEvidence;

it('a stored frame reveals nothing about company, session, person or minute', async () => {
  const db = await openTempStore();
  expect(await db.tx((tx) => rememberFrames(tx, [frame(1)], AT))).toBe(true);
  const [row, ...more] = await db.all<Record<string, unknown>>('SELECT * FROM seen_frames');
  expect(more).toEqual([]);
  expect(Object.keys(row!)).toEqual(['sha256', 'signature', 'seen_at']);
  expect(row!['seen_at']).toBe(Date.parse('2030-05-15T10:00:00Z'));
  expect(await framesSeenBefore(db, [frame(1), frame(0xf0)], AT)).toEqual([true, false]);
});

it('the same bytes count once if two uploads race', async () => {
  const db = await openTempStore();
  const raced = await Promise.all([1, 2].map(() => db.tx((tx) => rememberFrames(tx, [frame(7)], AT))));
  expect(raced.sort()).toEqual([false, true]);
});

it('frames of an earlier capture fail, even for two sessions at once, and another person still passes there', async () => {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { deps } = service;
  const face = (at: number) => Float32Array.from({ length: 8 }, (_, index) => (index === at ? 1 : 0));
  const [first, second] = [await startRun(service, NO_SKIP), await startRun(service, NO_SKIP)];
  const filmed = await honestCapture(deps, first, face(0));
  const { nonce } = await honestCapture(deps, second, face(0));
  const settled = await Promise.all([
    settleCapture(deps, first, filmed.nonce, () => filmed.judge()),
    settleCapture(deps, second, nonce, () => filmed.judge()),
  ]);
  expect(settled.map(({ result }) => result?.verified ?? false).sort()).toEqual([false, true]);
  const third = await startRun(service, NO_SKIP);
  const again = await honestCapture(deps, third, face(0));
  expect(await settleCapture(deps, third, again.nonce, () => filmed.judge())).toMatchObject({
    state: 'open',
    attempts_left: 2,
    findings: ['try_again'],
  });
  expect((await settleFace(deps, third, face(1))).result).toMatchObject({ verified: true });
});

it('frames known before the upgrade stay known, once, without their scope', () => {
  const db = new Sqlite(':memory:');
  db.exec(initial.sql);
  const insert = db.prepare('INSERT INTO frame_fingerprints VALUES (?, ?, ?, ?, ?, ?)');
  const [sha, signature] = [Buffer.alloc(32, 1), Buffer.alloc(52, 2)];
  insert.run('a', 'live', sha, signature, 's1', AT);
  insert.run('b', 'test', sha, signature, 's2', AT + HOUR_MS);
  db.exec(MIGRATIONS.find(({ version }) => version === 24)!.sql);
  expect(db.prepare('SELECT * FROM seen_frames').all()).toEqual([
    { sha256: sha, signature, seen_at: Date.parse('2030-05-15T11:00:00Z') },
  ]);
});
