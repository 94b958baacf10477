import type { Scope } from '../domain/scope.ts';
import type { SqlTx } from './port.ts';
import { fromJson, toJson } from './rows.ts';
import type { SessionRequest } from './session-rows.ts';

/** Takes out of a person's invites whom they were for. Before the runs themselves forget it. Returns rows changed. */
export async function eraseFromInvites(tx: SqlTx, scope: Scope, personId: string): Promise<number> {
  const rows = await tx.all<{ id: string; request: string }>(
    `SELECT i.id, i.request FROM passes p JOIN sessions s ON s.pass_id = p.id JOIN invites i ON i.id = s.invite_id
     WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?`,
    scope.companyId,
    scope.partition,
    personId,
  );
  for (const { id, request } of rows) {
    const bare: SessionRequest = {
      ...fromJson<SessionRequest>(request),
      identity: null,
      externalId: null,
      metadata: null,
      passParams: null,
    };
    await tx.run(
      'UPDATE invites SET request = ? WHERE company_id = ? AND partition = ? AND id = ?',
      toJson(bare),
      scope.companyId,
      scope.partition,
      id,
    );
  }
  return rows.length;
}
