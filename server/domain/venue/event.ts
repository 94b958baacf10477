/** An event of a venue: when it runs, and by which config its runs are judged. */
import type { EventState } from '../../contract/kiosk.ts';
import type { LimitKind } from '../companies/verification-config.ts';

export type EventTimes = { startsAt: number; endsAt: number };
export type EventLimit = { kind: LimitKind; max: number };

export function eventState({ startsAt, endsAt }: EventTimes, nowMs: number): EventState {
  if (nowMs < startsAt) return 'upcoming';
  return nowMs < endsAt ? 'running' : 'over';
}

/** Whether the limit lets a person in more than once in the course of the event. */
export const letsInAgain = ({ kind, max }: EventLimit): boolean =>
  kind !== 'none' && (kind !== 'total' || max > 1);

/**
 * The config of an event's runs: the verification's own, with the event's limit in the place of its. Null, the
 * verification's own, where the event has none.
 *
 * A limit counts checks, so no earlier pass may stand for one (`skip.window_hours` 0). A walk-up names no account, and so
 * whoever comes again as the limit allows collides with themselves (decisions §5, rule 6): where it allows that, a
 * collision is noted and lets in. Where one entry is all there is, the limit refuses before a collision is looked for.
 */
export function configOfEvent(
  config: Record<string, unknown>,
  limit: EventLimit,
): Record<string, unknown> | null {
  if (limit.kind === 'none') return null;
  return {
    ...config,
    limit: { kind: limit.kind, max: limit.max },
    skip: { window_hours: 0 },
    ...(letsInAgain(limit) && { collision: { action: 'flag' } }),
  };
}

/** The code that pairs a kiosk: short enough to be typed, without characters that are mistaken for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const GROUP = 4;
/** 30^8 codes (39 bits), for ten minutes, with attempts that are counted. */
export const PAIRING_LIFETIME_MS = 10 * 60_000;

/** As it is shown: `7KQP-3MZX`. @param randomInt uniform in [0, n) */
export function newPairingCode(randomInt: (n: number) => number): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(
    '',
  );
  return `${characters.slice(0, GROUP)}-${characters.slice(GROUP)}`;
}

/** What is compared: without spaces, hyphens and case. */
export const canonicalPairingCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();
