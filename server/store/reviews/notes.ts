import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

type ReviewNote = { id: string; operatorName: string; text: string; createdAt: number };

export async function insertReviewNote(
  tx: SqlTx,
  scope: Scope,
  note: { id: string; caseId: string; operatorId: string; text: string; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO review_notes (id, case_id, company_id, partition, operator_id, text, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    note.id,
    note.caseId,
    ...ofScope(scope),
    note.operatorId,
    tx.secrets.seal('review_notes.text', [note.id], note.text),
    note.at,
  );
}

/** Oldest first, at most `limit` of the newest. */
export async function listReviewNotes(
  db: SqlReader,
  scope: Scope,
  caseId: string,
  limit: number,
): Promise<ReviewNote[]> {
  const rows = await db.all<ReviewNote>(
    `SELECT n.id, o.name AS operatorName, n.text, n.created_at AS createdAt
     FROM review_notes n JOIN operators o ON o.id = n.operator_id
     WHERE n.company_id = ? AND n.partition = ? AND n.case_id = ? ORDER BY n.created_at DESC, n.id DESC LIMIT ?`,
    ...ofScope(scope),
    caseId,
    limit,
  );
  return rows
    .reverse()
    .map((note) => ({ ...note, text: db.secrets.open('review_notes.text', [note.id], note.text) }));
}
