/** The calls of a phone of the door team. Each rejects with a `RequestError`. */
import {
  SHIFT_TOKEN_HEADER,
  type ShiftStatus,
  type TicketDecision,
} from '../../../../server/contract/tickets.ts';
import type { Direction } from '../../../../server/contract/ticket-values.ts';
import type { PhoneSearchResponse } from '../../../../server/contract/tickets.ts';
import { scan } from '../../../../server/contract/routes/scan.ts';
import { createClient } from '../../../http/client.ts';
import { asRequestError } from '../../../http/request-error.ts';

const KEY = 'gatehouse.shift';
/** A queue is waiting: what has not been answered by then is tried again by hand. */
const ANSWER_WITHIN_MS = 8_000;

type Shown = { text: string } | { ticket_id: string };

export type ScanApi = {
  /** Whether this phone is a scanner, as far as it knows. */
  isOnDuty: () => boolean;
  join: (code: string, name: string) => Promise<void>;
  /** Forgets the token. */
  leave: () => void;
  status: () => Promise<ShiftStatus>;
  ticket: (shown: Shown, direction: Direction) => Promise<TicketDecision>;
  letIn: (ticketId: string, reason: string) => Promise<TicketDecision>;
  children: (ticketIds: readonly string[]) => Promise<number>;
  undo: (entry: number) => Promise<unknown>;
  search: (text: string) => Promise<PhoneSearchResponse>;
  callSupervisor: (waits: boolean) => Promise<unknown>;
};

/** @param storage `localStorage`, so that a phone that is locked or reloaded stays a scanner */
export function createScanApi(send: typeof fetch, storage: () => Storage): ScanApi {
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
  return {
    isOnDuty: () => token !== null,
    async join(code, name) {
      keep((await call(scan.join, { body: { code, name }, signal: soon() })).token);
    },
    leave: () => keep(null),
    status: () => call(scan.shift, { signal: soon() }),
    ticket: (shown, direction) => call(scan.ticket, { body: { ...shown, direction }, signal: soon() }),
    letIn: (ticket_id, reason) => call(scan.letIn, { body: { ticket_id, reason }, signal: soon() }),
    async children(ticket_ids) {
      return (await call(scan.children, { body: { ticket_ids }, signal: soon() })).let_in;
    },
    undo: (entry) => call(scan.undo, { body: { entry }, signal: soon() }),
    search: (text) => call(scan.search, { body: { text }, signal: soon() }),
    callSupervisor: (waits) => call(scan.call, { body: { waits }, signal: soon() }),
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
  offline: 'offline',
  portal: 'offline',
};

export const failureOf = (error: unknown): Failure => {
  // A call that was given up because nobody answered.
  if (error instanceof DOMException) return 'offline';
  return FAILURES[asRequestError(error).code] ?? 'server';
};
