/** Reading a settled pass with its result token (contract, "Rules for the confirmation endpoints"). */
import { bandOf, type Confirmation, type LookupRequest } from '../../contract/v3.ts';
import { hasEnded } from '../../domain/clock.ts';
import { isVerified } from '../../domain/passes/pass.ts';
import type { Scope } from '../../domain/scope.ts';
import { resolveConfig } from '../../domain/companies/verification-config.ts';
import {
  type ConfirmedPass,
  findConfirmedPass,
  findLatestPassOfIdentity,
} from '../../store/passes/passes.ts';
import { readTestClock } from '../../store/people/test-clock.ts';
import { awaitsReviewer } from '../../store/runs/sessions.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Caller } from '../keys/keys.ts';
import type { UsageTracker } from '../keys/usage-tracker.ts';
import type { ResultTokens } from './result-tokens.ts';
import { readIdentity } from '../wire/values.ts';

/** Decisions §3.9: 30 minutes after the pass settled or the token was issued, whichever is later. */
export const TOKEN_LIFETIME_MS = 30 * 60_000;

export type ConfirmationDeps = { db: SqlReader; clock: Clock; tokens: ResultTokens; reads: UsageTracker };

/**
 * Exchanges a `vyt` for the verdict. Repeating is allowed and counted.
 * @throws Refusal `invalid_confirmation_token`, `not_found`, `token_expired`
 */
export async function readConfirmation(
  deps: ConfirmationDeps,
  caller: Caller,
  token: string,
): Promise<Confirmation> {
  await endOfTurn();
  const pass = await passOfToken(deps, caller.scope, token);
  deps.reads.count(caller.scope, pass.id);
  return toConfirmation(caller.scope, pass);
}

let turn: Promise<void> | null = null;

/**
 * Reads of one turn of the event loop are answered together by one callback, because waking a client for each answer
 * costs more than the answer.
 */
const endOfTurn = (): Promise<void> =>
  (turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  }));

/** The pass of a token, in the caller's own scope; anyone else's is not found. */
export async function passOfToken(
  { db, clock, tokens }: Pick<ConfirmationDeps, 'db' | 'clock' | 'tokens'>,
  scope: Scope,
  text: string,
): Promise<ConfirmedPass> {
  const token = tokens.verify(text);
  if (!token) throw new Refusal('invalid_confirmation_token');
  const pass = await findConfirmedPass(db, scope, token.passId);
  if (!pass) {
    const isInReview = await awaitsReviewer(db, scope, token.passId);
    throw new Refusal('not_found', isInReview ? { extra: { state: 'in_review' } } : {});
  }
  const mintedAt = token.mintedAt - (await readTestClock(db, scope));
  if (hasEnded(Math.max(pass.settledAt, mintedAt), TOKEN_LIFETIME_MS, clock.now())) {
    throw new Refusal('token_expired');
  }
  return pass;
}

export function toConfirmation(scope: Scope, pass: ConfirmedPass): Confirmation {
  return {
    verified: isVerified(pass),
    status: pass.status,
    reasons: pass.reasons,
    declined: pass.declined,
    group: pass.group,
    groups: pass.groups,
    id: pass.id,
    confirmed_at: new Date(pass.settledAt).toISOString(),
    locked: pass.lockedAt !== null,
    is_test: scope.partition === 'test',
    score: pass.score,
    band: pass.score === null ? null : bandOf(pass.score),
    external_id: pass.externalId,
    identity: sharedIdentity(pass),
    verification: { external_id: pass.verificationExternalId, external_tenant_id: pass.verificationTenantId },
  };
}

/** Only if sharing is on and the run verified a credential. A denied run verified none. */
function sharedIdentity(pass: ConfirmedPass): Confirmation['identity'] {
  const { shareIdentity } = resolveConfig(pass.config, pass.generation);
  return shareIdentity && pass.status === 'approved' ? pass.identity : null;
}

// POST /v3/confirmations: the latest settled pass of a credential (contract, confirmation rule 5; decisions §3.12).

/** @throws Refusal `one_identifier_only`, `identifier_unrecognized`, `no_settled_pass` */
export async function lookUpByIdentity(
  { db }: { db: SqlReader },
  { scope }: Caller,
  body: LookupRequest,
): Promise<Confirmation> {
  const identity = readIdentity(body);
  if (!identity) throw new Refusal('one_identifier_only');
  const pass = await findLatestPassOfIdentity(db, scope, identity, {
    verificationId: body.verification_id?.toLowerCase() ?? null,
    group: body.group ?? null,
  });
  if (!pass) throw new Refusal('no_settled_pass');
  return toConfirmation(scope, pass);
}
