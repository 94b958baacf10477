/**
 * The run on this page: one state, one call at a time, and actions that are ignored if they do not apply. `routing.ts`
 * decides where a reply leads; this file only calls, waits and follows.
 */
import type { Snapshot, TestDecision } from '../../server/contract/flow.ts';
import type { DeadEnd, PhoneTrouble, WaitReason } from '../i18n/messages.ts';
import { RequestError } from '../http/request-error.ts';
import type { ContinuationOffer, FlowApi, HandoffOffer } from './flow-api.ts';
import { flowRefusalOf } from './flow-refusal.ts';
import type { PendingHandoff } from './run-memory.ts';
import {
  deadEndOf,
  deadEndOfProblem,
  phoneTroubleOf,
  screenOf,
  type Choices,
  type Screen,
} from './routing.ts';

/** What the page shows: the screen of a snapshot, or the current call. */
type FlowScreen = Screen | 'handoff' | 'loading' | 'checking';

export type FlowState = Choices & {
  screen: FlowScreen;
  snapshot: Snapshot | null;
  deadEnd: DeadEnd;
  /** When a dead end may be over; null if unknown. */
  retryAfterS: number | null;
  /** The last capture ended without a verdict. */
  interrupted: boolean;
  /** Why the last number or code was refused. */
  phoneTrouble: { trouble: PhoneTrouble; triesLeft: number | null; retryAfterS: number | null } | null;
  /** On a phone that scanned a computer's code, until the person has typed the number. */
  handoff: (PendingHandoff & { wrong: boolean }) | null;
  /** The code that a computer shows to a phone; null until it arrives. */
  offer: HandoffOffer | null;
  /** The link to another browser of this phone; null until it arrives. */
  continuation: ContinuationOffer | null;
  waiting: WaitReason | null;
  /** A button's call is in progress: the screen stays, its buttons are disabled. */
  busy: boolean;
};

export type Flow = ReturnType<typeof createFlow>;

/** The capture screen runs the capture; its end arrives through `captured` and `captureRefused`. */
export type FlowCalls = Omit<FlowApi, 'capture'>;
type Call = (api: FlowCalls) => Promise<Snapshot>;

/** How this page got the run. */
export type Start = {
  device: Choices['device'];
  /** The one-time code of a computer's link; used if this device has no data of the run yet. */
  handoffCode: string | null;
  /** The one-time code of another browser's link. */
  continuationCode: string | null;
  /** This browser has no camera API. */
  noCamera: boolean;
  /** This device took the run over, or asked to, before the page was loaded. */
  handoff: PendingHandoff | null;
  /** Loads the page again, because its consent text was replaced. */
  reload: () => void;
};

/** Screens whose run may change elsewhere: on the server, or on the phone. */
const FOLLOWED: readonly FlowScreen[] = ['checking', 'desktop', 'elsewhere'];

export function createFlow(
  api: FlowCalls,
  { device, handoffCode, continuationCode, noCamera, handoff, reload }: Start,
) {
  const listeners = new Set<() => void>();
  let offering = false;
  let following: AbortController | null = null;
  let state: FlowState = {
    device,
    thisComputer: false,
    camera: false,
    attempted: false,
    noCamera,
    handedOver: handoff !== null,
    handoff: handoff && { ...handoff, wrong: false },
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

  /** Shows the screen of a snapshot; applies `change` in the same step. */
  const arrive = (snapshot: Snapshot, change: Partial<FlowState> = {}) => {
    const next = { ...state, phoneTrouble: null, ...change, snapshot, waiting: null, busy: false };
    // When a handoff ends, its code does, too.
    if (snapshot.handoff?.state === 'ended') next.offer = null;
    if (state.snapshot?.handoff && snapshot.handoff === null) next.offer = null;
    const screen = screenOf(snapshot, next);
    set({ ...next, screen, ...(screen === 'dead' ? { deadEnd: deadEndOf(snapshot) } : {}) });
  };
  /** Asks the person for the computer's number. */
  const ask = (pending: PendingHandoff, wrong: boolean) =>
    set({ screen: 'handoff', handoff: { ...pending, wrong }, handedOver: true, waiting: null, busy: false });
  const refuse = (error: unknown, change: Partial<FlowState> = {}) => {
    const { code, details } = flowRefusalOf(error);
    if (code === 'consent_replaced') {
      reload();
      return;
    }
    // The reply that settled the run was lost: the snapshot has the result.
    if (code === 'session_settled' && state.snapshot !== null && state.snapshot.state !== 'settled') {
      api.snapshot().then(
        (snapshot) => arrive(snapshot, change),
        () => set({ screen: 'dead', deadEnd: 'settled', waiting: null, busy: false }),
      );
      return;
    }
    const trouble = phoneTroubleOf(code);
    if (trouble !== null && state.screen === 'phone') {
      set({ phoneTrouble: { trouble, ...details }, waiting: null, busy: false });
      return;
    }
    if (state.handoff !== null && (code === 'handoff_unconfirmed' || code === 'wrong_number')) {
      ask(
        { ...state.handoff, tries_left: details.triesLeft ?? state.handoff.tries_left },
        code === 'wrong_number',
      );
      return;
    }
    // On that screen the token can only have ended with the computer's code.
    const isReplaced = state.screen === 'handoff' && code === 'invalid_flow_token';
    const deadEnd = isReplaced ? 'handoff_expired' : deadEndOfProblem(code);
    if (deadEnd !== null) {
      set({ screen: 'dead', deadEnd, retryAfterS: details.retryAfterS, waiting: null, busy: false });
      return;
    }
    // Out of sync with the server: its snapshot says which step comes next.
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
  /** Applies a choice of the person and shows the resulting screen of the same snapshot. */
  const choose = (choice: Partial<FlowState>) => {
    if (state.snapshot !== null && !state.busy) arrive(state.snapshot, choice);
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Opens the run, or checks again after a failure. */
    load: () => {
      if (continuationCode !== null) {
        run((to) => to.openContinuation(continuationCode, device), { screen: 'loading' });
      } else if (handoffCode === null) run((to) => to.open(device), { screen: 'loading' });
      else if (!state.busy) {
        set({ screen: 'loading', busy: true });
        api.openHandoff(handoffCode, device).then((pending) => ask(pending, false), refuse);
      }
    },
    /** Names the text, its language, and the periods that it shows. */
    accept: (...shown: Parameters<FlowApi['consent']>) => run((to) => to.consent(...shown), {}),
    decline: () => run((to) => to.decline(), {}),
    /** A new code for a phone, which invalidates the previous one. */
    offerHandoff: () => {
      if (offering) return;
      offering = true;
      set({ offer: null });
      api
        .offerHandoff()
        .then((offer) => set({ offer }), refuse)
        .finally(() => {
          offering = false;
        });
    },
    /** A new link for another browser, which invalidates the previous one. */
    offerContinuation: () => {
      api.offerContinuation().then((continuation) => set({ continuation }), refuse);
    },
    /** The camera is not usable in this browser, or is tried again. */
    setNoCamera: (noCamera: boolean) => choose({ noCamera }),
    /** Tries the number that the computer shows. */
    confirmHandoff: (number: string) => run((to) => to.confirmHandoff(number), {}),
    /** Sends a code, by default to the run's own number. */
    sendCode: (phone: string | null) => run((to) => to.sendCode(phone), { phoneTrouble: null }),
    confirmCode: (code: string) => run((to) => to.confirmCode(code), { phoneTrouble: null }),
    useThisComputer: () => choose({ thisComputer: true }),
    useCamera: () => choose({ camera: true }),
    testFace: (face: string) =>
      run((to) => to.testCapture(face), { screen: 'checking', attempted: true, camera: false }),
    testReview: (decision: TestDecision) => run((to) => to.testReview(decision), {}),
    /** The capture has a verdict. */
    captured: (snapshot: Snapshot) => arrive(snapshot, { attempted: true, interrupted: false }),
    again: () => {
      if (state.snapshot === null) return;
      // Findings belong to the attempt that is being repeated.
      arrive({ ...state.snapshot, findings: [] }, { attempted: false, interrupted: false });
    },
    /** Queries the state of the run, after the page was away or while a reviewer decides. */
    lookAgain: async () => {
      const before = state.snapshot;
      // A settled run is final, and this device has forgotten its token.
      if (before === null || before.state === 'settled' || state.busy) return;
      const isLate = () => state.snapshot !== before || state.busy;
      await api.snapshot().then(
        (snapshot) => {
          const isUndecided = before.state === 'in_review' && snapshot.state === before.state;
          // If nothing changed, what the person was told about a number stays.
          if (!isLate() && !isUndecided && JSON.stringify(snapshot) !== JSON.stringify(before))
            arrive(snapshot);
        },
        (error: unknown) => {
          // The server may be back at the next call; until then the screen is still true.
          if (!isLate() && deadEndOfProblem(flowRefusalOf(error).code) !== 'server') refuse(error);
        },
      );
    },
    /** Shows the decision of a reviewer as soon as it is there, until `signal` aborts. */
    async followDecision(signal: AbortSignal) {
      const decided = (snapshot: Snapshot) => {
        if (snapshot.state !== 'in_review' && !state.busy) arrive(snapshot);
      };
      // What a look finds is shown, or leaves the screen if the server may be back soon.
      await api.follow(decided, signal).catch(() => (signal.aborted ? undefined : this.lookAgain()));
    },
    /** The capture was refused. @param code in the server's words */
    captureRefused: (code: string) => {
      const error = new RequestError(code);
      // A refusal that concerns only the capture leaves the run open: its snapshot says how to continue.
      const isOfCapture = flowRefusalOf(error).code === 'server';
      refuse(isOfCapture ? new RequestError('wrong_step') : error, { attempted: true, interrupted: true });
    },
    /** Called with the reason why a request waits; passed to the API's retry options. */
    reportWaiting: (reason: WaitReason | null) => {
      if (state.waiting !== reason) set({ waiting: reason });
    },
    /** The line to the server was cut, or is back. The capture watches its own connection. */
    lineIs(isUp: boolean) {
      if (isUp ? state.waiting === 'offline' : state.screen !== 'capture')
        set({ waiting: isUp ? null : 'offline' });
    },
    dispose() {
      listeners.clear();
      stopFollowing();
    },
  };
}
