/** When somebody answers a request, or a video happens to show it. */
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import { SINGLE_STEPS, type LivenessStep } from '../../../server/contract/flow.ts';
import type { Random } from '../../../testing/camera/capture/random.ts';
import { ownedSteps, type PlannedClip } from '../plan.ts';

/** From a request until a script's found video shows it. */
const CLIP_DELAY_MS = { from: 300, to: 1_500 } as const;
/** Share of steps that a person misses the first time: they looked away, or did not understand. */
const MISSED_SHARE = 0.04;

/**
 * @returns milliseconds from the request to the first still; null if it goes unanswered
 */
type Pace = (request: CaptureRequest, atMs: number, random: Random) => number | null;

export function takePace({ kind }: PlannedClip, random: Random): Pace {
  const owned = ownedSteps(kind);
  if (owned !== null) return scripted(random.pick(SINGLE_STEPS, owned));
  if (kind === 'blind_loop') return takeLoop(random);
  if (kind !== 'genuine') return (request, _atMs, pace) => reactionMs(request, pace);
  return (request, _atMs, pace) => {
    const afterMs = reactionMs(request, pace);
    return request.ask === 'step' && pace.between(0, 1) < MISSED_SHARE ? null : afterMs;
  };
}

/** A person who reads, reacts and moves, some slowly; a colour needs no reaction, only the camera's time. */
const reactionMs = ({ ask, opens_in_ms: opensMs }: CaptureRequest, random: Random): number =>
  opensMs + (ask === 'tint' ? random.between(100, 500) : random.between(200, 4_000));

const scripted =
  (clips: readonly LivenessStep[]): Pace =>
  ({ step, opens_in_ms: opensMs }, _atMs, random) => {
    const afterMs = Math.max(opensMs, random.between(CLIP_DELAY_MS.from, CLIP_DELAY_MS.to));
    return step && !clips.includes(step) ? null : afterMs;
  };

/** One found video of a person, played again and again to a page that looks for each step: it comes when it comes. */
function takeLoop(random: Random): Pace {
  const lengthMs = random.between(8_000, 14_000);
  // Everybody blinks; some talk, smile or turn as well.
  const others = SINGLE_STEPS.filter((step) => step !== 'blink');
  const shown: LivenessStep[] = ['blink', ...random.pick(others, 1 + Math.floor(random.between(0, 3)))];
  // A step in every second slot, rest in the others.
  const slotMs = lengthMs / (2 * shown.length);
  return ({ step, opens_in_ms: opensMs }, atMs) => {
    const place = step ? shown.indexOf(step) : 0;
    if (place === -1) return null;
    const phaseMs = (atMs + opensMs) % lengthMs;
    const slot = Math.floor(phaseMs / slotMs);
    if (!step && slot % 2 === 1) return opensMs;
    const dueMs = step ? (2 * place + 0.4) * slotMs : (slot + 1) * slotMs;
    return opensMs + ((dueMs - phaseMs + lengthMs) % lengthMs);
  };
}

/** Half of the scripts paint the page's colours on their videos. */
export const isPainted = ({ kind, number }: PlannedClip): boolean =>
  ownedSteps(kind) !== null && number % 2 === 0;
