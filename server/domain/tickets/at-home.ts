/** Whether the guest of a ticket may make their check before they come: by its own link, on their own phone. */
import type { HomeAnswer } from '../../contract/tickets.ts';
import type { AdmitFacts } from './admit.ts';

export type HomeFacts = Pick<AdmitFacts, 'now' | 'reEntry'> & {
  /** Null for a code that the event doesn't know. */
  ticket: Omit<NonNullable<AdmitFacts['ticket']>, 'id' | 'validFrom' | 'rulesUnknown'> | null;
  endsAt: number;
  isOnlyAtDoor: boolean;
};

/** The gate decides again: what it knows of time and of rules that only the shop can read does not stop a check at home. */
export function checkAtHome({ now, ticket, endsAt, isOnlyAtDoor, reEntry }: HomeFacts): HomeAnswer {
  if (ticket === null) return 'unknown';
  if (now >= endsAt || (ticket.validUntil !== null && now >= ticket.validUntil)) return 'over';
  if (ticket.state === 'unpaid') return 'unpaid';
  if (ticket.state !== 'valid') return 'not_valid';
  if (ticket.last === 'in' || (ticket.last === 'out' && !reEntry)) return 'entered';
  if (ticket.personId !== null) return 'checked';
  return isOnlyAtDoor ? 'at_door' : 'check';
}
