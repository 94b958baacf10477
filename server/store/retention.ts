import type { SqlTx } from './port.ts';

/** Pictures of cases whose time is over. Returns rows removed, at most `limit`. */
export function deleteDueCaseFrames(tx: SqlTx, nowMs: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM case_frames WHERE rowid IN (
       SELECT rowid FROM case_frames WHERE delete_after IS NOT NULL AND delete_after <= ? LIMIT ?)`,
    nowMs,
    limit,
  );
}

/**
 * Faces of people who were last seen before `seenBefore`; the people themselves stay, without a face. Returns rows
 * removed, at most `limit`.
 */
export function deleteInactiveTemplates(tx: SqlTx, seenBefore: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM templates WHERE seq IN (
       SELECT t.seq FROM people p JOIN templates t ON t.person_id = p.id WHERE p.last_seen_at < ? LIMIT ?)`,
    seenBefore,
    limit,
  );
}

/**
 * Takes out of runs that nobody finished what they carried about a person. The run itself stays for the statistics.
 * Returns rows changed, at most `limit`.
 */
export function stripAbandonedRuns(
  tx: SqlTx,
  { createdBefore, nowMs }: { createdBefore: number; nowMs: number },
  limit: number,
): Promise<number> {
  return tx.run(
    `UPDATE sessions SET external_id = NULL, identity_provider = NULL, identity_identifier = NULL, metadata = NULL,
       proven_phone = NULL, pass_params = NULL, locked_phone = NULL
     WHERE rowid IN (
       SELECT rowid FROM sessions
       WHERE created_at < ? AND expires_at < ? AND state IN ('open', 'expired', 'cancelled')
         AND coalesce(external_id, identity_identifier, metadata, proven_phone, pass_params, locked_phone) IS NOT NULL
       LIMIT ?)`,
    createdBefore,
    nowMs,
    limit,
  );
}
