/**
 * Whether the frames of a capture were seen before, with 100,000 frames of the last day: `--frames=100000`. Compared with
 * reading and comparing every signature, which must give the same answers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../server/data/folder.ts';
import { isSameFrame, SIGNATURE_BYTES } from '../server/domain/capture/frame-signature.ts';
import { systemClock } from '../server/services/ports/clock.ts';
import { rememberSignatures, signaturesSeenBefore } from '../server/services/matching/replay.ts';
import type { Database } from '../server/store/sql/port.ts';
import { randomOf, type Random } from '../testing/camera/capture/random.ts';
import { numberOption } from '../testing/figures.ts';
import { lowerQuartile, type BenchResult } from './support/report.ts';

const FRAMES_PER_COMMIT = 2_000;
const FRAMES_PER_CAPTURE = 8;
const KIOSKS = 20;
/** Share of the hash's bits in which two people at one kiosk differ. A plain wall leaves few. */
const OWN_BITS = { from: 0.02, to: 0.3 } as const;
const HASH_BYTES = 32;
const ASPECT = 4 / 3;
const ROUNDS = 12;
const WARM_UP_ROUNDS = 2;
const MOST_RATIO = 0.05;

export async function run(): Promise<BenchResult[]> {
  const count = numberOption('frames', 100_000);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const db = await openDatabase(dataDir);
  try {
    const random = randomOf(31);
    const draw = framesAtKiosks(random);
    const atMs = systemClock.now();
    const known: Uint8Array[] = [];
    for (let from = 0; from < count; from += FRAMES_PER_COMMIT) {
      const frames = Array.from({ length: Math.min(FRAMES_PER_COMMIT, count - from) }, draw);
      known.push(...frames.slice(0, FRAMES_PER_CAPTURE));
      await db.tx((tx) => rememberSignatures(tx, frames, atMs));
    }
    const times: { indexMs: number[]; allMs: number[] } = { indexMs: [], allMs: [] };
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      // Half of them are known signatures with one bit changed, as after saving the picture again.
      const sought = Array.from({ length: FRAMES_PER_CAPTURE }, (_, place) =>
        place % 2 === 0 ? draw() : savedAgain(random.pick(known, 1)[0] ?? draw(), random),
      );
      const byIndex = await timed(() =>
        signaturesSeenBefore(
          db,
          sought.map((signature) => ({ signature, aspect: ASPECT })),
          atMs,
        ),
      );
      const byAll = await timed(() => comparedWithAll(db, sought));
      if (byIndex.answer.join() !== byAll.answer.join()) throw new Error('The index gave another answer.');
      if (round < WARM_UP_ROUNDS) continue;
      times.indexMs.push(byIndex.tookMs);
      times.allMs.push(byAll.tookMs);
    }
    const [value, baseline] = [lowerQuartile(times.indexMs), lowerQuartile(times.allMs)];
    return [
      {
        name: `replay memory: ${FRAMES_PER_CAPTURE} frames among ${count} of a day, against comparing each, processor time`,
        value,
        baseline,
        ratio: value / baseline,
        unit: 'ms',
        hold: `≤ ${MOST_RATIO}`,
        ok: value / baseline <= MOST_RATIO,
      },
    ];
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true });
  }
}

/** Each draws the signature of one frame: the kiosk's wall and a person in front of it. */
function framesAtKiosks(random: Random): () => Uint8Array {
  const kiosks = Array.from({ length: KIOSKS }, () => ({
    wall: Uint8Array.from({ length: HASH_BYTES }, () => random.between(0, 256)),
    ownBits: random.between(OWN_BITS.from, OWN_BITS.to),
  }));
  return () => {
    const signature = new Uint8Array(SIGNATURE_BYTES);
    const [kiosk] = random.pick(kiosks, 1);
    if (!kiosk) return signature;
    signature.set(kiosk.wall);
    for (let bit = 0; bit < 8 * HASH_BYTES; bit++)
      if (random.between(0, 1) < kiosk.ownBits)
        signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const anchors = new DataView(signature.buffer, HASH_BYTES);
    const [x, y] = [random.between(-4_000, 4_000), random.between(-4_000, 4_000)];
    FACE.forEach((place, index) => anchors.setUint16(2 * index, place + (index % 2 === 0 ? x : y)));
    return signature;
  };
}

/** Eyes, nose tip, mouth and chin in the middle of the frame; x and y in turn, in shares of 1/65,535. */
const FACE = [28_000, 26_000, 34_500, 26_000, 31_000, 30_000, 31_000, 34_000, 31_000, 38_000];

function savedAgain(signature: Uint8Array, random: Random): Uint8Array {
  const again = Uint8Array.from(signature);
  const bit = Math.floor(random.between(0, 8 * HASH_BYTES));
  again[bit >> 3] = (again[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return again;
}

async function comparedWithAll(db: Database, sought: readonly Uint8Array[]): Promise<boolean[]> {
  // Every signature is stored once under its first part.
  const rows = await db.all<{ signature: Uint8Array }>(
    'SELECT signature FROM seen_signatures WHERE part < ?',
    Uint8Array.of(1),
  );
  return sought.map((signature) => rows.some((row) => isSameFrame(signature, row.signature, ASPECT)));
}

async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; tookMs: number }> {
  const before = process.cpuUsage();
  const answer = await work();
  const { user, system } = process.cpuUsage(before);
  return { answer, tookMs: (user + system) / 1_000 };
}
