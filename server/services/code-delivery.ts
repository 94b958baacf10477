/** Sending codes: found again after a crash, sent by one process, never before their transaction has committed. */
import { languageFor } from '../contract/languages.ts';
import { claimPendingCode, type PendingCode, recordDelivery } from '../store/phone-codes.ts';
import type { Database } from '../store/port.ts';
import type { Clock } from './clock.ts';
import { CODE_MESSAGES } from './code-words.ts';
import { readLanguageOffer } from './languages.ts';

/** Brings a text to a phone. Rejects when it could not; the message names no code. */
export type CodeSender = { send(number: string, text: string): Promise<void> };

export type CodeDesk = {
  /** False where staff read codes out instead. */
  readonly sends: boolean;
  /** Other codes than those under way go this way from now on; null for the operator. */
  use(sender: CodeSender | null): void;
  /** Looks for codes to send. */
  wake(): void;
  close(): Promise<void>;
};

/** Longer than any sender's own time limit, so that a claim is not taken over while it is being sent. */
const LEASE_MS = 60_000;
/** How soon a code is found that another process, or this one before a crash, has left. */
const LOOK_MS = 5_000;

/** @param first null stands for the operator: nothing is sent, staff see the code */
export function createCodeDesk(
  db: Database,
  clock: Clock,
  first: CodeSender | null,
  onError: (error: unknown) => void,
): CodeDesk {
  let sender = first;
  let working: Promise<void> | null = null;
  let wokenAgain = false;

  async function sendAll(by: CodeSender): Promise<void> {
    for (;;) {
      const code = await db.tx((tx) => claimPendingCode(tx, clock.now(), LEASE_MS));
      if (!code) return;
      const delivery = await deliver(by, code);
      await db.tx((tx) => recordDelivery(tx, code.id, delivery));
    }
  }

  async function deliver(
    by: CodeSender,
    { number, code, language }: PendingCode,
  ): Promise<'sent' | 'failed'> {
    if (code === null) return 'failed';
    try {
      const spoken = languageFor(await readLanguageOffer(db), [language ?? '']);
      await by.send(number, CODE_MESSAGES[spoken](code));
      return 'sent';
    } catch (error) {
      onError(error);
      return 'failed';
    }
  }

  function wake(): void {
    if (!sender) return;
    if (working) {
      wokenAgain = true;
      return;
    }
    working = sendAll(sender)
      .catch(onError)
      .finally(() => {
        working = null;
        if (wokenAgain) {
          wokenAgain = false;
          wake();
        }
      });
  }

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
    wake,
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
