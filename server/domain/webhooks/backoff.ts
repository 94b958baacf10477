/** When a failed webhook attempt is tried again (decisions §4.9). All times are in milliseconds. */

export const MAX_ATTEMPTS = 16;
const FIRST_WAIT_MS = 60_000;
export const LONGEST_WAIT_MS = 6 * 3_600_000;
/** Spreads the load of receivers, so that calls that failed together are not repeated together. */
const JITTER = 0.1;

/**
 * The wait after failed attempt `attempt` (1 for the first): 60 s · 2^(attempt − 1), ±10 %, at most 6 h. A
 * receiver can ask for more time, up to the same maximum; asking for less has no effect.
 * @param random uniform in [0, 1)
 * @param retryAfterMs what the receiver asked for; null if nothing
 */
export function waitAfter(attempt: number, random: number, retryAfterMs: number | null = null): number {
  const planned = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const jittered = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.min(Math.max(jittered, retryAfterMs ?? 0), LONGEST_WAIT_MS));
}

const DELAY_S = /^\d{1,10}$/;
/** The three forms of an HTTP-date end with GMT or with a year (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*(gmt|\d{4})$/i;

/** The wait that a `Retry-After` header asks for (seconds or an HTTP-date); null if it is unusable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_S.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  // asctime has no zone; it means UTC.
  const at = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** The outcome of an attempt: the status of the response, or null if none arrived. */
type AttemptAnswer = { httpStatus: number | null; retryAfterMs: number | null };

export type NextStep =
  | { kind: 'completed' }
  /** The receiver wants no more calls: its destination is switched off. */
  | { kind: 'gone' }
  | { kind: 'failed' }
  | { kind: 'retry'; waitMs: number };

/** What happens after attempt number `attempt` (decisions §4.9). */
export function nextStep(attempt: number, answer: AttemptAnswer, random: number): NextStep {
  const { httpStatus, retryAfterMs } = answer;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { kind: 'completed' };
  if (httpStatus === 410) return { kind: 'gone' };
  if (attempt >= MAX_ATTEMPTS) return { kind: 'failed' };
  return { kind: 'retry', waitMs: waitAfter(attempt, random, retryAfterMs) };
}

/** A receiver that has failed for this long is paused until someone resumes it. */
export const PAUSE_AFTER_MS = 3 * 86_400_000;
/**
 * Failures further apart than this are not linked: the machine slept, its clock was set, or nothing was sent.
 * Retries of one call are never that far apart.
 */
const LONGEST_GAP_MS = 2 * LONGEST_WAIT_MS;

export type DestinationHealth = {
  /** Start of the current run of failures, uninterrupted by a success or a gap. */
  failingSince: number | null;
  lastFailureAt: number | null;
  lastSuccessAt: number | null;
  pausedAt: number | null;
};

/** Whether a receiver was paused for its failures rather than by an operator, who can only have been earlier. */
export const isPausedByFailures = ({ failingSince, pausedAt }: DestinationHealth): boolean =>
  failingSince !== null && pausedAt !== null && pausedAt - failingSince >= PAUSE_AFTER_MS;

/**
 * How one more attempt changes a receiver's health. Changes to the clock never lengthen a period of failures.
 */
export function healthAfter(
  before: DestinationHealth,
  wasSuccess: boolean,
  nowMs: number,
): DestinationHealth {
  if (wasSuccess) return { ...before, failingSince: null, lastFailureAt: null, lastSuccessAt: nowMs };
  const { failingSince: since, lastFailureAt: last } = before;
  const isUnbroken = since !== null && last !== null && nowMs - last <= LONGEST_GAP_MS;
  const failingSince = isUnbroken ? Math.min(since, nowMs) : nowMs;
  const isHopeless = nowMs - failingSince >= PAUSE_AFTER_MS;
  return {
    ...before,
    failingSince,
    lastFailureAt: nowMs,
    pausedAt: before.pausedAt ?? (isHopeless ? nowMs : null),
  };
}
