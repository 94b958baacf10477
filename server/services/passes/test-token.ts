/** POST /v3/test/confirmation-token: a real test pass with a chosen verdict (contract, confirmation rule 6). */
import { keyActor } from '../../domain/operators/actor.ts';
import type { TestTokenRequest, TestTokenResponse } from '../../contract/v3.ts';
import { isReason, type Reason } from '../../domain/settling/reasons.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { insertPass, type Pass } from '../../store/passes/passes.ts';
import { readTestClock } from '../../store/people/test-clock.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { newId } from '../ports/ids.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';
import { resolveVerification } from '../companies/resolve-verification.ts';
import { tellSettled } from '../webhooks/events.ts';
import type { ResultTokens } from './result-tokens.ts';

/** @throws Refusal `test_key_required`, `unknown_reason`, `no_matching_verification` */
export async function settleTestPass(
  { db, clock, tokens }: { db: Database; clock: Clock; tokens: ResultTokens },
  caller: Caller,
  body: TestTokenRequest,
  keep: KeepReply<TestTokenResponse> | null = null,
): Promise<TestTokenResponse> {
  const { scope, kind, keyId } = caller;
  if (kind !== 'sk' || scope.partition !== 'test') throw new Refusal('test_key_required');
  const status = body.status ?? 'approved';
  const reasons = readReasons(body.reasons ?? [], status);
  // Own properties only: the body may contain others, which no schema has checked.
  const named = body.verification_id === undefined ? {} : { verification_id: body.verification_id };
  const verification = await resolveVerification(db, caller, named);
  const now = clock.now();
  const id = newId(now);
  const mintedAt = now + (await readTestClock(db, scope));
  const reply = { token: tokens.mint({ passId: id, mintedAt }, id), verified: status === 'approved' };
  await db.tx(async (tx) => {
    const pass: Pass = {
      id,
      sessionId: null,
      verificationId: verification.id,
      personId: null,
      status,
      reasons,
      groups: [],
      group: null,
      declined: status === 'denied' && reasons.includes('declined'),
      externalId: null,
      identity: null,
      score: null,
      settledAt: now,
      lockedAt: null,
      revokedAt: null,
      generation: 'v3',
    };
    await insertPass(tx, scope, pass);
    await tellSettled(tx, scope, null, () => pass, now);
    await appendAudit(tx, {
      ...scope,
      at: now,
      actor: keyActor(keyId),
      action: 'pass.test',
      subject: id,
      details: { status, reasons },
    });
    await keep?.(tx, reply, id);
  }, scope);
  return reply;
}

/** A denied pass always has a reason; without one it counts as decided by hand. */
function readReasons(names: readonly string[], status: 'approved' | 'denied'): Reason[] {
  const unknown = names.filter((name) => !isReason(name));
  if (unknown.length > 0) throw new Refusal('unknown_reason', { extra: { reasons: unknown } });
  const reasons = [...new Set(names.filter(isReason))];
  return reasons.length === 0 && status === 'denied' ? ['manual_override'] : reasons;
}
