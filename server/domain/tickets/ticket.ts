/** What a ticket of another system is here. */

import type { SourceKind } from '../../contract/ticket-values.ts';

export {
  DIRECTIONS,
  ENTRY_WAYS,
  MAX_CODE_CHARS,
  SHIFT_ROLES,
  SOURCE_KINDS,
  TICKET_STATES,
} from '../../contract/ticket-values.ts';
export type {
  Direction,
  EntryWay,
  ShiftRole,
  SourceKind,
  TicketState,
} from '../../contract/ticket-values.ts';

/** Whether the system has to be told who came in, by the code of their ticket: it is then kept. */
export const keepsCodes = (kind: SourceKind): boolean => kind === 'pretix' || kind === 'hi_events';

/** What the organiser says about an event's tickets. */
export type TicketRules = {
  reEntry: boolean;
  /** People inside at the same time, at which the door is told; null without a limit. */
  mostInside: number | null;
  /** Days after the event's end for which names and codes are kept. */
  keepDays: number;
};
export const DEFAULT_RULES: TicketRules = { reEntry: false, mostInside: null, keepDays: 30 };

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
