/**
 * The secrets that sign a key family's webhooks (decisions §4.8): one signs, the previous one may still be accepted.
 */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { addWebhookSecret, listWebhookSecrets, type WebhookSecret } from '../../store/webhooks/configs.ts';
import type { Clock } from '../ports/clock.ts';
import { randomBase62 } from '../ports/ids.ts';
import { findV3Webhook } from '../../store/webhooks/v3-webhooks.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newV3Secret, shownSecret } from './sign.ts';

const SECRET_LENGTH = 43;
/** How long receivers have to learn a new secret, by default. */
export const ROTATION_OVERLAP_MS = 24 * 3_600_000;

const newSecret = (): string => `whsec_${randomBase62(SECRET_LENGTH)}`;

/** The signing secret; created if the key family has none. */
export async function signingSecret(tx: SqlTx, scope: Scope, lineageId: string, at: number): Promise<string> {
  const [newest] = await listWebhookSecrets(tx, scope, lineageId);
  if (newest) return newest.secret;
  const secret = newSecret();
  await addWebhookSecret(tx, scope, lineageId, { version: 1, secret, createdAt: at }, at);
  return secret;
}

/** Secrets that a receiver may need now, the signing one first; of a key pair, its public half. */
export async function listSecrets(
  db: SqlReader,
  scope: Scope,
  lineageId: string,
  nowMs: number,
): Promise<WebhookSecret[]> {
  const secrets = await listWebhookSecrets(db, scope, lineageId);
  return secrets
    .filter(({ endsAt }) => endsAt === null || endsAt > nowMs)
    .map((each) => ({ ...each, secret: shownSecret(each.secret) }));
}

/** The same in full, for an operator; the audit log records who looked. */
export async function showSecrets(
  db: Database,
  clock: Clock,
  request: { scope: Scope; lineageId: string; actor: Actor },
): Promise<WebhookSecret[]> {
  const { scope, lineageId, actor } = request;
  const at = clock.now();
  return db.tx(async (tx) => {
    const secrets = await listSecrets(tx, scope, lineageId, at);
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_secret.show',
      subject: lineageId,
      details: { versions: secrets.map(({ version }) => version) },
    });
    return secrets;
  });
}

/**
 * Creates a new secret, which signs from now on, including waiting calls. The old one stays listed until it ends.
 * @throws Refusal `webhook_not_found` if the key family has none yet
 */
export async function rotateSecret(
  db: Database,
  clock: Clock,
  request: { scope: Scope; lineageId: string; overlapMs?: number; actor: Actor; reason?: string },
): Promise<WebhookSecret[]> {
  const { scope, lineageId, overlapMs = ROTATION_OVERLAP_MS, actor, reason } = request;
  const at = clock.now();
  await db.tx(async (tx) => {
    const [newest] = await listWebhookSecrets(tx, scope, lineageId);
    if (!newest) throw new Refusal('webhook_not_found', { message: 'This key has no webhook secret yet.' });
    const v3 = await findV3Webhook(tx, scope, lineageId);
    const secret = v3 ? newV3Secret(v3.signing) : newSecret();
    const next = { version: newest.version + 1, secret, createdAt: at };
    await addWebhookSecret(tx, scope, lineageId, next, at + overlapMs);
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'webhook_secret.rotate',
      subject: lineageId,
      details: {
        version: next.version,
        previous_ends_at: new Date(at + overlapMs).toISOString(),
        ...(reason !== undefined && { reason }),
      },
    });
  });
  return listSecrets(db, scope, lineageId, at);
}
