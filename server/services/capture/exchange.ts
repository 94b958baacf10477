/** One capture in progress: carries out the effects of the state machine, and releases everything at its end. */
import type { CameraSeen, CaptureErrorCode, ServerMessage } from '../../contract/capture.ts';
import {
  advanceCapture,
  beginCapture,
  endsInMs,
  nextDeadlineMs,
  type ExchangeEffect,
  type ExchangeEvent,
} from '../../domain/capture/exchange/exchange.ts';
import { stillsToHold } from '../../domain/capture/exchange/judgement.ts';
import {
  hasRevealedStep,
  needsAttackScore,
  type ExchangePlan,
  type ExchangeStill,
} from '../../domain/capture/exchange/state.ts';
import { FaceEngineError } from '../../face/errors.ts';
import type { Ports } from '../ports/ports.ts';
import type { SessionEvents } from '../runs/sessions/session-events.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { isSameSecret, newNonce } from '../ports/ids.ts';
import { authoriseFlow, refuseEnded } from '../runs/flow.ts';
import type { Place } from './admission.ts';
import type { SettlingDeps } from './capture.ts';
import type { CaptureRecorder } from './recorder.ts';
import { createHeldStills } from './held-stills.ts';
import type { CaptureSigner } from './kiosk-signature.ts';
import { settleExchange } from './settle-exchange.ts';
import { analyseStill, refusalOf } from './still-analysis.ts';

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
  deps: SettlingDeps & Pick<Ports, 'randomInt' | 'remembersFaces'> & { events: SessionEvents },
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
      const purpose = needsAttackScore(state, seq) ? 'rest' : 'step';
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
        : await settleExchange(deps, { ...options, camera, state, held });
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
