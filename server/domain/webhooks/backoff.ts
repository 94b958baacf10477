/** When a failed webhook attempt is tried again (decisions §4.9). All times are in milliseconds. */

export const MAX_ATTEMPTS = 16;
export const FIRST_WAIT_MS = 60_000;
export const LONGEST_WAIT_MS = 6 * 3_600_000;
/** Spreads receivers' load: what failed together does not come back together. */
const JITTER = 0.1;

/**
 * How long to wait after attempt `attempt` (1 for the first) has failed: 60 s · 2^(attempt − 1), ±10 %, never longer
 * than 6 h. A receiver that asked for more time gets it, up to the same cap; one that asked for less does not make us
 * hurry.
 * @param random uniform in [0, 1)
 * @param retryAfterMs what the receiver asked for; null where it asked for nothing
 */
export function waitAfter(attempt: number, random: number, retryAfterMs: number | null = null): number {
  const planned = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const jittered = planned * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.min(Math.max(jittered, retryAfterMs ?? 0), LONGEST_WAIT_MS));
}

const DELAY_S = /^\d{1,10}$/;
/** An HTTP-date ends so in each of its three forms, or with a year (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*(gmt|\d{4})$/i;

/** The wait that a `Retry-After` header asks for (seconds or an HTTP-date); null where it says nothing usable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_S.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  // asctime names no zone; it means UTC.
  const at = Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** What an attempt came to: an answer's status, or null where none came. */
export type AttemptAnswer = { httpStatus: number | null; retryAfterMs: number | null };

export type NextStep =
  | { kind: 'completed' }
  /** The receiver wants nothing more: the configuration is switched off. */
  | { kind: 'gone' }
  | { kind: 'failed' }
  | { kind: 'retry'; waitMs: number };

/** What follows on attempt number `attempt` (decisions §4.9). */
export function nextStep(attempt: number, answer: AttemptAnswer, random: number): NextStep {
  const { httpStatus, retryAfterMs } = answer;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { kind: 'completed' };
  if (httpStatus === 410) return { kind: 'gone' };
  if (attempt >= MAX_ATTEMPTS) return { kind: 'failed' };
  return { kind: 'retry', waitMs: waitAfter(attempt, random, retryAfterMs) };
}

/** A receiver that has not taken anything for so long is left alone until somebody resumes it. */
export const PAUSE_AFTER_MS = 3 * 86_400_000;
/**
 * Failures further apart say nothing of the time between: the machine slept, its clock was set, or nothing was sent.
 * Retries of one call are never so far apart.
 */
const LONGEST_GAP_MS = 2 * LONGEST_WAIT_MS;

export type DestinationHealth = {
  /** Start of the failures that no success and no silence has interrupted. */
  failingSince: number | null;
  lastFailureAt: number | null;
  lastSuccessAt: number | null;
  pausedAt: number | null;
};

/** How a receiver's health changes with one more attempt. A clock that was set makes no failure longer. */
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
