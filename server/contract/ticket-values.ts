/** Value lists of tickets, which pages import without schemas. */

export const SOURCE_KINDS = ['list', 'pretix', 'hi_events', 'any'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const TICKET_STATES = ['valid', 'unpaid', 'blocked', 'revoked', 'cancelled'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * By a check of the face, by the shorter check of a guest who comes back with their ticket, by a ticket whose guest was checked
 * before, or by staff's word.
 */
export const ENTRY_WAYS = ['check', 'fast_lane', 'lane', 'staff'] as const;
export type EntryWay = (typeof ENTRY_WAYS)[number];

export const SHIFT_ROLES = ['steward', 'supervisor'] as const;
export type ShiftRole = (typeof SHIFT_ROLES)[number];

/** Why a ticket does not let its guest through; each has its own screen. */
export const ADMIT_REASONS = [
  'unknown',
  'wrong_event',
  'too_early',
  'too_late',
  'unpaid',
  'blocked',
  'revoked',
  'cancelled',
  'already_in',
  'not_inside',
  'other_face',
  'other_ticket',
  'rules_unknown',
] as const;
export type AdmitReason = (typeof ADMIT_REASONS)[number];

/** Days after its end for which an event may keep the names and codes of its tickets. */
export const MAX_KEEP_DAYS = 180;

export const MAX_CODE_CHARS = 1_024;
/** Tickets of one order that are shown; the others come later with the same order. */
export const MAX_PARTY = 20;
