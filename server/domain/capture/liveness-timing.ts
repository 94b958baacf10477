/** Whether the page's times are those of a person before a camera, and fit what the server saw. */
import type { LivenessFinding } from './liveness-findings.ts';
import type { Segments } from './liveness-segments.ts';
import { TIMING } from './liveness-thresholds.ts';

export type Interval = { issuedAtMs: number; receivedAtMs: number };

export function timingFindings({ neutral, steps, all }: Segments, interval: Interval): LivenessFinding[] {
  const totalMs = interval.receivedAtMs - interval.issuedAtMs;
  const lastMs = all.at(-1)?.atMs ?? 0;
  const findings: LivenessFinding[] = [];
  const uploadMs = totalMs - lastMs;
  const plausible =
    framesFollow(all.map(({ atMs }) => atMs)) &&
    stepsTakeTime([neutral, ...steps]) &&
    uploadMs >= -TIMING.clockTolerance &&
    uploadMs <= TIMING.maxUpload;
  if (!plausible) findings.push('implausible_timing');
  if (totalMs > TIMING.maxTotal) findings.push('too_slow');
  return findings;
}

const framesFollow = (times: readonly number[]): boolean =>
  times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) >= TIMING.minBetweenFrames);

/** Each step’s first frame follows the last one of the previous step after a human reaction time. */
const stepsTakeTime = (segments: readonly { atMs: number }[][]): boolean =>
  segments.every((segment, index) => {
    const before = index === 0 ? undefined : segments[index - 1]?.at(-1);
    return !before || (segment[0]?.atMs ?? 0) - before.atMs >= TIMING.minReaction;
  });
