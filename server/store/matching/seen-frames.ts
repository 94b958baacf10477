/**
 * Frames of earlier captures in the whole installation: only hashes. No row names a company, a partition, a session or
 * a person, and the time is rounded to the hour, so that it cannot be traced to a run.
 */
import { type DeletionTime, olderThan } from '../../domain/clock.ts';
import { deleteSome, insertRows, placesFor } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** A signature under one of its parts (see `domain/capture/frame-signature.ts`). */
type SignaturePart = { part: Uint8Array; signature: Uint8Array };

const HOUR_MS = 3_600_000;
/** Signatures are compared for this long after they were last seen. */
const SIGNATURE_MS = 24 * HOUR_MS;
/** Hashes of bytes are compared for this long. */
const BYTES_MS = 30 * 24 * HOUR_MS;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** The hashes whose bytes occurred before. */
export async function findSeenBytes(db: SqlReader, hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
  if (hashes.length === 0) return [];
  const rows = await db.all<{ sha256: Uint8Array }>(
    `SELECT sha256 FROM seen_frames WHERE sha256 IN (${placesFor(hashes)})`,
    ...hashes,
  );
  return rows.map(({ sha256 }) => sha256);
}

/** Different signatures that have one of these parts and were last seen up to 24 hours before `now`. */
export async function findSeenSignatures(
  db: SqlReader,
  parts: readonly Uint8Array[],
  now: number,
): Promise<Uint8Array[]> {
  const rows = await db.all<{ signature: Uint8Array }>(
    `SELECT DISTINCT signature FROM seen_signatures WHERE part IN (${placesFor(parts)}) AND seen_at >= ?`,
    ...parts,
    hourOf(now - SIGNATURE_MS),
  );
  return rows.map(({ signature }) => signature);
}

/**
 * False if the bytes of one of them are already stored, because another capture won the race. The hashes must differ.
 */
export async function insertSeenFrames(
  tx: SqlTx,
  hashes: readonly Uint8Array[],
  at: number,
): Promise<boolean> {
  if (hashes.length === 0) return true;
  const inserted = await insertRows(
    tx,
    'seen_frames',
    // The column is for nodes of schema 36, which ignore a signature of this length.
    hashes.map((sha256) => ({ sha256, signature: sha256, seen_at: hourOf(at) })),
    'ON CONFLICT DO NOTHING',
  );
  return inserted === hashes.length;
}

/** Stores signatures, or that they were seen again. No two may be equal in both part and signature. */
export async function insertSeenSignatures(
  tx: SqlTx,
  parts: readonly SignaturePart[],
  at: number,
): Promise<void> {
  if (parts.length === 0) return;
  await insertRows(
    tx,
    'seen_signatures',
    parts.map(({ part, signature }) => ({ part, signature, seen_at: hourOf(at) })),
    'ON CONFLICT (part, signature) DO UPDATE SET seen_at = excluded.seen_at',
  );
}

const deleteSeenBefore = (tx: SqlTx, table: string, key: string, before: number, limit: number) =>
  deleteSome(tx.run, { table, key, where: 'seen_at < ?' }, [hourOf(before)], limit);

/** Deletes the signatures that are not compared any more. Returns rows removed, at most `limit`. */
export const deleteOldSignatures = (tx: SqlTx, time: DeletionTime, limit: number): Promise<number> =>
  deleteSeenBefore(tx, 'seen_signatures', 'part, signature', olderThan(time, SIGNATURE_MS), limit);

/** Deletes hashes of bytes after 30 days. Returns rows removed, at most `limit`. */
export const deleteOldFrames = (tx: SqlTx, time: DeletionTime, limit: number): Promise<number> =>
  deleteSeenBefore(tx, 'seen_frames', 'sha256', olderThan(time, BYTES_MS), limit);
