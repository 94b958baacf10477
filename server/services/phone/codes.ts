import { periodStart } from '../../domain/days.ts';
import { isTestNumber } from '../../domain/identity.ts';
import {
  CODE_LIFETIME_MS,
  CODE_TRIES,
  codeOfTestNumber,
  maskNumber,
  maySend,
  RESEND_AFTER_MS,
} from '../../domain/phone/code.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { isSameSecret, newId } from '../ports/ids.ts';
import { languageFor } from '../../contract/languages.ts';
import {
  claimPendingCode,
  countCodesOfNumber,
  findLatestCode,
  type PendingCode,
  type PhoneCode,
  recordDelivery,
  spendTry,
} from '../../store/phone/codes.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { messagesOf } from '../../../locales/node.ts';
import { createLanes } from './lanes.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { CODE_DIGITS, type PhoneState } from '../../contract/flow.ts';
import type { Session } from '../../store/runs/sessions.ts';

const DAY_MS = 86_400_000;

/**
 * Refuses a code that would be sent too soon or too often.
 * @param sent what was sent before: in the session, or for the person's own page
 * @throws Refusal `resend_too_soon`, `too_many_codes`
 */
export async function requireMaySend(
  db: SqlReader,
  number: string,
  sent: { last: PhoneCode | undefined; inSession: number; ofSessions: boolean },
  nowMs: number,
): Promise<void> {
  const today = periodStart('day', nowMs);
  const decision = maySend({
    nowMs,
    lastSentAt: sent.last?.sentAt ?? null,
    sentInSession: sent.inSession,
    // Nothing is sent to a test number, so it cannot be used to pester anyone and needs no limit.
    sentToNumberToday: isTestNumber(number)
      ? 0
      : await countCodesOfNumber(db, number, { since: today, ofSessions: sent.ofSessions }),
    nextDayMs: today + DAY_MS,
  });
  if (decision.allowed) return;
  const { refusal, retryAfterMs } = decision;
  throw new Refusal(refusal, retryAfterMs === null ? {} : { retryAfterS: retryAfterMs / 1_000 });
}

/** @param sessionId null for a code that opens the person's own page */
export function newPhoneCode(
  { randomInt, codes }: { randomInt: (n: number) => number; codes: Pick<CodeService, 'sends'> },
  number: string,
  sessionId: string | null,
  nowMs: number,
): PhoneCode {
  const isTest = isTestNumber(number);
  return {
    id: newId(nowMs),
    sessionId,
    number,
    code: isTest
      ? codeOfTestNumber(number)
      : Array.from({ length: CODE_DIGITS }, () => randomInt(10)).join(''),
    sentAt: nowMs,
    expiresAt: nowMs + CODE_LIFETIME_MS,
    triesLeft: CODE_TRIES,
    // Test numbers get no messages; without a sender, staff read codes out.
    delivery: isTest || !codes.sends ? 'none' : 'pending',
  };
}

/**
 * Compares the person's digits with the last code. A try is used up before the comparison, so that parallel guesses
 * are counted, too.
 * @returns the code if they match, else `code_required`, `code_expired`, `wrong_code` or `too_many_codes`: to be thrown
 * after the transaction, which keeps the count
 */
export async function tryCode(
  tx: SqlTx,
  last: PhoneCode | undefined,
  given: string,
  nowMs: number,
): Promise<PhoneCode | Refusal> {
  if (!last || last.code === null) return new Refusal('code_required');
  if (nowMs >= last.expiresAt) return new Refusal('code_expired');
  if ((await spendTry(tx, last.id)) === 0) return new Refusal('too_many_codes');
  // Digits only, because people type the gap that the message shows.
  if (isSameSecret(given.replace(/\D/g, ''), last.code)) return last;
  return new Refusal('wrong_code', { extra: { tries_left: last.triesLeft - 1 } });
}

// Sending codes: several at the same time, each by one process, never before its transaction has committed, and
// found again after a crash.

/** Sends a text to a phone. Rejects on failure; the message contains no code. */
export type CodeSender = { send(number: string, text: string): Promise<void> };

export type CodeService = {
  /** False if staff read codes out instead. */
  readonly sends: boolean;
  /** Changes the sender for all codes except those in progress; null for the operator. */
  use(sender: CodeSender | null): void;
  /** The codes that failed one after the other, without one that was sent since; null if none. */
  failing(): { count: number; since: number } | null;
  close(): Promise<void>;
};

/** Longer than any sender's own timeout, so that a claim is not taken over during sending. */
const LEASE_MS = 60_000;
/** Without a further code, a failure says nothing about now. */
const FAILURES_STAND_MS = 60 * 60_000;
/**
 * Maximum of concurrent sends: to a slow gateway each takes up to its timeout. Codes of open sessions have lanes of
 * their own, so that no flood of requests without a session delays them.
 */
const LANES = { ofSessions: 8, others: 4 } as const;

/**
 * @param first null means the operator: nothing is sent, staff see the code
 * @param isLeader whether this node sends the codes of all nodes
 */
export function createCodeService(
  db: Database,
  clock: Clock,
  first: CodeSender | null,
  onError: (error: unknown) => void,
  isLeader: () => boolean = () => true,
): CodeService {
  let sender = first;
  let failures: { count: number; since: number; last: number } | null = null;
  const claim = (ofSessions: boolean) => () =>
    db.tx((tx) => claimPendingCode(tx, { nowMs: clock.now(), leaseMs: LEASE_MS, ofSessions }), {
      companyId: null,
    });

  async function send(by: CodeSender, code: PendingCode): Promise<void> {
    const delivery = await deliver(by, code);
    await recordDelivery({ run: db.write }, code.id, delivery);
    // Staff of every company read out what could not be sent for a person's own page.
    if (delivery === 'failed' && code.sessionId === null) db.announce('codes');
  }

  async function deliver(
    by: CodeSender,
    { number, code, language }: PendingCode,
  ): Promise<'sent' | 'failed'> {
    if (code === null) return 'failed';
    try {
      const spoken = languageFor(await readLanguageOffer(db), [language ?? '']);
      await by.send(number, messagesOf('phone', spoken).code({ code }));
      failures = null;
      return 'sent';
    } catch (error) {
      onError(error);
      failures = {
        count: (failures?.count ?? 0) + 1,
        since: failures?.since ?? clock.now(),
        last: clock.now(),
      };
      return 'failed';
    }
  }

  const lanesFor = (ofSessions: boolean, lanes: number) =>
    createLanes({
      lanes,
      next: claim(ofSessions),
      work: (code) => (sender ? send(sender, code) : Promise.resolve()),
      onError,
    });
  // In this order, so that codes of sessions are polled first.
  const groups = [lanesFor(true, LANES.ofSessions), lanesFor(false, LANES.others)];
  function wake(): void {
    if (sender && isLeader()) for (const group of groups) group.wake();
  }

  const unfollow = db.follow('codes', wake);
  wake();
  return {
    get sends() {
      return sender !== null;
    },
    failing() {
      const isRecent = failures !== null && clock.now() - failures.last < FAILURES_STAND_MS;
      return failures && isRecent ? { count: failures.count, since: failures.since } : null;
    },
    use(next) {
      if (next === null) failures = null;
      sender = next;
      wake();
    },
    async close() {
      unfollow();
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}

/** The number that the flow is locked to: that of a direct link, or the one that its backend seeded. */
export function lockedNumber({ request, lockedPhone }: Session): string | null {
  if (lockedPhone !== null) return lockedPhone;
  return request.identity?.provider === 'phone' ? request.identity.identifier : null;
}

/** The phone step as the page shows it. Nothing is ever sent to test numbers, so their pages show what guests would read. */
export async function phoneState(
  { db, codes, clock }: { db: SqlReader; clock: Clock; codes: Pick<CodeService, 'sends'> },
  session: Session,
): Promise<PhoneState> {
  const latest = await findLatestCode(db, session.scope, session.id);
  // A code without digits was used, or belonged to a guest whose run was released.
  const last = latest?.code === null ? undefined : latest;
  const number = last?.number ?? lockedNumber(session);
  const resendAt = last ? last.sentAt + RESEND_AFTER_MS : 0;
  return {
    locked: lockedNumber(session) !== null,
    ...(!codes.sends && session.scope.partition === 'live' && { read_out: true as const }),
    hint: number === null ? null : maskNumber(number),
    code_sent_at: last ? new Date(last.sentAt).toISOString() : null,
    resend_at: last ? new Date(resendAt).toISOString() : null,
    resend_in_ms: Math.min(RESEND_AFTER_MS, Math.max(0, resendAt - clock.now())),
    tries_left: last?.triesLeft ?? CODE_TRIES,
  };
}
