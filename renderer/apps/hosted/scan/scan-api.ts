/** The calls of a phone of the door team. Each rejects with a `RequestError`. */
import { SHIFT_TOKEN_HEADER } from '../../../../server/contract/tickets.ts';
import type { Direction } from '../../../../server/contract/ticket-values.ts';
import { scan } from '../../../../server/contract/routes/scan.ts';
import { newResumeKey } from '../../../embed/protocol.ts';
import { createClient } from '../../../http/client.ts';
import { asRequestError } from '../../../http/request-error.ts';

const KEY = 'gatehouse.shift';
/** A queue is waiting: what has not been answered by then is tried again by hand. */
const ANSWER_WITHIN_MS = 8_000;
const MOST_UNANSWERED = 20;

type Shown = { text: string } | { ticket_id: string };

export type ScanApi = ReturnType<typeof createScanApi>;

/** @param storage `localStorage`, so that a phone that is locked or reloaded stays a scanner */
export function createScanApi(send: typeof fetch, storage: () => Storage) {
  let token: string | null = null;
  try {
    token = storage().getItem(KEY);
  } catch {
    // Without storage a reload asks for the code again.
  }
  const keep = (next: string | null) => {
    token = next;
    try {
      if (next === null) storage().removeItem(KEY);
      else storage().setItem(KEY, next);
    } catch {
      // As above.
    }
  };
  const { call } = createClient({
    fetch: send,
    credentials: 'omit',
    headers: (): Record<string, string> => (token === null ? {} : { [SHIFT_TOKEN_HEADER]: token }),
  });
  const soon = () => AbortSignal.timeout(ANSWER_WITHIN_MS);
  /** Keys of acts whose reply was lost, by what was sent: the server may have recorded them, so the same again is the same act. */
  const unanswered = new Map<string, string>();
  const act = async <T>(
    what: readonly unknown[],
    send: (once: { signal: AbortSignal; onceKey: string }) => Promise<T>,
  ): Promise<T> => {
    const sent = JSON.stringify(what);
    const onceKey = unanswered.get(sent) ?? newResumeKey();
    unanswered.delete(sent);
    try {
      return await send({ signal: soon(), onceKey });
    } catch (error) {
      if (mayHaveHappened(error)) unanswered.set(sent, onceKey);
      const [oldest] = unanswered.keys();
      if (unanswered.size > MOST_UNANSWERED && oldest !== undefined) unanswered.delete(oldest);
      throw error;
    }
  };
  return {
    /** Whether this phone is a scanner, as far as it knows. */
    isOnDuty: () => token !== null,
    async join(code: string, name: string) {
      keep((await call(scan.join, { body: { code, name }, signal: soon() })).token);
    },
    /** Forgets the token. */
    leave: () => keep(null),
    status: () => call(scan.shift, { signal: soon() }),
    ticket: (shown: Shown, direction: Direction) =>
      act(['ticket', shown, direction], (once) =>
        call(scan.ticket, { body: { ...shown, direction }, ...once }),
      ),
    letIn: (ticket_id: string, reason: string) =>
      act(['letIn', ticket_id, reason], (once) => call(scan.letIn, { body: { ticket_id, reason }, ...once })),
    children: (ticket_ids: readonly string[]) =>
      act(['children', ticket_ids], async (once) => {
        const { let_in } = await call(scan.children, { body: { ticket_ids }, ...once });
        return let_in;
      }),
    undo: (entry: number) => call(scan.undo, { body: { entry }, signal: soon() }),
    search: (text: string) => call(scan.search, { body: { text }, signal: soon() }),
    callSupervisor: (waits: boolean) => call(scan.call, { body: { waits }, signal: soon() }),
  };
}

/** What a failed call is said to be; `ended` if this phone is no scanner any more. */
export type Failure = 'ended' | 'offline' | 'tooMany' | 'wrongCode' | 'late' | 'notAdmitted' | 'server';

const FAILURES: Readonly<Record<string, Failure>> = {
  invalid_shift_token: 'ended',
  invalid_shift_code: 'wrongCode',
  too_many_pairings: 'tooMany',
  undo_too_late: 'late',
  not_admitted: 'notAdmitted',
  idempotency_key_in_use: 'offline',
  offline: 'offline',
  portal: 'offline',
};

/** Whether the server may have done what it was asked. */
const mayHaveHappened = (error: unknown): boolean => {
  const { status, code } = asRequestError(error);
  return status === 0 || status >= 500 || code === 'idempotency_key_in_use';
};

export const failureOf = (error: unknown): Failure => {
  // A call that was given up because nobody answered.
  if (error instanceof DOMException) return 'offline';
  return FAILURES[asRequestError(error).code] ?? 'server';
};
