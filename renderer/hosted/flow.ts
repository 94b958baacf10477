/**
 * The run on this page: one state, one call at a time, and actions that are ignored where they do not apply. Where a
 * reply leads is decided by `routing.ts`; this file only asks, waits and follows.
 */
import type { Snapshot, TestDecision } from '../../server/contract/flow.ts';
import type { DeadEnd, PhoneTrouble, WaitReason } from '../i18n/messages.ts';
import type { CaptureUpload, ContinuationOffer, FlowApi, HandoffOffer } from './flow-api.ts';
import { asFlowProblem } from './flow-problem.ts';
import {
  deadEndOf,
  deadEndOfProblem,
  phoneTroubleOf,
  screenOf,
  type Choices,
  type Screen,
} from './routing.ts';

/** What the page shows: a screen that a snapshot leads to, or the call under way. */
export type FlowScreen = Screen | 'loading' | 'sending' | 'checking';

export type FlowState = Choices & {
  screen: FlowScreen;
  snapshot: Snapshot | null;
  deadEnd: DeadEnd;
  /** When a dead end may be none any more; null where it is not known. */
  retryAfterS: number | null;
  /** The last capture did not reach the server whole. */
  interrupted: boolean;
  /** What the last number or code was refused for. */
  phoneTrouble: { trouble: PhoneTrouble; triesLeft: number | null; retryAfterS: number | null } | null;
  /** The code that a computer shows to a phone; null until it came. */
  offer: HandoffOffer | null;
  /** The link to another browser of this phone; null until it came. */
  continuation: ContinuationOffer | null;
  waiting: WaitReason | null;
  /** A button's call is under way: the screen stays, its buttons rest. */
  busy: boolean;
};

export type Flow = {
  state: () => FlowState;
  subscribe: (listener: () => void) => () => void;
  /** Opens the run, or looks again after a failure. */
  load: () => void;
  accept: (textVersion: string, language: string) => void;
  decline: () => void;
  /** A new code for a phone; the one before it ends. */
  offerHandoff: () => void;
  answerHandoff: (accepted: boolean) => void;
  /** A new link for another browser; the one before it ends. */
  offerContinuation: () => void;
  /** The camera turned out not to be usable in this browser, or is tried again. */
  setNoCamera: (noCamera: boolean) => void;
  /** Sends a code, to the run's own number when none is given. */
  sendCode: (phone: string | null) => void;
  confirmCode: (code: string) => void;
  useThisComputer: () => void;
  useCamera: () => void;
  testFace: (face: string) => void;
  testReview: (decision: TestDecision) => void;
  capture: (upload: CaptureUpload) => void;
  again: () => void;
  /** Asks how the run stands, as after the page was away. */
  lookAgain: () => void;
  /** A call that a screen made itself (the challenge's) was refused. */
  refused: (error: unknown) => void;
  /** Told why a request waits; given to the API's retry tools. */
  reportWaiting: (reason: WaitReason | null) => void;
  dispose: () => void;
};

type Call = (api: FlowApi) => Promise<Snapshot>;

/** How this page came to the run. */
export type Start = {
  device: Choices['device'];
  /** The one-time code of a computer's link; taken where this device holds nothing of the run yet. */
  handoffCode: string | null;
  /** The one-time code of another browser's link. */
  continuationCode: string | null;
  /** This browser has no interface to a camera. */
  noCamera: boolean;
  /** This device took the run over before. */
  handedOver: boolean;
};

/** Screens whose run may move on elsewhere: at the server, or on the phone. */
const FOLLOWED: readonly FlowScreen[] = ['checking', 'desktop', 'elsewhere'];

export function createFlow(
  api: FlowApi,
  { device, handoffCode, continuationCode, noCamera, handedOver }: Start,
): Flow {
  const listeners = new Set<() => void>();
  let following: AbortController | null = null;
  let state: FlowState = {
    device,
    thisComputer: false,
    camera: false,
    attempted: false,
    noCamera,
    handedOver,
    screen: 'loading',
    snapshot: null,
    deadEnd: 'unknown',
    retryAfterS: null,
    interrupted: false,
    phoneTrouble: null,
    offer: null,
    continuation: null,
    waiting: null,
    busy: false,
  };

  const set = (change: Partial<FlowState>) => {
    state = { ...state, ...change };
    const follow = FOLLOWED.includes(state.screen) && !state.busy;
    if (follow && following === null) startFollowing();
    if (!follow) stopFollowing();
    for (const listener of listeners) listener();
  };
  const stopFollowing = () => {
    following?.abort();
    following = null;
  };
  const startFollowing = () => {
    const stop = new AbortController();
    following = stop;
    api.follow(arrive, stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) refuse(error);
    });
  };

  /** Goes where a snapshot leads; `change` is applied in the same step. */
  const arrive = (snapshot: Snapshot, change: Partial<FlowState> = {}) => {
    const next = { ...state, phoneTrouble: null, ...change, snapshot, waiting: null, busy: false };
    // A hand-off that ended, as when the numbers were not the same, takes its code along.
    if (state.snapshot?.handoff && snapshot.handoff === null) next.offer = null;
    const screen = screenOf(snapshot, next);
    set({ ...next, screen, ...(screen === 'dead' ? { deadEnd: deadEndOf(snapshot) } : {}) });
  };
  const refuse = (error: unknown, change: Partial<FlowState> = {}) => {
    const { code, details } = asFlowProblem(error);
    const trouble = phoneTroubleOf(code);
    if (trouble !== null && state.screen === 'phone') {
      set({ phoneTrouble: { trouble, ...details }, waiting: null, busy: false });
      return;
    }
    const deadEnd = deadEndOfProblem(code);
    if (deadEnd !== null) {
      set({ screen: 'dead', deadEnd, retryAfterS: details.retryAfterS, waiting: null, busy: false });
      return;
    }
    // Out of step with the server: its snapshot tells how to go on.
    api.snapshot().then(
      (snapshot) => arrive(snapshot, change),
      () => set({ screen: 'dead', deadEnd: 'server', waiting: null, busy: false }),
    );
  };
  const run = (call: Call, while_: Partial<FlowState>, refused: Partial<FlowState> = {}) => {
    if (state.busy) return;
    set({ ...while_, busy: true });
    call(api).then(
      (snapshot) => arrive(snapshot),
      (error: unknown) => refuse(error, refused),
    );
  };
  const endHere = (deadEnd: DeadEnd, call: Promise<unknown>) => {
    set({ screen: 'dead', deadEnd, waiting: null, busy: false });
    call.catch(() => undefined);
  };
  /** Applies a choice of the person and goes where the same snapshot now leads. */
  const choose = (choice: Partial<FlowState>) => {
    if (state.snapshot !== null && !state.busy) arrive(state.snapshot, choice);
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    load() {
      if (continuationCode !== null) {
        run((to) => to.openContinuation(continuationCode, device), { screen: 'loading' });
      } else if (handoffCode === null) run((to) => to.open(device), { screen: 'loading' });
      else run((to) => to.openHandoff(handoffCode, device), { screen: 'loading', handedOver: true });
    },
    accept: (textVersion, language) => run((to) => to.consent(textVersion, language), {}),
    decline: () => run((to) => to.decline(), {}),
    offerHandoff() {
      set({ offer: null });
      api.offerHandoff().then((offer) => set({ offer }), refuse);
    },
    offerContinuation() {
      api.offerContinuation().then((continuation) => set({ continuation }), refuse);
    },
    setNoCamera: (noCamera) => choose({ noCamera }),
    answerHandoff(accepted) {
      if (accepted) run((to) => to.answerHandoff(true), {});
      // Whatever the server says, this phone goes no further.
      else endHere('handoff_refused', api.answerHandoff(false));
    },
    sendCode: (phone) => run((to) => to.sendCode(phone), { phoneTrouble: null }),
    confirmCode: (code) => run((to) => to.confirmCode(code), { phoneTrouble: null }),
    useThisComputer: () => choose({ thisComputer: true }),
    useCamera: () => choose({ camera: true }),
    testFace: (face) =>
      run((to) => to.testCapture(face), { screen: 'checking', attempted: true, camera: false }),
    testReview: (decision) => run((to) => to.testReview(decision), {}),
    capture: (upload) =>
      run(
        (to) => to.capture(upload),
        { screen: 'sending', attempted: true, interrupted: false },
        {
          interrupted: true,
        },
      ),
    again() {
      if (state.snapshot === null) return;
      // Findings belong to the attempt that is being repeated.
      arrive({ ...state.snapshot, findings: [] }, { attempted: false, interrupted: false });
    },
    lookAgain() {
      if (state.snapshot === null || state.busy) return;
      api.snapshot().then((snapshot) => arrive(snapshot), refuse);
    },
    refused: (error) => refuse(error, { attempted: true, interrupted: true }),
    reportWaiting: (reason) => {
      if (state.waiting !== reason) set({ waiting: reason });
    },
    dispose() {
      listeners.clear();
      stopFollowing();
    },
  };
}
