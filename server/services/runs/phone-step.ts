/** Verifying a phone number by code (decisions §6). */
import type { Snapshot } from '../../contract/flow.ts';
import { periodStart } from '../../domain/days.ts';
import { isTestNumber, normalisePhone } from '../../domain/identity.ts';
import { CODE_LIFETIME_MS, CODE_TRIES, codeOfTestNumber, maySend } from '../../domain/phone/code.ts';
import { recordProvenPhone, type Session } from '../../store/runs/sessions.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import {
  countCodesOfNumber,
  countCodesOfSession,
  eraseCodes,
  findLatestCode,
  insertPhoneCode,
  spendTry,
} from '../../store/phone/codes.ts';
import type { Ports } from '../ports.ts';
import type { ResultTokens } from '../passes/result-tokens.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { type CodeService, lockedNumber, randomCode, sameCode } from '../phone/codes.ts';
import { ServiceError } from '../errors.ts';
import { authoriseStep, readSnapshot } from './flow.ts';
import { newId } from '../ids.ts';
import { settleKnownPerson } from '../settling/settlement.ts';
import type { SnapshotDeps } from './session-view.ts';

const DAY_MS = 86_400_000;

/**
 * Creates a code for the number; it is sent once the transaction has committed.
 * @throws ServiceError `identifier_unrecognized`, `test_number_required`, `resend_too_soon`, `too_many_codes`
 */
export async function requestCode(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt'> & {
    tokens: ResultTokens;
    connect: ConnectSigner;
    codes: CodeService;
  },
  session: Session,
  phone: string | undefined,
): Promise<Snapshot> {
  const verification = await authoriseStep(deps, session, 'phone');
  const number = numberFor(session, phone);
  const { scope } = session;
  await deps.db.tx(
    async (tx) => {
      const nowMs = deps.clock.now();
      const today = periodStart('day', nowMs);
      const decision = maySend({
        nowMs,
        lastSentAt: (await findLatestCode(tx, scope, session.id))?.sentAt ?? null,
        sentInSession: await countCodesOfSession(tx, scope, session.id),
        // Nothing is sent to a test number, so it cannot be used to pester anyone and needs no limit.
        sentToNumberToday: isTestNumber(number)
          ? 0
          : await countCodesOfNumber(tx, number, { since: today, ofSessions: true }),
        nextDayMs: today + DAY_MS,
      });
      if (!decision.allowed) {
        throw new ServiceError(
          decision.refusal,
          decision.retryAfterMs === null ? {} : { retryAfterS: decision.retryAfterMs / 1_000 },
        );
      }
      const isTest = isTestNumber(number);
      await eraseCodes(tx, scope, session.id);
      await insertPhoneCode(tx, scope, {
        id: newId(nowMs),
        sessionId: session.id,
        number,
        code: isTest ? codeOfTestNumber(number) : randomCode(deps.randomInt),
        sentAt: nowMs,
        expiresAt: nowMs + CODE_LIFETIME_MS,
        triesLeft: CODE_TRIES,
        // Test numbers get no messages; without a sender, staff read codes out.
        delivery: isTest || !deps.codes.sends ? 'none' : 'pending',
      });
    },
    { companyId: scope.companyId, keys: [`phone/${number}`] },
  );
  return readSnapshot(deps, session.id, verification);
}

/**
 * Compares the person's digits with the last code. A try is used up before the comparison, so that parallel guesses
 * are counted, too.
 * @throws ServiceError `code_required`, `code_expired`, `wrong_code`, `too_many_codes`
 */
export async function confirmCode(deps: SnapshotDeps, session: Session, given: string): Promise<Snapshot> {
  const verification = await authoriseStep(deps, session, 'phone');
  const { scope } = session;
  const verdict = await deps.db.tx(async (tx) => {
    const last = await findLatestCode(tx, scope, session.id);
    if (!last || last.code === null) return 'code_required';
    if (deps.clock.now() >= last.expiresAt) return 'code_expired';
    if ((await spendTry(tx, last.id)) === 0) return 'too_many_codes';
    if (!sameCode(given, last.code)) return { triesLeft: last.triesLeft - 1 };
    await eraseCodes(tx, scope, session.id);
    await recordProvenPhone(tx, scope, session.id, last.number);
    await insertRunEvent(tx, scope, session.id, { at: deps.clock.now(), kind: 'phone_proven', details: {} });
    return null;
  }, scope);
  if (typeof verdict === 'string') throw new ServiceError(verdict);
  if (verdict) throw new ServiceError('wrong_code', { extra: { tries_left: verdict.triesLeft } });
  await settleKnownPerson(deps, session, verification);
  return readSnapshot(deps, session.id, verification);
}

function numberFor(session: Session, phone: string | undefined): string {
  const typed = phone === undefined ? undefined : normalisePhone(phone)?.identifier;
  const number = lockedNumber(session) ?? typed;
  if (number === undefined) throw new ServiceError('identifier_unrecognized');
  const isTest = isTestNumber(number);
  if (session.scope.partition === 'test' && !isTest) throw new ServiceError('test_number_required');
  // Everyone knows the code of a test number, so it proves nothing in the live partition.
  if (session.scope.partition === 'live' && isTest) throw new ServiceError('identifier_unrecognized');
  return number;
}
