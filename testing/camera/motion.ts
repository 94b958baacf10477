/** The content of each clip: the head's state frame by frame. */
import { LIVENESS_STEPS, type LivenessStep } from '../../server/contract/flow.ts';
import { AT_REST, type HeadState } from './projection.ts';
import { lerp, smoothstep } from './vectors.ts';

export const CLIP_NAMES = ['idle', ...LIVENESS_STEPS] as const;
export type ClipName = (typeof CLIP_NAMES)[number];

export const FRAMES_PER_SECOND = 20;

/** A gesture: what changes at its peak, how long it takes to get there, and how long it is held. */
type Gesture = { peak: Partial<HeadState>; rampS: number; holdS: number };

const GESTURES: Record<LivenessStep, Gesture> = {
  turn_left: { peak: { yawDeg: 25 }, rampS: 0.5, holdS: 0.8 },
  turn_right: { peak: { yawDeg: -25 }, rampS: 0.5, holdS: 0.8 },
  look_up: { peak: { pitchDeg: 17 }, rampS: 0.4, holdS: 0.8 },
  look_up_smile: { peak: { pitchDeg: 17, smile: 1 }, rampS: 0.4, holdS: 0.8 },
  blink: { peak: { blink: 1 }, rampS: 0.15, holdS: 0.4 },
  smile: { peak: { smile: 1 }, rampS: 0.35, holdS: 0.8 },
  open_mouth: { peak: { jaw: 1 }, rampS: 0.35, holdS: 0.8 },
  move_closer: { peak: { closer: 1.4 }, rampS: 0.5, holdS: 0.8 },
};

/** Those that a photograph on paper can do. */
const FLAT_GESTURES: Record<LivenessStep, Gesture> = {
  ...GESTURES,
  turn_left: { peak: { yawDeg: 30 }, rampS: 0.5, holdS: 0.8 },
  turn_right: { peak: { yawDeg: -30 }, rampS: 0.5, holdS: 0.8 },
  look_up: { peak: { pitchDeg: 25 }, rampS: 0.4, holdS: 0.8 },
  look_up_smile: { peak: { pitchDeg: 25 }, rampS: 0.4, holdS: 0.8 },
  blink: { peak: {}, rampS: 0.15, holdS: 0.4 },
  smile: { peak: {}, rampS: 0.35, holdS: 0.8 },
  open_mouth: { peak: {}, rampS: 0.35, holdS: 0.8 },
};

const IDLE_S = 2;
/** A frame belongs to the peak from this share of the gesture on. */
const PEAK_SHARE = 0.97;

type ClipFrame = { state: HeadState; atPeak: boolean };

export function clipFrames(clip: ClipName, flat: boolean): ClipFrame[] {
  if (clip === 'idle') {
    return frames(IDLE_S, 0, (timeS) => ({ state: swaying(AT_REST, timeS), atPeak: false }));
  }
  const { peak, rampS, holdS } = (flat ? FLAT_GESTURES : GESTURES)[clip];
  const totalS = 2 * rampS + holdS;
  return frames(totalS, CLIP_NAMES.indexOf(clip), (timeS, swayS) => {
    const share = smoothstep(Math.min(timeS / rampS, (totalS - timeS) / rampS));
    return { state: swaying(towards(peak, share), swayS), atPeak: share >= PEAK_SHARE };
  });
}

const frames = <T>(lengthS: number, phaseS: number, at: (timeS: number, swayS: number) => T): T[] =>
  Array.from({ length: Math.round(lengthS * FRAMES_PER_SECOND) + 1 }, (_, index) => {
    const timeS = index / FRAMES_PER_SECOND;
    return at(timeS, timeS + phaseS);
  });

function towards(peak: Partial<HeadState>, share: number): HeadState {
  const state = { ...AT_REST };
  for (const key of Object.keys(peak) as (keyof HeadState)[]) {
    state[key] = lerp(AT_REST[key], peak[key] ?? AT_REST[key], share);
  }
  return state;
}

/** Small movements, because nobody holds quite still. */
const swaying = (state: HeadState, timeS: number): HeadState => ({
  ...state,
  yawDeg: state.yawDeg + 0.8 * Math.sin(1.7 * timeS),
  pitchDeg: state.pitchDeg + 0.6 * Math.sin(1.3 * timeS + 1),
  rollDeg: state.rollDeg + 0.4 * Math.sin(1.1 * timeS + 2),
  dxPx: state.dxPx + 1.6 * Math.sin(0.9 * timeS),
  dyPx: state.dyPx + 1.1 * Math.cos(1.1 * timeS),
});
