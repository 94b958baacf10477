/** The movements of a person, or of an impostor, in each frame of a clip. */
import type { LivenessStep, SINGLE_STEPS } from '../../../server/contract/flow.ts';
import { AT_REST, type HeadState } from '../../../testing/camera/projection.ts';
import type { Random } from '../../../testing/camera/capture/random.ts';
import type { SurfacePose } from './surface.ts';

/** How strongly one person performs each step, for a whole clip. */
type Manner = Record<(typeof SINGLE_STEPS)[number], number>;

export const takeManner = (random: Random): Manner => ({
  turn_left: random.between(18, 31),
  turn_right: random.between(18, 31),
  look_up: random.between(13, 21),
  blink: random.between(0.88, 1),
  smile: random.between(0.75, 1.05),
  open_mouth: random.between(0.7, 1.05),
  move_closer: random.between(1.3, 1.45),
});

/** The same person, moving more: lids close at most, and a face comes closer by that much more. */
export const withEffort = (manner: Manner, effort: number): Manner => ({
  ...manner,
  turn_left: manner.turn_left * effort,
  turn_right: manner.turn_right * effort,
  look_up: manner.look_up * effort,
  blink: Math.min(1, manner.blink * effort),
  smile: manner.smile * effort,
  open_mouth: manner.open_mouth * effort,
});

/** The head at a step's peak (null: at rest), never quite still. */
export function headDoing(step: LivenessStep | null, manner: Manner, random: Random): HeadState {
  const sway = (sigma: number) => sigma * random.normal();
  const state: HeadState = {
    ...AT_REST,
    yawDeg: sway(1.2),
    pitchDeg: sway(0.9),
    rollDeg: sway(0.8),
    dxPx: sway(3),
    dyPx: sway(2),
  };
  switch (step) {
    case null:
      return state;
    case 'turn_left':
      return { ...state, yawDeg: state.yawDeg + manner.turn_left };
    case 'turn_right':
      return { ...state, yawDeg: state.yawDeg - manner.turn_right };
    case 'look_up':
      return { ...state, pitchDeg: state.pitchDeg + manner.look_up };
    case 'look_up_smile':
      return { ...state, pitchDeg: state.pitchDeg + manner.look_up, smile: manner.smile };
    case 'blink':
      return { ...state, blink: Math.min(1, manner.blink) };
    case 'smile':
      return { ...state, smile: manner.smile };
    case 'open_mouth':
      return { ...state, jaw: manner.open_mouth };
    case 'move_closer':
      return { ...state, closer: manner.move_closer };
  }
}

/** A phone in a hand, or a kiosk: the whole scene shakes slightly. The zoom keeps its edge out of the frame. */
export const scenePose = (random: Random, stance: SurfacePose): SurfacePose => ({
  ...stance,
  rollDeg: stance.rollDeg + 0.25 * random.normal(),
  dxPx: stance.dxPx + 1.8 * random.normal(),
  dyPx: stance.dyPx + 1.8 * random.normal(),
});

export const takeStance = (random: Random): SurfacePose => ({
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: random.between(-0.8, 0.8),
  dxPx: random.between(-8, 8),
  dyPx: random.between(-6, 6),
  zoom: random.between(1.06, 1.12),
  bendRadiusPx: null,
});

export type Holding = {
  zoom: number;
  bendRadiusPx: number | null;
  tiltDeg: number;
  liftDeg: number;
  closer: number;
};

/** A sheet that is moved to imitate a step; a screen that shows the step is only held. */
export function sheetDoing(step: LivenessStep | null, holding: Holding, random: Random): SurfacePose {
  const sway = (sigma: number) => sigma * random.normal();
  const pose: SurfacePose = {
    yawDeg: sway(2),
    pitchDeg: sway(2),
    rollDeg: sway(1.2),
    dxPx: sway(5),
    dyPx: sway(4),
    zoom: holding.zoom * (1 + sway(0.008)),
    bendRadiusPx: holding.bendRadiusPx,
  };
  switch (step) {
    case 'turn_left':
      return { ...pose, yawDeg: pose.yawDeg + holding.tiltDeg };
    case 'turn_right':
      return { ...pose, yawDeg: pose.yawDeg - holding.tiltDeg };
    case 'look_up':
    case 'look_up_smile':
      return { ...pose, pitchDeg: pose.pitchDeg + holding.liftDeg };
    case 'move_closer':
      return { ...pose, zoom: pose.zoom * holding.closer };
    case null:
    case 'blink':
    case 'smile':
    case 'open_mouth':
      return pose;
  }
}
