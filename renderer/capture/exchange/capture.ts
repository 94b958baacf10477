/**
 * One capture on this page: passes frames of the camera to the coach, and its selected stills to the server. No
 * React.
 */
import type { CaptureHint, CaptureRequest } from '../../../server/contract/capture.ts';
import type { LivenessStep, Tint } from '../../../server/contract/flow.ts';
import type { CoachHint } from '../../i18n/messages.ts';
import { createCoach, type Coach, type CoachStage, type CoachView } from '../coaching/coach.ts';
import { grab, nextFrame, stillOf } from '../camera/frame-source.ts';
import type { Landmarker } from '../landmarks/landmarker.ts';
import type { Judged, CaptureClient } from './client.ts';
import { createTintSchedule, LIGHT_PACES, type LightPace } from './page-light.ts';

/** What the person sees; `server` means that only the server finds the face and gives hints. */
export type CaptureView = Omit<CoachView, 'stage'> & {
  stage: CoachStage | 'server';
};

/** The page's tint at a time of `performance.now()`. */
type WantedLight = { tint: Tint | null; pace: LightPace; atMs: number };

type CaptureOptions = {
  video: HTMLVideoElement;
  /** Null if this browser cannot run one: the server then gives the hints. */
  landmarker: Landmarker | null;
  client: Pick<CaptureClient, 'sendStill' | 'canSend'>;
  /** Whether the page has to change its colours slowly. */
  wantsCalm: () => boolean;
  onView: (view: CaptureView, light: WantedLight) => void;
  /** The picture's shape changed: the capture has to start again. @param isTurned width and height were swapped, as by a turned phone */
  onReshaped: (isTurned: boolean) => void;
  /** A step's stills have been taken: the person may look at the screen again. */
  onStepTaken: () => void;
  /** The camera or the landmarker failed. */
  onFailed: (error: unknown) => void;
};

export type StartedCapture = {
  /** A new capture has begun. */
  begin: () => void;
  ask: (request: CaptureRequest) => void;
  judged: (judged: Judged) => void;
  stop: () => void;
};

/** More frames per second gain nothing and warm the phone. */
const LOOK_APART_MS = 38;
/** Interval between stills without a landmarker. */
const STILL_APART_MS = 1_000;
/** How long a hint from the server is shown. */
const SERVER_HINT_MS = 2_500;

/** Instructions for the server’s hints; null for hints that only need time. */
const HINTS: Record<CaptureHint, CoachHint | null> = {
  no_face: 'no_face',
  several_faces: 'several_faces',
  face_covered: 'face_covered',
  too_dark: 'too_dark',
  too_bright: 'too_bright',
  blurred: 'hold_still',
  too_far: 'too_far',
  too_close: 'too_close',
  off_centre: 'off_centre',
  look_straight: 'look_straight',
  hold_still: 'hold_still',
  more: 'more',
  less: 'not_so_far',
  other_side: 'other_side',
  too_early: null,
  too_late: null,
};

export function startCapture(options: CaptureOptions): StartedCapture {
  const { video, landmarker, client } = options;
  let running = true;
  let coach: Coach = createCoach();
  let request: CaptureRequest | null = null;
  /** When the request is on the screen. */
  let requestAtMs = 0;
  const tints = createTintSchedule();
  let shape: { width: number; height: number } | null = null;
  let frameId = 0;
  let serverHint: { hint: CoachHint; untilMs: number } | null = null;

  const isRunning = () => running;
  const pace = () => (options.wantsCalm() ? LIGHT_PACES.slow : LIGHT_PACES.quick);
  const hintNow = (nowMs: number): CoachHint | null =>
    serverHint !== null && nowMs < serverHint.untilMs ? serverHint.hint : null;
  const show = (view: CaptureView, atMs: number) =>
    options.onView(view, { tint: tints.at(atMs), pace: pace(), atMs });

  /** @param asked the request itself, because another capture uses the same numbers again */
  const send = async (asked: CaptureRequest | null, still: Promise<Blob>) => {
    const jpeg = await still;
    if (isRunning() && asked !== null && request === asked) client.sendStill(asked.id, jpeg);
  };
  const lookOnce = async (eyes: Landmarker) => {
    const atMs = performance.now();
    const observation = await eyes.look((frameId += 1), atMs, await grab(video));
    if (!isRunning()) return;
    const chosen = coach.observe(observation);
    // Sent in order, because both stills of a step are numbered from here.
    const jpegs = chosen.map((frame) => eyes.encode(frame.frameId));
    const asked = request;
    for (const jpeg of jpegs) {
      jpeg.catch(() => undefined);
      sending = sending.then(() => send(asked, jpeg)).catch(fail);
    }
    if (request?.ask === 'step' && chosen.length > 0) options.onStepTaken();
    showCoached();
    // Analysing the next frame would delay the encoding, and with it the next request.
    await Promise.allSettled(jpegs);
  };
  const showCoached = () => {
    const nowMs = performance.now();
    const view = coach.view(nowMs);
    show(
      {
        ...view,
        hint: view.hint ?? (view.stage === 'step' ? null : hintNow(nowMs)),
      },
      nowMs,
    );
  };
  let sending: Promise<void> = Promise.resolve();

  /** Without a landmarker: shows the server's requests and hints as they arrive, and sends a still each second. */
  let stillAtMs = -Infinity;
  let stepTold: number | null = null;
  const lookForServer = async () => {
    const atMs = performance.now();
    const view = serverView(request, hintNow(atMs));
    show(view, atMs);
    if (request === null || !client.canSend() || atMs - stillAtMs < STILL_APART_MS) return;
    const waitMs = Math.max(request.opens_in_ms, request.ask === 'tint' ? pace().shownMs : 0);
    if (atMs - requestAtMs < waitMs) return;
    stillAtMs = atMs;
    await send(request, stillOf(video));
  };

  const fail = (error: unknown) => {
    if (!running) return;
    running = false;
    options.onFailed(error);
  };
  const loop = async () => {
    while (isRunning()) {
      const startedAtMs = performance.now();
      await nextFrame(video);
      if (!isRunning()) return;
      const present = { width: video.videoWidth, height: video.videoHeight };
      const { width, height } = shape ?? present;
      shape = present;
      if (width !== present.width || height !== present.height)
        options.onReshaped(width === present.height && height === present.width);
      await (landmarker === null ? lookForServer() : lookOnce(landmarker));
      const restMs = LOOK_APART_MS - (performance.now() - startedAtMs);
      if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  };
  loop().catch(fail);

  return {
    begin() {
      coach = createCoach();
      request = null;
      tints.next(null, pace(), performance.now());
      serverHint = null;
    },
    ask(next) {
      if (landmarker === null && request?.step !== undefined && next.steps_done > request.steps_done) {
        if (stepTold !== next.steps_done) options.onStepTaken();
        stepTold = next.steps_done;
      }
      request = next;
      const nowMs = performance.now();
      const litAtMs = tints.next(next.tint ?? null, pace(), nowMs);
      requestAtMs = next.ask === 'tint' ? litAtMs : nowMs;
      if (landmarker === null) return;
      coach.ask(next, requestAtMs, pace().shownMs);
      showCoached();
    },
    judged({ hints }) {
      const [hint] = hints.flatMap((each) => HINTS[each] ?? []);
      serverHint = hint === undefined ? null : { hint, untilMs: performance.now() + SERVER_HINT_MS };
    },
    stop() {
      running = false;
      landmarker?.forget();
    },
  };
}

function serverView(request: CaptureRequest | null, hint: CoachHint | null): CaptureView {
  const step: LivenessStep | null = request?.step ?? null;
  const [done, total] = [request?.steps_done ?? 0, request?.steps_expected ?? 0];
  return {
    stage: 'server',
    hint,
    step,
    stepsDone: done,
    stepsTotal: total,
    fraction: total === 0 ? 0 : done / total,
    isAgain: request?.again === true,
    stuck: false,
    isMirrored: false,
  };
}
