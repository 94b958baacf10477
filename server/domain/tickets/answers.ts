/** What a ticketing system's answer means for an entry, and how it names our refusals. */
import type { AdmitReason } from '../../contract/ticket-values.ts';

export type Told =
  | {
      end: 'told' | 'conflict' | 'refused';
      /** For staff, and for an undo. */
      answer: { reason?: string; at?: string; checkIn?: string };
    }
  | {
      /** Nothing is lost: it is told again. `failed` if the system answered, and another call may be answered better. */
      again: 'unreachable' | 'pair_again' | 'no_rights' | 'busy' | 'failed';
    };

/** `body` is null if it was no JSON. */
export type Answer = { http: number | null; body: unknown };

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(objectOf) : [];
const idOf = (value: unknown): string => (typeof value === 'number' ? String(value) : textOf(value));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Pass any of these and the entry waits. */
function waiting(http: number | null): Told | null {
  if (http === null) return { again: 'unreachable' };
  if (http === 401) return { again: 'pair_again' };
  if (http === 403) return { again: 'no_rights' };
  if (http === 429) return { again: 'busy' };
  return http >= 500 ? { again: 'failed' } : null;
}

/**
 * Decided by the body's `status`: the HTTP status alone says nothing. A second check-in is accepted without a word, so those
 * of the position are compared with our own.
 * @param own times of the ticket's entries that we told, with this one, in epoch milliseconds
 */
export function pretixAnswer(
  { http, body }: Answer,
  { list, own }: { list: number; own: readonly number[] },
): Told {
  const { status, reason, position } = objectOf(body);
  if (status === 'ok') {
    const ours = new Set(own.map((at) => Math.floor(at / 1_000)));
    const other = listOf(objectOf(position)['checkins']).find(
      (checkIn) =>
        checkIn['list'] === list &&
        checkIn['type'] === 'entry' &&
        !ours.has(Math.floor(Date.parse(textOf(checkIn['datetime'])) / 1_000)),
    );
    return other === undefined
      ? { end: 'told', answer: {} }
      : { end: 'conflict', answer: { at: textOf(other['datetime']) } };
  }
  if (typeof status === 'string') {
    const why = textOf(reason) || status;
    return { end: why === 'already_redeemed' ? 'conflict' : 'refused', answer: { reason: why } };
  }
  // The list is gone, or the address is another's.
  if (http === 400 || http === 404) return { end: 'refused', answer: { reason: 'configuration' } };
  return waiting(http) ?? { again: 'failed' };
}

/** pretix's names of refusals. What staff decide is none, and others are about faces or codes that pretix does not know. */
export const PRETIX_REFUSALS: Partial<Record<AdmitReason, string>> = {
  too_early: 'invalid_time',
  too_late: 'invalid_time',
  blocked: 'blocked',
  revoked: 'revoked',
  cancelled: 'canceled',
  already_in: 'already_redeemed',
};

/** How far the clocks of two machines may differ. */
const CLOCKS_DIFFER_MS = 120_000;

/**
 * A guest who is in already is 200 with the old check-in and a sentence in some language. It is our own if an attempt
 * before this one may have arrived, and it is no older than the entry.
 */
export function hiEventsAnswer(
  { http, body }: Answer,
  { publicId, at, isRepeated }: { publicId: string; at: number; isRepeated: boolean },
): Told {
  if (http === 200) {
    const { data, errors } = objectOf(body);
    const [checkIn] = listOf(data);
    const text = objectOf(errors)[publicId];
    const checkedInAt = textOf(checkIn?.['checked_in_at']);
    const id = textOf(checkIn?.['short_id']) || idOf(checkIn?.['id']);
    if (checkIn === undefined)
      return text === undefined ? { again: 'failed' } : { end: 'refused', answer: { reason: 'error' } };
    const isOurs = isRepeated && Date.parse(checkedInAt) >= at - CLOCKS_DIFFER_MS;
    return text === undefined || isOurs
      ? { end: 'told', answer: { checkIn: id } }
      : { end: 'conflict', answer: { at: checkedInAt } };
  }
  if (http === 409) return { end: 'refused', answer: { reason: 'invalid' } };
  if (http === 404) return { again: 'pair_again' };
  return waiting(http) ?? { again: 'failed' };
}
