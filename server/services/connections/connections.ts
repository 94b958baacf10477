/**
 * The connection between a v1 or v2 user and the company (decisions §4.7), and the webhook that tells the integration
 * about a change (§4.10): both in the transaction of the change. A v3 run has neither.
 */
import type { Scope } from '../../domain/scope.ts';
import {
  type ConnectUser,
  findConnectUserById,
  listConnectUsersOfPerson,
  setConnection,
} from '../../store/connections/connect-users.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { WebhookType } from '../../contract/webhook-types.ts';
import { queueWebhookCall } from '../webhooks/queue.ts';

export type RunEnd =
  /** By a check, an earlier pass, a pass of another region, or a reviewer. */
  | { kind: 'approved'; personId: string | null; passId: string }
  /** A reviewer or an operator denied it. */
  | { kind: 'denied' }
  /** Any other way: attempts used up, declined, the rules, the cap, time. An earlier connection stays. */
  | { kind: 'unfulfillable' };

/** A run has ended. Does nothing for a run in review, because it has not ended. */
export async function completeRun(
  tx: SqlTx,
  /** `id` is null for an invite that nobody opened. */
  session: Pick<Session, 'scope' | 'connectUserId'> & OfRun,
  end: RunEnd,
  at: number,
): Promise<void> {
  const user = await userOf(tx, session);
  if (!user) return;
  switch (end.kind) {
    case 'approved': {
      const { personId, passId } = end;
      await setConnection(tx, user.scope, user.id, { connection: 'connected', personId, passId, at });
      await enqueueWebhook(tx, user, 'USER_VERIFICATION_COMPLETED', at, session);
      return;
    }
    case 'denied':
      await disconnect(tx, user, 'denied', at, session);
      return;
    case 'unfulfillable':
      await enqueueWebhook(tx, user, 'USER_VERIFICATION_DETERMINED_UNFULFILLABLE', at, session);
  }
}

/**
 * Ends every connection of a person: `revoked` by the person, or `denied` by the company. Returns how many it ended.
 */
export async function endConnectionsOf(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  how: 'revoked' | 'denied',
  at: number,
): Promise<number> {
  const users = await listConnectUsersOfPerson(tx, scope, personId);
  const connected = users.filter(({ connection }) => connection === 'connected');
  for (const user of connected) await disconnect(tx, user, how, at);
  return connected.length;
}

const ENDED: Record<'revoked' | 'denied', WebhookType> = {
  revoked: 'USER_VERIFICATION_REVOKED',
  denied: 'USER_VERIFICATION_DENIED',
};

/** The user stays, since the integration registered them; the link to the person is removed. */
async function disconnect(
  tx: SqlTx,
  user: ConnectUser,
  how: 'revoked' | 'denied',
  at: number,
  session?: OfRun,
): Promise<void> {
  await setConnection(tx, user.scope, user.id, { connection: how, personId: null, passId: null, at });
  await enqueueWebhook(tx, user, ENDED[how], at, session);
}

async function userOf(
  tx: SqlTx,
  { scope, connectUserId }: Pick<Session, 'scope' | 'connectUserId'>,
): Promise<ConnectUser | undefined> {
  return connectUserId === null ? undefined : findConnectUserById(tx, scope, connectUserId);
}

/** The run whose timeline shows the webhook. */
type OfRun = { id: string | null; scope: Scope };

async function enqueueWebhook(
  tx: SqlTx,
  user: ConnectUser,
  type: WebhookType,
  at: number,
  session?: OfRun,
): Promise<void> {
  const transactionId = await queueWebhookCall(tx, {
    scope: user.scope,
    lineageId: user.keyLineageId,
    userId: user.id,
    referenceUserId: user.referenceUserId,
    type,
    at,
  });
  if (transactionId === null || !session || session.id === null) return;
  const details = { transaction_id: transactionId, type };
  await insertRunEvent(tx, session.scope, session.id, { at, kind: 'webhook', details });
}

/** Whether an approved run of the person is still valid: not revoked or denied since, and the person not erased. */
export const hasConnection = ({
  connection,
  personId,
}: Pick<ConnectUser, 'connection' | 'personId'>): boolean => connection === 'connected' && personId !== null;
