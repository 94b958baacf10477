import type { LivenessStep, Tint } from '../../contract/flow.ts';
import type { ChallengeMode } from '../../domain/capture/challenge.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { fromJson, toJson } from '../rows.ts';

/** The steps a session was asked for, bound to a nonce that is good once. */
export type Challenge = {
  nonceHash: Uint8Array;
  sessionId: string;
  mode: ChallengeMode;
  steps: LivenessStep[];
  /** For the neutral frames; null in challenges of earlier versions. */
  tints: Tint[] | null;
  issuedAt: number;
  expiresAt: number;
  usedAt: number | null;
};

type Row = Omit<Challenge, 'steps' | 'tints'> & { steps: string; tints: string | null };

/** Stores a fresh challenge; earlier ones of the session that were not used are void from now on. */
export async function replaceChallenge(tx: SqlTx, challenge: Challenge): Promise<void> {
  await tx.run('DELETE FROM challenges WHERE session_id = ? AND used_at IS NULL', challenge.sessionId);
  await tx.run(
    `INSERT INTO challenges (nonce_hash, session_id, mode, steps, tints, issued_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    challenge.nonceHash,
    challenge.sessionId,
    challenge.mode,
    toJson(challenge.steps),
    challenge.tints && toJson(challenge.tints),
    challenge.issuedAt,
    challenge.expiresAt,
  );
}

export async function findChallenge(
  db: SqlReader,
  sessionId: string,
  nonceHash: Uint8Array,
): Promise<Challenge | undefined> {
  const row = await db.one<Row>(
    `SELECT nonce_hash AS nonceHash, session_id AS sessionId, mode, steps, tints, issued_at AS issuedAt,
       expires_at AS expiresAt, used_at AS usedAt
     FROM challenges WHERE session_id = ? AND nonce_hash = ?`,
    sessionId,
    nonceHash,
  );
  if (!row) return undefined;
  const tints = row.tints === null ? null : fromJson<Tint[]>(row.tints);
  return { ...row, steps: fromJson<LivenessStep[]>(row.steps), tints };
}

/** 1 for the one caller that uses the nonce, 0 for every other. */
export function spendChallenge(
  tx: SqlTx,
  sessionId: string,
  nonceHash: Uint8Array,
  at: number,
): Promise<number> {
  return tx.run(
    'UPDATE challenges SET used_at = ? WHERE session_id = ? AND nonce_hash = ? AND used_at IS NULL',
    at,
    sessionId,
    nonceHash,
  );
}

/** Gives the nonce back when the frames could not be judged for reasons that are not the person's. */
export function releaseChallenge(tx: SqlTx, sessionId: string, nonceHash: Uint8Array): Promise<number> {
  return tx.run(
    'UPDATE challenges SET used_at = NULL WHERE session_id = ? AND nonce_hash = ?',
    sessionId,
    nonceHash,
  );
}
