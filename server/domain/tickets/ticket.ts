/** What a ticket of another system is here. */

export const SOURCE_KINDS = ['list', 'pretix', 'hi_events', 'any'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const TICKET_STATES = ['valid', 'unpaid', 'blocked', 'revoked', 'cancelled'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** By a check of the face, by a ticket whose guest was checked before, or by staff's word. */
export const ENTRY_WAYS = ['check', 'lane', 'staff'] as const;
export type EntryWay = (typeof ENTRY_WAYS)[number];

export const SHIFT_ROLES = ['steward', 'supervisor'] as const;
export type ShiftRole = (typeof SHIFT_ROLES)[number];

/** What the organiser says about an event's tickets. */
export type TicketRules = {
  reEntry: boolean;
  /** People inside at the same time, at which the door is told; null without a limit. */
  mostInside: number | null;
  /** Days after the event's end for which names and codes are kept. */
  keepDays: number;
};
export const DEFAULT_RULES: TicketRules = { reEntry: false, mostInside: null, keepDays: 30 };

export const MAX_CODE_CHARS = 1_024;

/** Some scanners prefix the symbology (ECI). */
const SCANNER_PREFIX = /^\\0000(?:03|26|27|01)/;

/** The code as a scanner read it, without what scanners add. Its own bytes stay: some codes begin with `=` or a space. */
export function readCode(scanned: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what has to be removed
  return scanned.replace(/[\u0000-\u001f\u007f]/g, '').replace(SCANNER_PREFIX, '');
}

/** A name as it is searched: without case, marks and extra spaces. */
export const searchName = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toLowerCase();
