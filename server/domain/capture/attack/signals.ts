/** Signals that a capture shows a picture held up to the camera: one number each, no verdict. */
import type { LivenessStep, Tint } from '../../../contract/flow.ts';
import type { FrameEvidence, PictureCues } from '../evidence.ts';
import { stepStrength, type GestureMeasures } from '../gestures.ts';
import type { CapturedFrame, Segments } from '../liveness-segments.ts';
import { FOR_ATTACK_MODEL, NEUTRAL } from '../liveness-thresholds.ts';
import { mean, median } from '../../statistics.ts';
import { measurePageLight, type PageLight } from './page-light.ts';
import { measureParallax } from './parallax.ts';
import { goesAlong, type SeenAround } from './surroundings.ts';

export const ATTACK_SIGNALS = [
  'passive',
  'relief',
  'headlike',
  'together',
  'pattern',
  'border',
  'rim',
  'agreement',
  'otherLight',
  'unlit',
] as const;
export type AttackSignal = (typeof ATTACK_SIGNALS)[number];

/**
 * Signals that indicate an attack, and `lit`, which never does. Null if the capture gives no information; null
 * is neutral.
 */
export type AttackSignals = {
  /** The attack model's probability of a picture, 0 to 1: median of the frames that it can judge. */
  passive: number | null;
  /** Sine of the nose's own turn in the weakest turn (see `Parallax`); 0 for a sheet. */
  relief: number | null;
  /** Similarity of that motion to a head's, −1 to 1; the lowest of the turns. */
  headlike: number | null;
  /**
   * Mean logarithm of how much better "moves with the face" explains the surroundings than "stands still", less
   * what a hand-held phone may shake.
   */
  together: number | null;
  /** Median strength of the strongest fine pattern on the face, in dB, less what compression explains. */
  pattern: number | null;
  /**
   * Median of the second most unbroken edge beside the face, 0 to 1. One edge may be a door frame; two suggest
   * the rim of a picture.
   */
  border: number | null;
  /**
   * Median of the least unbroken of four edges around the face, 0 to 1. A room shows two or three at most: a body breaks
   * what is below a face, but not the rim of a photo or screen.
   */
  rim: number | null;
  /**
   * How completely eyes and mouth did the requested steps, mean over those steps, 0 to 1. Eyes behind cut-out
   * holes can blink, but the paper cannot smile.
   */
  agreement: number | null;
  /**
   * Root mean square of colour changes on the skin that come neither from the room nor from the page, reduced
   * if the skin reflected the page's light. A recording carries its own tints.
   */
  otherLight: number | null;
  /**
   * How little of the page's tints is visible on the skin, 0 to 1. A bright room drowns them out; a screen
   * reflects none.
   */
  unlit: number | null;
  /**
   * How certainly the skin reflected the page's tints, 0 to 1; null if none were requested, or too little of
   * the room was visible. Paper reflects them too, so this never lowers the score.
   */
  lit: number | null;
};

type SignalOptions = {
  tints: readonly Tint[] | null;
  isHandheld: boolean;
  /** Stills from which the page's light is measured. Defaults to what the full check needs. */
  leastTints?: number | undefined;
  /**
   * Indices of steps that count as not done. A turn that was barely begun shows no relief on a real head
   * either.
   */
  missedSteps?: readonly number[];
};

export function attackSignals(
  segments: Segments,
  steps: readonly LivenessStep[],
  neutral: GestureMeasures,
  { tints, isHandheld, leastTints, missedSteps = [] }: SignalOptions,
): AttackSignals {
  const genuine = genuineScoreOf(segments);
  const light = pageLightOf(segments, tints, leastTints);
  const lit = light && litBy(light);
  const cues = segments.all.flatMap(({ evidence }) => evidence.cues ?? []);
  const turns = steps.flatMap(
    (step, place) =>
      (missedSteps.includes(place) ? null : turnOf(step, segments.neutral, segments.steps[place] ?? [])) ??
      [],
  );
  const least = (values: readonly number[]) => (values.length > 0 ? Math.min(...values) : null);
  const middle = (values: readonly number[]) => (values.length > 0 ? median(values) : null);
  return {
    passive: genuine === null ? null : 1 - genuine,
    relief: least(turns.map(({ relief }) => relief)),
    headlike: least(turns.map(({ headlike }) => headlike)),
    together: togetherness(segments, isHandheld),
    pattern: middle(cues.map(patternOf)),
    border: middle(cues.map(({ borders }) => borders.toSorted((a, b) => b - a)[1] ?? 0)),
    rim: middle(cues.map(({ borders }) => Math.min(...borders))),
    agreement: agreementOf(segments, steps, neutral),
    otherLight: light && otherLightOf(light),
    unlit: lit === null ? null : 1 - lit,
    lit,
  };
}

/**
 * The attack model's probability of a genuine face, 0 to 1: median of the resting frames in which the face is
 * frontal and bright enough for the model; null with fewer than two.
 */
export function genuineScoreOf({ neutral }: Pick<Segments, 'neutral'>): number | null {
  const scores = neutral.flatMap(({ evidence: { face, brightness, genuineScore } }) => {
    const canJudge =
      face !== null &&
      Math.abs(face.yawRad) <= FOR_ATTACK_MODEL.maxYawRad &&
      brightness >= FOR_ATTACK_MODEL.minBrightness;
    return canJudge && genuineScore !== null ? [genuineScore] : [];
  });
  return scores.length < NEUTRAL.minFrames ? null : median(scores);
}

/**
 * What a camera's compression adds to chance, in dB, if the background shows it too. No more is subtracted,
 * because a screen that fills the frame has its pattern everywhere.
 */
const COMPRESSION = { fromDb: 16, mostDb: 4 } as const;

/** Strength of the face's pattern less what its background explains, in dB. */
export function patternOf({ patternDb, backgroundPatternDb }: PictureCues): number {
  const { fromDb, mostDb } = COMPRESSION;
  if (backgroundPatternDb === null) return patternDb - mostDb;
  return patternDb - Math.min(mostDb, Math.max(0, backgroundPatternDb - fromDb));
}

/**
 * The page's share of the light on the face. Below the first value it is chance or the sheen of a screen; above
 * the second it is a surface in front of the page.
 */
const LIT_GAIN = { from: 0.015, to: 0.045 } as const;
const LIT_AGREEMENT = { from: 0.6, to: 0.9 } as const;

function litBy({ gain, agreement }: PageLight): number {
  const share = (value: number, { from, to }: { from: number; to: number }) =>
    Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share(gain, LIT_GAIN) * share(agreement, LIT_AGREEMENT);
}

/** Whether the skin reflected anything of the page's tints. The sheen of a screen is less than that. */
export const reflectsPage = ({ lit }: Pick<AttackSignals, 'lit'>): boolean => (lit ?? 0) > 0;

/** Skin that reflects the page's tints does so unevenly, which does not indicate a recording. */
function otherLightOf(light: PageLight): number {
  const unexplained = light.spread * Math.sqrt(1 - Math.max(0, light.agreement) ** 2);
  return unexplained * (1 - litBy(light));
}

/** Null if the challenge has tints but too few neutral frames came: the tint of each frame is then unknown. */
const NO_LIGHT: PageLight = { gain: 0, agreement: 0, spread: 0 };

/** Ignores what the page reports about its light: the light was requested, and is either visible or not. */
function pageLightOf(
  { neutral }: Segments,
  tints: readonly Tint[] | null,
  leastTints: number | undefined,
): PageLight | null {
  if (tints === null) return null;
  if (tints.length !== neutral.length) return NO_LIGHT;
  const frames = neutral.flatMap(({ evidence }, place) => {
    const { face, cues, width } = evidence;
    const tint = tints[place];
    return face && cues && tint ? [{ tint, width, face, tones: cues }] : [];
  });
  return measurePageLight(frames, leastTints);
}

/** The frame of a turn in which the nose moves furthest to the requested side; null for other steps. */
function turnOf(step: LivenessStep, resting: readonly CapturedFrame[], frames: readonly CapturedFrame[]) {
  if (step !== 'turn_left' && step !== 'turn_right') return null;
  const side = step === 'turn_left' ? 1 : -1;
  const before = meanLandmarks(resting);
  if (!before) return null;
  const seen = frames.flatMap(({ evidence }) => {
    if (!evidence.face) return [];
    const { across, headlike } = measureParallax(before, evidence.face.landmarks);
    return [{ relief: side * across, headlike }];
  });
  const [first, ...others] = seen;
  return first ? others.reduce((best, other) => (other.relief > best.relief ? other : best), first) : null;
}

/** Averages the resting frames, because the landmarks' jitter is as large as the motion on a bent sheet. */
function meanLandmarks(frames: readonly CapturedFrame[]): Float32Array | null {
  const all = frames.flatMap(({ evidence }) => evidence.face?.landmarks ?? []);
  return all[0]?.map((_, i) => mean(all.map((landmarks) => landmarks[i] ?? 0))) ?? null;
}

/**
 * The hand that holds a phone shakes room and face alike: real people measure up to 0.5 there, against −0.5 and
 * below at a fixed camera. A page that falsely claims to be a phone gains no more than this.
 */
const HANDHELD_ALLOWANCE = 0.65;

function togetherness({ neutral, steps }: Segments, isHandheld: boolean): number | null {
  const before = neutral.map(({ evidence }) => seenAround(evidence)).find((seen) => seen !== null);
  if (!before) return null;
  const said = steps.flat().flatMap(({ evidence }) => {
    const after = seenAround(evidence);
    const answer = after && goesAlong(before, after);
    return answer === null ? [] : [answer];
  });
  return said.length > 0 ? mean(said) - (isHandheld ? HANDHELD_ALLOWANCE : 0) : null;
}

function seenAround({ face, cues, width, height }: FrameEvidence): SeenAround | null {
  return face && cues ? { width, height, face, layout: cues.layout } : null;
}

const OF_EYES_AND_MOUTH: readonly LivenessStep[] = ['blink', 'smile', 'open_mouth'];

function agreementOf(
  segments: Segments,
  steps: readonly LivenessStep[],
  neutral: GestureMeasures,
): number | null {
  const done = steps.flatMap((step, place) => {
    if (!OF_EYES_AND_MOUTH.includes(step)) return [];
    const strengths = (segments.steps[place] ?? []).flatMap(({ measures }) =>
      measures ? stepStrength(step, measures, neutral) : [],
    );
    return Math.min(1, Math.max(0, ...strengths));
  });
  return done.length > 0 ? mean(done) : null;
}
