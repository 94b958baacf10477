/** Events of a run that are recorded nowhere else, for the console's timeline. Never personal data. */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { fromJson, inScope, insertRow, ofScope, toJson } from '../rows.ts';

/** Details by kind. */
export type RunEventDetails = {
  consent: {
    version: string;
    language: string;
    device: string | null;
    /** First digits of the text’s hash; absent for a text that the server does not know. */
    digest?: string;
    /** ISO 8601; absent unless the person agreed that a photo is kept. */
    photo_until?: string;
    /** Days without a visit for which the text said that the face is kept; absent if it did not say. */
    retention_days?: number;
    /** Days after its event for which the text said that the face is kept, in place of them. */
    faces_days?: number;
  };
  phone_proven: Record<string, never>;
  attempt: {
    passed: boolean;
    /** All findings in full: for staff, not for the person. */
    findings: string[];
    /** Points per signal that make up the score; absent if nothing was measured. */
    score_parts?: Record<string, number>;
    /** How the pictures were sent; absent in attempts of earlier versions. */
    capture?: { device: string | null; trusted: boolean; fast_lane?: true };
  };
  webhook: { transaction_id: string; type: string };
};
type RunEventKind = keyof RunEventDetails;

export type RunEvent = {
  [K in RunEventKind]: { at: number; kind: K; details: RunEventDetails[K] };
}[RunEventKind];

export async function insertRunEvent(
  tx: SqlTx,
  scope: Scope,
  sessionId: string,
  { at, kind, details }: RunEvent,
): Promise<void> {
  await insertRow(tx, 'run_events', {
    ...inScope(scope),
    session_id: sessionId,
    at,
    kind,
    details: toJson(details),
  });
}

/** In chronological order; a run has only a few. */
export async function listRunEvents(db: SqlReader, scope: Scope, sessionId: string): Promise<RunEvent[]> {
  const rows = await db.all<{ at: number; kind: string; details: string }>(
    `SELECT at, kind, details FROM run_events
     WHERE company_id = ? AND partition = ? AND session_id = ? ORDER BY seq`,
    ...ofScope(scope),
    sessionId,
  );
  return rows.map((row) => ({ ...row, details: fromJson<unknown>(row.details) }) as RunEvent);
}
