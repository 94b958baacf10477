import { useDirectToken } from '../../store/connections/connect-sessions.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { sha256 } from '../ids.ts';
import type { ConnectSigner } from './signer.ts';

export type DirectTokenCheck = 'accepted' | 'used' | 'invalid';

/**
 * Checks the `t` of a v2 direct link and uses it up: `accepted` once, then `used`; `invalid` if the session has none
 * or it belongs to another session (decisions §4.4). The use is undone if the caller's transaction is.
 */
export async function checkDirectToken(
  { connect }: { connect: ConnectSigner },
  tx: SqlTx,
  session: Session,
  { token, at }: { token: string; at: number },
): Promise<DirectTokenCheck> {
  const hash = sha256(token);
  if (session.directTokenHash === null || !connect.isDirectTokenOf(session.id, token)) return 'invalid';
  if (!hash.equals(session.directTokenHash)) return 'invalid';
  return (await useDirectToken(tx, session.scope, session.id, { tokenHash: hash, at })) === 1
    ? 'accepted'
    : 'used';
}
