import type { Scope } from '../../domain/scope.ts';
import { inScope, insertRow, ofScope } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

type ReviewNote = { id: string; operatorName: string; text: string; createdAt: number };

export async function insertReviewNote(
  tx: SqlTx,
  scope: Scope,
  note: { id: string; caseId: string; operatorId: string; text: string; at: number },
): Promise<void> {
  await insertRow(tx, 'review_notes', {
    id: note.id,
    case_id: note.caseId,
    ...inScope(scope),
    operator_id: note.operatorId,
    text: tx.secrets.seal('review_notes.text', [note.id], note.text),
    created_at: note.at,
  });
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
