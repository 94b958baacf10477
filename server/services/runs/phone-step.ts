/** Verifying a phone number by code (decisions §6). */
import type { Snapshot } from '../../contract/flow.ts';
import { isTestNumber, canonicalPhone } from '../../domain/identity.ts';
import { type Session } from '../../store/runs/sessions.ts';
import { recordProvenPhone } from '../../store/runs/session-holders.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { countCodesOfSession, eraseCodes, findLatestCode, insertPhoneCode } from '../../store/phone/codes.ts';
import type { Ports } from '../ports/ports.ts';
import type { ResultTokens } from '../passes/result-tokens.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import { type CodeService, lockedNumber, newPhoneCode, requireMaySend, tryCode } from '../phone/codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authoriseStep, readSnapshot } from './flow.ts';
import { settleKnownPerson } from '../settling/settlement.ts';
import type { SnapshotDeps } from './sessions/session-view.ts';

/**
 * Creates a code for the number; it is sent once the transaction has committed.
 * @throws Refusal `identifier_unrecognized`, `test_number_required`, `resend_too_soon`, `too_many_codes`
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
      const sent = {
        last: await findLatestCode(tx, scope, session.id),
        inSession: await countCodesOfSession(tx, scope, session.id),
        ofSessions: true,
      };
      await requireMaySend(tx, number, sent, nowMs);
      await eraseCodes(tx, scope, session.id);
      await insertPhoneCode(tx, scope, newPhoneCode(deps, number, session.id, nowMs));
    },
    { companyId: scope.companyId, keys: [`phone/${number}`] },
  );
  return readSnapshot(deps, session.id, verification);
}

/** @throws Refusal `code_required`, `code_expired`, `wrong_code`, `too_many_codes` */
export async function confirmCode(deps: SnapshotDeps, session: Session, given: string): Promise<Snapshot> {
  const verification = await authoriseStep(deps, session, 'phone');
  const { scope } = session;
  const refusal = await deps.db.tx(async (tx) => {
    const last = await findLatestCode(tx, scope, session.id);
    const proven = await tryCode(tx, last, given, deps.clock.now());
    if (proven instanceof Refusal) return proven;
    await eraseCodes(tx, scope, session.id);
    await recordProvenPhone(tx, scope, session.id, proven.number);
    await insertRunEvent(tx, scope, session.id, { at: deps.clock.now(), kind: 'phone_proven', details: {} });
    return null;
  }, scope);
  if (refusal) throw refusal;
  await settleKnownPerson(deps, session, verification);
  return readSnapshot(deps, session.id, verification);
}

function numberFor(session: Session, phone: string | undefined): string {
  const typed = phone === undefined ? undefined : canonicalPhone(phone)?.identifier;
  const number = lockedNumber(session) ?? typed;
  if (number === undefined) throw new Refusal('identifier_unrecognized');
  const isTest = isTestNumber(number);
  if (session.scope.partition === 'test' && !isTest) throw new Refusal('test_number_required');
  // Everyone knows the code of a test number, so it proves nothing in the live partition.
  if (session.scope.partition === 'live' && isTest) throw new Refusal('identifier_unrecognized');
  return number;
}
