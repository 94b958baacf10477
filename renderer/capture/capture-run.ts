/** One capture from camera to upload: feeds frames to the coach and keeps what it asks for. No React here. */
import type { LivenessStep, Timeline, Tint } from '../../server/contract/flow.ts';
import { createCoach, type Coach, type CoachView, type KeptFrame } from './coach.ts';
import { grab, nextFrame } from './frame-source.ts';
import type { Landmarker } from './landmarker.ts';
import { LIGHT_PACES, type LightPace } from './page-light.ts';

/** A challenge as the run needs it. `lifeMs` counts from its arrival. */
export type RunChallenge = {
  nonce: string;
  steps: readonly LivenessStep[];
  /** For the neutral stills, where the server asks for any. */
  tints?: readonly Tint[];
  lifeMs: number;
};

/** The frames in the order of the timeline's entries. */
export type CompletedCapture = { nonce: string; timeline: Timeline; frames: readonly Blob[] };

/** Why the run began again: the challenge ran out, or the phone was turned. */
export type RestartReason = 'challengeEnded' | 'turned';

export type CaptureRunOptions = {
  video: HTMLVideoElement;
  landmarker: Landmarker;
  getChallenge: () => Promise<RunChallenge>;
  /** Whether the page is to change its colours slowly. Asked when a challenge comes. */
  wantsCalm: () => boolean;
  onView: (view: CoachView, light: WantedLight) => void;
  onRestarted: (reason: RestartReason) => void;
  onDone: (capture: CompletedCapture) => void;
  /** The challenge was refused. */
  onRefused: (error: unknown) => void;
  /** The camera or the landmarker failed. */
  onFailed: (error: unknown) => void;
};

/** What the page is to be lit in at a time of `performance.now()`. */
export type WantedLight = { tint: Tint | null; pace: LightPace; atMs: number };

export type CaptureRun = { restart: () => void; stop: () => void };

/** More looks a second than this gain nothing and warm the phone. */
const LOOK_APART_MS = 38;
/** Part of a challenge's life that is left for the upload. */
const UPLOAD_ALLOWANCE_MS = 4_000;

type Kept = KeptFrame & { jpeg: Promise<Blob> };
type Attempt = {
  coach: Coach;
  kept: Kept[];
  challenge: (RunChallenge & { receivedAtMs: number; pace: LightPace }) | null;
  asked: boolean;
  /** Width and height of the picture, which must not change on the way: measures are relative to them. */
  shape: string | null;
};

const newAttempt = (): Attempt => ({
  coach: createCoach(),
  kept: [],
  challenge: null,
  asked: false,
  shape: null,
});

export function startCaptureRun(options: CaptureRunOptions): CaptureRun {
  const { video, landmarker } = options;
  let attempt = newAttempt();
  let running = true;
  let frameId = 0;

  const isRunning = () => running;
  const restart = () => {
    attempt = newAttempt();
  };
  const askForChallenge = (mine: Attempt) => {
    mine.asked = true;
    options.getChallenge().then(
      (challenge) => {
        const pace = options.wantsCalm() ? LIGHT_PACES.slow : LIGHT_PACES.quick;
        mine.challenge = { ...challenge, receivedAtMs: performance.now(), pace };
        mine.coach.begin(challenge.steps, challenge.tints ? { stillsApartMs: pace.shownMs } : {});
      },
      (error: unknown) => {
        if (!running || mine !== attempt) return;
        running = false;
        options.onRefused(error);
      },
    );
  };
  const finish = async ({ challenge, kept }: Attempt) => {
    running = false;
    if (challenge === null) return;
    const frames = await Promise.all(kept.map(({ jpeg }) => jpeg));
    const timeline = timelineOf(kept, challenge.receivedAtMs);
    options.onDone({ nonce: challenge.nonce, timeline, frames });
  };
  const startAgain = (reason: RestartReason) => {
    restart();
    options.onRestarted(reason);
  };
  const lookOnce = async () => {
    const shape = `${video.videoWidth}x${video.videoHeight}`;
    attempt.shape ??= shape;
    if (attempt.shape !== shape) startAgain('turned');
    const atMs = performance.now();
    const observation = await landmarker.look((frameId += 1), atMs, await grab(video));
    if (!isRunning()) return;
    const mine = attempt;
    const { view, keep } = mine.coach.observe(observation);
    for (const frame of keep) {
      const jpeg = landmarker.encode(frame.frameId);
      jpeg.catch(() => undefined);
      mine.kept.push({ ...frame, jpeg });
    }
    const pace = mine.challenge?.pace ?? LIGHT_PACES.quick;
    options.onView(view, { tint: tintOf(view, mine.challenge), pace, atMs });
    if (view.stage === 'ready' && !mine.asked) askForChallenge(mine);
    if (view.stage === 'done') await finish(mine);
    else if (ranOut(mine.challenge)) startAgain('challengeEnded');
  };
  const loop = async () => {
    while (isRunning()) {
      const startedAtMs = performance.now();
      await nextFrame(video);
      if (isRunning()) await lookOnce();
      const restMs = LOOK_APART_MS - (performance.now() - startedAtMs);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  };
  loop().catch((error: unknown) => {
    if (!running && attempt.challenge === null) return;
    running = false;
    options.onFailed(error);
  });

  return {
    restart,
    stop() {
      running = false;
      attempt = newAttempt();
      landmarker.forget();
    },
  };
}

const tintOf = ({ stage, stillsTaken }: CoachView, challenge: Attempt['challenge']): Tint | null =>
  stage === 'stills' ? (challenge?.tints?.[stillsTaken] ?? null) : null;

const ranOut = (challenge: Attempt['challenge']): boolean =>
  challenge !== null && performance.now() - challenge.receivedAtMs > challenge.lifeMs - UPLOAD_ALLOWANCE_MS;

/** Times since the challenge, strictly increasing, in whole milliseconds. */
export function timelineOf(kept: readonly KeptFrame[], receivedAtMs: number): Timeline {
  let last = -1;
  return {
    frames: kept.map(({ step, atMs }) => {
      last = Math.max(last + 1, Math.round(atMs - receivedAtMs));
      return { step, at_ms: last };
    }),
  };
}
