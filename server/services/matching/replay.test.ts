import { expect, it } from 'vitest';
import Sqlite from 'better-sqlite3';
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import { initial } from '../../store/schema/0001-initial.ts';
import { MIGRATIONS } from '../../store/schema/migrate.ts';
import { openTempStore } from '../../../testing/service/temp-store.ts';
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

it('a remembered frame says nothing of company, session, person or minute', async () => {
  const db = await openTempStore();
  expect(await db.tx((tx) => rememberFrames(tx, [frame(1)], AT))).toBe(true);
  const [row, ...more] = await db.all<Record<string, unknown>>('SELECT * FROM seen_frames');
  expect(more).toEqual([]);
  expect(Object.keys(row!)).toEqual(['sha256', 'signature', 'seen_at']);
  expect(row!['seen_at']).toBe(Date.parse('2030-05-15T10:00:00Z'));
  expect(await framesSeenBefore(db, [frame(1), frame(0xf0)], AT)).toEqual([true, false]);
});

it('the same bytes count once where two uploads race', async () => {
  const db = await openTempStore();
  const raced = await Promise.all([1, 2].map(() => db.tx((tx) => rememberFrames(tx, [frame(7)], AT))));
  expect(raced.sort()).toEqual([false, true]);
});

it('frames that were known before the upgrade stay known, once, without their scope', () => {
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
