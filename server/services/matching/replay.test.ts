import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import Sqlite from 'better-sqlite3';
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import { isSameFrame, SIGNATURE_BYTES } from '../../domain/capture/frame-signature.ts';
import { initial } from '../../store/schema/0001-initial.ts';
import { MIGRATIONS } from '../../store/schema/migrations.ts';
import { honestCapture, settleFace } from '../../../testing/service/captures.ts';
import { NO_SKIP, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { settleCapture } from '../capture/capture.ts';
import {
  forgetSignatures,
  framesSeenBefore,
  rememberFrames,
  rememberSignatures,
  signaturesSeenBefore,
} from './replay.ts';

const HOUR_MS = 3_600_000;
const HASH_BYTES = 32;
const AT = Date.parse('2030-05-15T10:41:07.123Z');

const frame = (byte: number): FrameEvidence =>
  ({
    sha256: byte.toString(16).padStart(2, '0').repeat(32),
    fingerprint: new Uint8Array(32).fill(byte),
    face: null,
    width: 640,
    height: 480,
  }) as unknown as FrameEvidence;

function randomBytesOf(seed: number): (length: number) => Uint8Array {
  let state = seed;
  return (length) =>
    Uint8Array.from({ length }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24);
}

/** A random hash, and the anchors of a face with its eyes a tenth of the width apart. */
function signatureOf(randomBytes: (length: number) => Uint8Array): Uint8Array {
  const signature = new Uint8Array(SIGNATURE_BYTES);
  signature.set(randomBytes(HASH_BYTES));
  const anchors = new DataView(signature.buffer, HASH_BYTES);
  [28_000, 26_000, 34_500, 26_000, 31_000, 30_000, 31_000, 34_000, 31_000, 38_000].forEach((steps, index) =>
    anchors.setUint16(2 * index, steps),
  );
  return signature;
}

type Change = {
  /** Bits of the hash that are flipped, from this one on. */
  bits: number;
  from?: number;
  /** By which the face is further to the right, in shares of the width of 1/65,535. */
  shift: number;
};

function changed(signature: Uint8Array, { bits, from = 0, shift }: Change): Uint8Array {
  const copy = Uint8Array.from(signature);
  for (let n = 0; n < bits; n++) {
    // The step has no common divisor with 256, so that no bit is flipped twice.
    const bit = (from + 77 * n) % 256;
    copy[bit >> 3] = copy[bit >> 3]! ^ (1 << (bit & 7));
  }
  const anchors = new DataView(copy.buffer, HASH_BYTES);
  for (let at = 0; at < anchors.byteLength; at += 4) anchors.setUint16(at, anchors.getUint16(at) + shift);
  return copy;
}

it('a stored frame reveals nothing about company, session, person or minute', async () => {
  const db = await openTempStore();
  expect(await db.tx((tx) => rememberFrames(tx, [frame(1)], AT))).toBe(true);
  const bytes = await db.all<Record<string, unknown>>('SELECT * FROM seen_frames');
  expect(bytes.map(Object.keys)).toEqual([['sha256', 'signature', 'seen_at']]);
  expect(bytes[0]?.['signature']).toEqual(bytes[0]?.['sha256']);
  const parts = await db.all<Record<string, unknown>>('SELECT * FROM seen_signatures');
  expect(new Set(parts.flatMap(Object.keys))).toEqual(new Set(['part', 'signature', 'seen_at']));
  const hour = Date.parse('2030-05-15T10:00:00Z');
  expect(new Set([...bytes, ...parts].map((row) => row['seen_at']))).toEqual(new Set([hour]));
  expect(await framesSeenBefore(db, [frame(1), frame(0xf0)], AT)).toEqual([true, false]);
});

it('the index gives the same answers as comparing every signature, also on another node', async () => {
  const dir = tempDir();
  const [db, node] = [await openTempStore(dir), await openTempStore(dir)];
  const aspect = 4 / 3;
  const randomBytes = randomBytesOf(5);
  const originals = Array.from({ length: 40 }, () => signatureOf(randomBytes));
  // Similar pictures share parts.
  const stored = originals.flatMap((signature) => [signature, changed(signature, { bits: 12, shift: 5 })]);
  await db.tx((tx) => rememberSignatures(tx, stored, AT));
  const changes = fc.record({ bits: fc.nat(8), from: fc.nat(255), shift: fc.nat(300) });
  const answers = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(fc.nat(originals.length - 1), changes, async (place, change) => {
      const sought = changed(originals[place]!, change);
      const expected = stored.some((signature) => isSameFrame(sought, signature, aspect));
      expect(await signaturesSeenBefore(node, [{ signature: sought, aspect }], AT)).toEqual([expected]);
      answers.add(expected);
    }),
  );
  expect(answers.size).toBe(2);
});

it('a re-encoded frame is known for a day from the last time it was seen', async () => {
  const db = await openTempStore();
  const remember = (at: number) => db.tx((tx) => rememberFrames(tx, [frame(1)], at));
  const isKnown = async (at: number) =>
    (await framesSeenBefore(db, [{ ...frame(1), sha256: 'ff'.repeat(32) }], at))[0];
  await remember(AT);
  expect(await isKnown(AT + 24 * HOUR_MS)).toBe(true);
  expect(await isKnown(AT + 25 * HOUR_MS)).toBe(false);
  await remember(AT + 20 * HOUR_MS);
  expect(await isKnown(AT + 25 * HOUR_MS)).toBe(true);
});

it('signatures are deleted once they are not compared any more, and not while the clock is in doubt', async () => {
  const db = await openTempStore();
  await db.tx((tx) => rememberFrames(tx, [frame(1)], AT));
  const forget = (at: number | null) =>
    forgetSignatures({
      db,
      deletions: { doubt: () => null, deletionTime: () => at as DeletionTime | null },
    });
  expect(await forget(AT + 24 * HOUR_MS)).toBe(0);
  expect(await forget(null)).toBe(0);
  expect(await forget(AT + 25 * HOUR_MS)).toBeGreaterThan(0);
  expect(await db.all('SELECT 1 FROM seen_signatures')).toEqual([]);
  expect(await db.all('SELECT 1 FROM seen_frames')).toHaveLength(1);
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
