/** One capture in progress: carries out the effects of the state machine, and releases everything at its end. */
import type { DeniedPictures } from './denied-pictures.ts';
import type { CameraSeen, CaptureErrorCode, ServerMessage } from '../../contract/capture.ts';
import type { Snapshot } from '../../contract/flow.ts';
import {
  advanceCapture,
  beginCapture,
  endsInMs,
  hasRevealedStep,
  nextDeadlineMs,
  type ExchangeEffect,
  type ExchangeEvent,
} from '../../domain/capture/exchange/exchange.ts';
import { doubtOf, evidenceOf, stillsToHold } from '../../domain/capture/exchange/judgement.ts';
import type { ExchangePlan, ExchangeStill } from '../../domain/capture/exchange/state.ts';
import { judgeCapture } from '../../domain/capture/liveness.ts';
import { FaceEngineError } from '../../face/errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import type { ResultTokens } from '../passes/result-tokens.ts';
import type { ConnectSigner } from '../connections/signer.ts';
import type { SessionEvents } from '../runs/sessions/session-events.ts';
import type { SnapshotDeps } from '../runs/sessions/session-view.ts';
import { apiDetail } from '../../refusals/codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { isSameSecret, newNonce } from '../ports/ids.ts';
import { framesSeenBefore } from '../matching/replay.ts';
import { authoriseFlow, refuseEnded } from '../runs/flow.ts';
import { settleCapture } from './capture.ts';
import type { Place } from './admission.ts';
import type { CaptureRecorder } from './recorder.ts';
import { createHeldStills, type HeldStills } from './held-stills.ts';
import type { CaptureSigner } from './kiosk-signature.ts';

/** The connection to the page, of any kind. */
export type ExchangeCarrier = {
  send: (message: ServerMessage) => void;
  /** Nothing more is sent. */
  close: () => void;
};

/** How long a page may be disconnected before its capture is abandoned, in milliseconds. */
const RESUME_WITHIN_MS = 20_000;
/** Delay before the page resends a still that the process had no room for, in milliseconds. */
const ROOM_RETRY_MS = 1_000;
/** Interval at which a busy engine is retried. Follows the engine's own estimate, but is at most this long. */
const MOST_ENGINE_TRIES = 5;
const LONGEST_ENGINE_WAIT_MS = 2_000;

type ExchangeOptions = {
  sessionId: string;
  /** Of the device that started it; checked again when the capture settles. */
  flowToken: string;
  /** Binds the capture to the session: the one that began last settles it. */
  nonce: string;
  plan: ExchangePlan;
  camera: CameraSeen | undefined;
  /** The key whose signatures make the capture trusted; null if there is none. */
  signer: CaptureSigner | null;
  /** Keeps the capture instead of settling it; null to settle it. */
  recorder: CaptureRecorder | null;
  carrier: ExchangeCarrier;
  /** Room for its stills; released at its end. */
  place: Place;
  /** It took too long after a step was shown. */
  onSlow: () => Promise<void>;
  onEnd: () => void;
  /** Called with unexpected errors. */
  onFault: (error: unknown) => void;
};

export type Exchange = {
  /** A still for the current request. */
  takeStill: (header: { request: number; seq: number; signature?: string }, jpeg: Buffer) => void;
  takeCamera: (camera: CameraSeen) => void;
  takeFault: (code: CaptureErrorCode) => void;
  /** Whether the holder of this token can resume the capture with this key. */
  isOf: (flowToken: string, resumeKey?: string) => boolean;
  /** Resumes on another connection and closes the previous one. */
  resume: (carrier: ExchangeCarrier) => void;
  /** The connection was lost: the capture waits for the page. */
  detach: (carrier: ExchangeCarrier) => void;
  /** Ends it without a verdict. */
  abandon: (message?: ServerMessage) => void;
};

export function startExchange(
  deps: Pick<Ports, 'db' | 'clock' | 'randomInt' | 'faces'> & {
    faceIndex: FaceIndex;
    tokens: ResultTokens;
    connect: ConnectSigner;
    codes: SnapshotDeps['codes'];
    deniedPictures: DeniedPictures;
    events: SessionEvents;
  },
  options: ExchangeOptions,
): Exchange {
  const { sessionId, plan, signer, place, recorder, onFault } = options;
  const resumeKey = newNonce();
  const aborted = new AbortController();
  const held = createHeldStills(place, signer);
  const tools = () => ({ nowMs: deps.clock.now(), random: deps.randomInt });
  let { camera } = options;
  let carrier: ExchangeCarrier | null = options.carrier;
  let isOver = false;
  /** The last message, for a page that returns for it. */
  let verdict: Extract<ServerMessage, { type: 'verdict' }> | null = null;
  let awayTimer: NodeJS.Timeout | undefined;
  let deadlineTimer: NodeJS.Timeout | undefined;

  const send = (message: ServerMessage) => carrier?.send(message);
  const welcome = (resumed: boolean) =>
    send({
      type: 'welcome',
      resume_key: resumeKey,
      resumed,
      next_seq: state.nextSeq,
      ...(signer && { sign_nonce: signer.nonce }),
      resume_within_ms: RESUME_WITHIN_MS,
      ends_in_ms: endsInMs(state, deps.clock.now()),
    });
  /** @param isOurFault it was not the page that left */
  const finish = (message?: ServerMessage, isOurFault = false) => {
    if (isOver) return;
    isOver = true;
    if (message) send(message);
    aborted.abort();
    unfollow();
    clearTimeout(deadlineTimer);
    clearTimeout(awayTimer);
    keepHeld([]);
    carrier?.close();
    carrier = null;
    const isLeft = hasRevealedStep(state) && !isOurFault;
    if (verdict) place.leave(verdict.snapshot.state === 'open' ? 'failed' : 'verdict');
    else place.leave(isLeft ? 'given_up' : 'unseen');
    options.onEnd();
  };

  const dispatch = (event: ExchangeEvent) => {
    if (isOver) return;
    const now = tools();
    recorder?.took(event, now.nowMs);
    const next = advanceCapture(state, event, now);
    state = next.state;
    next.effects.forEach(perform);
    keepHeld(stillsToHold(state));
    schedule();
  };
  const keepHeld = (stills: readonly ExchangeStill[]) => held.keepOnly(new Set(stills.map(({ seq }) => seq)));
  const perform = (effect: ExchangeEffect) => {
    switch (effect.type) {
      case 'send':
        send(effect.message);
        if (effect.message.type === 'request') recorder?.asked(effect.message);
        break;
      case 'analyse':
        void analyse(effect.seq);
        break;
      case 'settle':
        void settle();
        break;
      case 'end':
        recorder?.endWithout(state).catch(onFault);
        void endWithout(effect);
    }
  };
  const schedule = () => {
    clearTimeout(deadlineTimer);
    if (isOver || state.phase === 'over') return;
    const waitMs = Math.max(0, nextDeadlineMs(state) - deps.clock.now()) + 1;
    deadlineTimer = setTimeout(() => dispatch({ type: 'tick' }), waitMs).unref();
  };

  const analyse = async (seq: number) => {
    const jpeg = held.jpegOf(seq);
    if (!jpeg) return;
    try {
      const asked = state.requests.find(({ stills }) => stills.some((still) => still.seq === seq));
      const purpose = asked?.ask.kind === 'step' ? 'step' : 'rest';
      const evidence = await analyseStill(deps, jpeg, purpose, aborted.signal);
      dispatch(evidence ? { type: 'judged', seq, evidence } : { type: 'unreadable', seq });
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    if (!(error instanceof FaceEngineError) && !(error instanceof Refusal)) onFault(error);
    finish(refusalOf(error), !(error instanceof Refusal));
  };
  const settle = async () => {
    try {
      const snapshot = recorder
        ? await recorder.settle(state)
        : await settleLive(deps, { ...options, camera, state, held });
      verdict = { type: 'verdict', snapshot };
      keepHeld([]);
      // A page that is disconnected briefly still gets it.
      if (carrier) finish(verdict);
    } catch (error) {
      fail(error);
    }
  };
  const endWithout = async ({ message, isSlow }: Extract<ExchangeEffect, { type: 'end' }>) => {
    // Before the page is told: it begins again at once.
    if (isSlow) await options.onSlow().catch(onFault);
    finish(message);
  };
  const endWithSession = async () => {
    if (isOver || state.phase === 'over') return;
    try {
      refuseEnded(deps, await authoriseFlow(deps, sessionId, options.flowToken));
    } catch (error) {
      fail(error);
    }
  };
  const unfollow = deps.events.follow(sessionId, {
    changed: () => void endWithSession(),
    drained: () => finish({ type: 'again', reason: 'restarting' }, true),
  });

  const begun = beginCapture(plan, tools());
  let { state } = begun;
  welcome(false);
  begun.effects.forEach(perform);
  schedule();

  return {
    takeStill(header, jpeg) {
      if (isOver) return;
      const { request, seq } = header;
      // Answered again, but never taken again: the bytes that were judged are the ones that count.
      if (seq < state.nextSeq) {
        dispatch({ type: 'still', request, seq });
        return;
      }
      const ask = state.requests.find(({ id }) => id === request)?.ask;
      const hold = () => held.hold({ ...header, jpeg }, ask);
      let outcome = hold();
      if (outcome === 'too_much') {
        // Pictures of unusable stills are the first to go; without them, others are chosen.
        keepHeld(stillsToHold(state).filter((still) => still.state !== 'unusable'));
        outcome = hold();
      }
      if (outcome === 'too_much') {
        finish({ type: 'error', code: 'too_many_stills', fatal: true });
        return;
      }
      if (outcome === 'no_room') {
        send({ type: 'wait', seq, retry_in_ms: ROOM_RETRY_MS });
        return;
      }
      dispatch({ type: 'still', request, seq });
      if (seq < state.nextSeq) recorder?.still(seq, jpeg);
    },
    takeCamera(seen) {
      camera = seen;
    },
    takeFault: (code) => dispatch({ type: 'fault', code }),
    isOf: (flowToken, key) =>
      isSameSecret(flowToken, options.flowToken) && (key === undefined || isSameSecret(key, resumeKey)),
    resume(next) {
      carrier?.close();
      clearTimeout(awayTimer);
      carrier = next;
      welcome(true);
      if (verdict) finish(verdict);
      else dispatch({ type: 'resumed' });
    },
    detach(gone) {
      if (isOver || gone !== carrier) return;
      carrier = null;
      awayTimer = setTimeout(() => finish(), RESUME_WITHIN_MS).unref();
    },
    abandon: (message) => finish(message),
  };
}

type Taken = Pick<ExchangeOptions, 'sessionId' | 'flowToken' | 'nonce' | 'camera' | 'onFault'> & {
  state: Parameters<typeof evidenceOf>[0];
  held: HeldStills;
};

/** The verdict on all frames so far, settled by the page that currently holds the session. */
async function settleLive(
  deps: Pick<Ports, 'db' | 'clock' | 'faces'> & {
    faceIndex: FaceIndex;
    tokens: ResultTokens;
    connect: ConnectSigner;
    codes: SnapshotDeps['codes'];
    deniedPictures: DeniedPictures;
  },
  { sessionId, flowToken, nonce, camera, onFault, state, held }: Taken,
): Promise<Snapshot> {
  const { facts, stills } = evidenceOf(state);
  // Before the first await, so that a page that leaves meanwhile releases the stills.
  const pictures = stills.map(({ seq, atMs }) => ({ jpeg: held.jpegOf(seq) ?? null, takenAtMs: atMs }));
  const session = await authoriseFlow(deps, sessionId, flowToken);
  const receivedAtMs = deps.clock.now();
  return settleCapture(deps, session, nonce, async () => {
    const seenBefore = await framesSeenBefore(deps.db, facts.frames, receivedAtMs);
    const verdict = judgeCapture({ ...facts, seenBefore });
    return {
      verdict,
      doubt: doubtOf(state, verdict),
      evidence: facts.frames,
      pictures,
      camera,
      isTrusted: stills.every(({ seq }) => held.isSigned(seq)),
      receivedAtMs,
      onPhotoLost: onFault,
    };
  });
}

/**
 * Null for a still that is not a picture.
 * @throws FaceEngineError if the engine cannot analyse it, even after some time
 */
async function analyseStill(
  { faces }: Pick<Ports, 'faces'>,
  jpeg: Buffer,
  purpose: 'rest' | 'step',
  signal: AbortSignal,
) {
  for (let tries = 1; ; tries += 1) {
    try {
      const [evidence] = await faces.analyse([jpeg], signal, purpose);
      return evidence ?? null;
    } catch (error) {
      if (!(error instanceof FaceEngineError)) throw error;
      if (error.code === 'unreadable_frame') return null;
      if (error.code !== 'busy' || tries === MOST_ENGINE_TRIES) throw error;
      const waitMs = Math.min(LONGEST_ENGINE_WAIT_MS, 1_000 * (error.retryAfterS ?? 1));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      signal.throwIfAborted();
    }
  }
}

function refusalOf(error: unknown): ServerMessage {
  if (error instanceof Refusal) {
    const isReplaced = error.code === 'challenge_expired' || error.code === 'challenge_used';
    if (isReplaced) return { type: 'again', reason: 'taken_over' };
    return { type: 'error', code: apiDetail(error.code), fatal: true };
  }
  const isBusy = error instanceof FaceEngineError && error.code === 'busy';
  return {
    type: 'error',
    code: isBusy ? 'engine_busy' : 'engine_failed',
    fatal: true,
    retry_in_ms: LONGEST_ENGINE_WAIT_MS,
  };
}
