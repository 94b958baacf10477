/** An event of a venue: when it runs, and which config its runs use. */
import type { EventState } from '../../contract/kiosk.ts';
import type { EventLimit, Faces } from '../../contract/console/events.ts';

type EventTimes = { startsAt: number; endsAt: number };

const DAY_MS = 86_400_000;

/** Until when an event keeps a photo of each guest who passed, in epoch milliseconds; null if it keeps none. */
export const guestPhotosUntil = ({
  endsAt,
  guestPhotoDays,
}: Pick<EventTimes, 'endsAt'> & { guestPhotoDays: number | null }): number | null =>
  guestPhotoDays === null ? null : endsAt + guestPhotoDays * DAY_MS;

/** Until when an event keeps its guests' faces, in epoch milliseconds; null if the organiser's retention applies. */
export const facesUntil = ({
  faces,
  endsAt,
  facesDays,
}: Pick<EventTimes, 'endsAt'> & { faces: Faces; facesDays: number }): number | null =>
  faces === 'organiser' ? null : endsAt + facesDays * DAY_MS;

/**
 * The days for which a face is kept that is enrolled now: those that the organiser keeps one without a visit, or fewer if the
 * event's faces end before.
 */
export const daysUntil = (untilMs: number | null, nowMs: number, organiserDays: number): number =>
  untilMs === null
    ? organiserDays
    : Math.min(organiserDays, Math.max(1, Math.ceil((untilMs - nowMs) / DAY_MS)));

export function eventState({ startsAt, endsAt }: EventTimes, nowMs: number): EventState {
  if (nowMs < startsAt) return 'upcoming';
  return nowMs < endsAt ? 'running' : 'over';
}

/** Whether the limit allows a person to enter more than once during the event. */
export const letsInAgain = ({ kind, max }: EventLimit): boolean =>
  kind !== 'none' && (kind !== 'total' || max > 1);

/**
 * The config of an event's runs: the verification's own, with the event's limit in place of its own. Null, for the
 * verification's own config, if the event has no limit.
 *
 * A limit counts checks, so no earlier pass may replace one (`skip.window_hours` 0). A walk-up names no account, so a
 * person who enters again collides with themselves (decisions §5, rule 6). If the limit allows several entries, such
 * a collision is therefore noted and the person is let in. If it allows one, the limit refuses the person before
 * collisions are considered.
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

const AT_HOME = 'home:';

/**
 * The group of checks that an event's guests make before they come: a pool of its own, because such a check is no entry, which
 * the one at the door would collide with and a limit would count.
 */
export const homeGroupOf = (group: string): string => `${AT_HOME}${group}`;

const WAY_OUT = 'way-out:';

/** The group of checks of guests who leave: such a check is no entry either. */
export const wayOutGroupOf = (group: string): string => `${WAY_OUT}${group}`;

export const isWayOutGroup = (group: string | null): boolean => group?.startsWith(WAY_OUT) === true;

/** The group of the event to which a run belongs, wherever it was made. */
export function eventGroupOf(group: string): string {
  const prefix = [AT_HOME, WAY_OUT].find((each) => group.startsWith(each)) ?? '';
  return group.slice(prefix.length);
}

/** The code that pairs a kiosk: short enough to type, without characters that look alike. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const GROUP = 4;
/** 30^8 codes (39 bits), valid for ten minutes, with a limited number of attempts. */
export const PAIRING_LIFETIME_MS = 10 * 60_000;

/** The displayed form: `7KQP-3MZX`. @param randomInt uniform in [0, n) */
export function newPairingCode(randomInt: (n: number) => number): string {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(
    '',
  );
  return `${characters.slice(0, GROUP)}-${characters.slice(GROUP)}`;
}

/** The compared form: without spaces, hyphens and case. */
export const canonicalPairingCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();
