/**
 * Sending codes: found again after a crash, sent by one process, never before their transaction has committed, several at
 * the same time.
 */
import { languageFor } from '../../contract/languages.ts';
import { claimPendingCode, type PendingCode, recordDelivery } from '../../store/phone/codes.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';
import { messagesOf } from '../../../locales/node.ts';
import { createLanes } from './lanes.ts';
import { readLanguageOffer } from '../companies/languages.ts';

/** Brings a text to a phone. Rejects when it could not; the message names no code. */
export type CodeSender = { send(number: string, text: string): Promise<void> };

export type CodeService = {
  /** False where staff read codes out instead. */
  readonly sends: boolean;
  /** Other codes than those under way go this way from now on; null for the operator. */
  use(sender: CodeSender | null): void;
  close(): Promise<void>;
};

/** Longer than any sender's own time limit, so that a claim is not taken over while it is being sent. */
const LEASE_MS = 60_000;
/** How soon a code is found that another process, or this one before a crash, has left. */
const LOOK_MS = 5_000;

/**
 * Sends at the same time, at most: to a slow gateway each takes up to its time limit. Codes of open sessions have lanes of
 * their own, so that no flood of requests without a session delays them.
 */
const LANES = { ofSessions: 8, others: 4 } as const;

/**
 * @param first null stands for the operator: nothing is sent, staff see the code
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
  // In this order: the first to be looked at are the codes of sessions.
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
