import { timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS, CODE_TRIES, maskNumber, RESEND_AFTER_MS } from '../../domain/phone/code.ts';
import { sha256 } from '../ids.ts';
import { languageFor } from '../../contract/languages.ts';
import {
  claimPendingCode,
  findLatestCode,
  type PendingCode,
  recordDelivery,
} from '../../store/phone/codes.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';
import { messagesOf } from '../../../locales/node.ts';
import { createLanes } from './lanes.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import type { PhoneState } from '../../contract/flow.ts';
import type { Session } from '../../store/runs/sessions.ts';

export function randomCode(randomInt: (n: number) => number): string {
  return Array.from({ length: CODE_DIGITS }, () => randomInt(10)).join('');
}

/** Digits only, because people type the gap that the message shows. Compared in constant time. */
export function sameCode(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given.replace(/\D/g, '')), sha256(expected));
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
  close(): Promise<void>;
};

/** Longer than any sender's own timeout, so that a claim is not taken over during sending. */
const LEASE_MS = 60_000;
/** How soon a code of another process, or from before a crash, is found. */
const LOOK_MS = 5_000;

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
  const claim = (ofSessions: boolean) => () =>
    db.tx((tx) => claimPendingCode(tx, { nowMs: clock.now(), leaseMs: LEASE_MS, ofSessions }), {
      companyId: null,
    });

  async function send(by: CodeSender, code: PendingCode): Promise<void> {
    const delivery = await deliver(by, code);
    await recordDelivery({ run: db.write }, code.id, delivery);
  }

  async function deliver(
    by: CodeSender,
    { number, code, language }: PendingCode,
  ): Promise<'sent' | 'failed'> {
    if (code === null) return 'failed';
    try {
      const spoken = languageFor(await readLanguageOffer(db), [language ?? '']);
      await by.send(number, messagesOf('phone', spoken).code({ code }));
      return 'sent';
    } catch (error) {
      onError(error);
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
  const timer = setInterval(wake, LOOK_MS);
  timer.unref();
  wake();
  return {
    get sends() {
      return sender !== null;
    },
    use(next) {
      sender = next;
      wake();
    },
    async close() {
      unfollow();
      clearInterval(timer);
      await Promise.all(groups.map((group) => group.close()));
    },
  };
}

/** The number that the flow is locked to: that of a direct link, or the one that its backend seeded. */
export function lockedNumber({ request, lockedPhone }: Session): string | null {
  if (lockedPhone !== null) return lockedPhone;
  return request.identity?.provider === 'phone' ? request.identity.identifier : null;
}

/** The phone step as the page shows it. */
export async function phoneState(db: SqlReader, session: Session): Promise<PhoneState> {
  const last = await findLatestCode(db, session.scope, session.id);
  const number = last?.number ?? lockedNumber(session);
  return {
    locked: lockedNumber(session) !== null,
    hint: number === null ? null : maskNumber(number),
    code_sent_at: last ? new Date(last.sentAt).toISOString() : null,
    resend_at: last ? new Date(last.sentAt + RESEND_AFTER_MS).toISOString() : null,
    tries_left: last?.triesLeft ?? CODE_TRIES,
  };
}
