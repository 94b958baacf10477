import type { Scope } from '../../domain/scope.ts';
import { announceSession, OWNER_OF_SESSION } from '../runs/session-rows.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** A run at a kiosk. */
type KioskRun = {
  sessionId: string;
  kioskId: string;
  eventId: string | null;
  origin: 'walk_up' | 'scan';
  startedAt: number;
};

/** A link that is scanned again, at this kiosk or another one, belongs to the last scan. */
export async function saveKioskRun(tx: SqlTx, run: KioskRun): Promise<void> {
  const saved = await tx.one<{ companyId: string }>(
    `INSERT INTO kiosk_runs (session_id, kiosk_id, event_id, origin, started_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session_id) DO UPDATE SET kiosk_id = excluded.kiosk_id, event_id = excluded.event_id,
       started_at = excluded.started_at
     RETURNING ${OWNER_OF_SESSION}`,
    run.sessionId,
    run.kioskId,
    run.eventId,
    run.origin,
    run.startedAt,
  );
  if (saved) announceSession(tx, run.sessionId, saved.companyId);
}

/**
 * Open runs that the kiosk's device still holds. The kiosk determines their company.
 * @param sinceMs when they began
 */
export function listHeldRuns(
  db: SqlReader,
  kioskId: string,
  sinceMs: number,
): Promise<
  (Scope & Pick<KioskRun, 'sessionId' | 'origin'> & { attemptsLeft: number; checkingUntil: number | null })[]
> {
  return db.all(
    `SELECT s.company_id AS companyId, s.partition, s.id AS sessionId, r.origin, s.attempts_left AS attemptsLeft,
       s.checking_until AS checkingUntil
     FROM kiosk_runs r JOIN sessions s ON s.id = r.session_id
     WHERE r.kiosk_id = ? AND r.started_at >= ? AND s.state = 'open' AND s.device = 'kiosk'`,
    kioskId,
    sinceMs,
  );
}

/** Runs that ended denied at the kiosk, newest first. */
export function listDeniedAt(
  db: SqlReader,
  { id, companyId }: { id: string; companyId: string },
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<(Scope & { sessionId: string; settledAt: number; reasons: string })[]> {
  return db.all(
    `SELECT s.company_id AS companyId, s.partition, s.id AS sessionId, s.settled_at AS settledAt, p.reasons
     FROM kiosk_runs r JOIN sessions s ON s.id = r.session_id JOIN passes p ON p.id = s.pass_id AND p.session_id = s.id
     WHERE r.kiosk_id = ? AND r.started_at >= ? AND s.company_id = ? AND s.settled_at IS NOT NULL
       AND p.status = 'denied' AND p.revoked_at IS NULL
     ORDER BY s.settled_at DESC LIMIT ?`,
    id,
    sinceMs,
    companyId,
    limit,
  );
}

/** The paired kiosk of the session; undefined if it runs elsewhere. `publicKey` is null if the kiosk has none. */
export function findKioskOfRun(
  db: SqlReader,
  scope: Scope,
  sessionId: string,
): Promise<{ id: string; publicKey: Uint8Array | null } | undefined> {
  return db.one(
    `SELECT k.id, k.public_key AS publicKey FROM kiosk_runs r
     JOIN kiosks k ON k.id = r.kiosk_id JOIN sessions s ON s.id = r.session_id
     WHERE r.session_id = ? AND s.company_id = ? AND s.partition = ? AND k.company_id = s.company_id
       AND k.token_hash IS NOT NULL AND k.revoked_at IS NULL`,
    sessionId,
    ...ofScope(scope),
  );
}
