import type { SqlTx } from '../sql/port.ts';

/** A run that was made at a kiosk. */
export type KioskRun = {
  sessionId: string;
  kioskId: string;
  eventId: string | null;
  origin: 'walk_up' | 'scan';
  startedAt: number;
};

/** A link that is scanned again, at this kiosk or another one, is where it was scanned last. */
export async function saveKioskRun(tx: SqlTx, run: KioskRun): Promise<void> {
  await tx.run(
    `INSERT INTO kiosk_runs (session_id, kiosk_id, event_id, origin, started_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session_id) DO UPDATE SET kiosk_id = excluded.kiosk_id, event_id = excluded.event_id,
       started_at = excluded.started_at`,
    run.sessionId,
    run.kioskId,
    run.eventId,
    run.origin,
    run.startedAt,
  );
  tx.afterCommit('session', run.sessionId);
}
