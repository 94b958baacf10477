/**
 * A capture as a pure state machine, so that it can be tested as a table. Time and randomness are
 * arguments; actions are returned as effects, which `services/capture/exchange.ts` carries out.
 */
import { CAPTURE_BOUNDS, type CaptureErrorCode, type ServerMessage } from '../../../contract/capture.ts';
import type { FrameEvidence } from '../evidence.ts';
import { isClaimInDoubt } from './claim.ts';
import { restingMeasures } from './judgement.ts';
import { lookAt } from './looks.ts';
import { nextAsk } from './next-ask.ts';
import { ENDS_AFTER_MS, stepsNeeded, stillsWanted, windowOf, type Ask } from './requests.ts';
import {
  answeredSteps,
  firstTold,
  hasRevealedStep,
  openRequest,
  unjudged,
  type AskedRequest,
  type ExchangePlan,
  type ExchangeState,
} from './state.ts';

export type ExchangeEvent =
  | { type: 'still'; request: number; seq: number }
  | { type: 'judged'; seq: number; evidence: FrameEvidence }
  | { type: 'unreadable'; seq: number }
  /** The page reconnected: it gets the current request again. */
  | { type: 'resumed' }
  /** A message that is invalid, or not allowed now. */
  | { type: 'fault'; code: CaptureErrorCode }
  /** Time has passed. */
  | { type: 'tick' };

export type ExchangeEffect =
  | { type: 'send'; message: ServerMessage }
  /** Take the still's bytes and have them analysed. */
  | { type: 'analyse'; seq: number }
  /** Judge the stills finally, and settle the run. */
  | { type: 'settle' }
  /** Ended without a verdict. @param isSlow nobody answered for too long after a step was shown */
  | { type: 'end'; message: ServerMessage; isSlow: boolean };

type Tools = { nowMs: number; random: (n: number) => number };

/** Requests that may go unanswered before the capture ends. */
const MOST_VOID = 4;
/** Stills that may come too early before the request counts as unanswered. */
const MOST_EARLY = 6;
/** Stills of a covered face that are asked for again. */
const MOST_COVERED = 3;
export const MOST_FAULTS = 5;
/** Without a landmarker, a page sends about one still a second. More would be guessing. */
const STILLS_APART_MS = 500;
/** By then one of the earlier stills is judged. */
const UNJUDGED_RETRY_MS = 200;

type Advanced = { state: ExchangeState; effects: ExchangeEffect[] };
type Machine = Advanced & Tools;

/** A new capture at its first request. */
export function beginCapture(plan: ExchangePlan, tools: Tools): Advanced {
  const machine: Machine = {
    ...tools,
    state: {
      plan,
      phase: 'asking',
      startedAtMs: tools.nowMs,
      requests: [],
      nextSeq: 0,
      earlyStills: 0,
      faults: 0,
    },
    effects: [],
  };
  proceed(machine);
  return { state: machine.state, effects: machine.effects };
}

/** Applies one event. After the end, events have no effect. */
export function advanceCapture(state: ExchangeState, event: ExchangeEvent, tools: Tools): Advanced {
  const machine: Machine = { ...tools, state, effects: [] };
  lapse(machine);
  if (machine.state.phase !== 'over') take(machine, event);
  return { state: machine.state, effects: machine.effects };
}

/** When time alone causes the next change. */
export function nextDeadlineMs(state: ExchangeState): number {
  const endsAtMs = state.startedAtMs + ENDS_AFTER_MS[state.plan.mode];
  return Math.min(endsAtMs, openRequest(state)?.closesAtMs ?? endsAtMs);
}

export const endsInMs = ({ plan, startedAtMs }: ExchangeState, nowMs: number): number =>
  Math.max(0, startedAtMs + ENDS_AFTER_MS[plan.mode] - nowMs);

function take(machine: Machine, event: ExchangeEvent): void {
  switch (event.type) {
    case 'still': {
      takeStill(machine, event);
      return;
    }
    case 'judged': {
      takeEvidence(machine, event.seq, event.evidence);
      return;
    }
    case 'unreadable': {
      takeEvidence(machine, event.seq, null);
      return;
    }
    case 'resumed': {
      repeatRequest(machine);
      return;
    }
    case 'fault': {
      refuse(machine, event.code);
      return;
    }
    case 'tick':
  }
}

function takeStill(machine: Machine, { request: id, seq }: { request: number; seq: number }): void {
  const { state, nowMs } = machine;
  const { mode } = state.plan;
  if (seq < state.nextSeq) {
    repeatAnswer(machine, seq);
    return;
  }
  const newest = state.requests.at(-1);
  if (seq > state.nextSeq + CAPTURE_BOUNDS.maxUnjudged || !newest || id > newest.id) {
    refuse(machine, 'message_invalid');
    return;
  }
  // The previous one was deferred, or is still in transit over another request.
  if (seq > state.nextSeq) {
    wait(machine, seq, UNJUDGED_RETRY_MS);
    return;
  }
  if (seq >= CAPTURE_BOUNDS.maxStills[mode]) {
    end(machine, { type: 'error', code: 'too_many_stills', fatal: true });
    return;
  }
  const request = openRequest(state);
  if (request?.id !== id) {
    turnDown(machine, seq, 'too_late');
    return;
  }
  if (nowMs < request.opensAtMs) {
    takeEarly(machine, seq);
    return;
  }
  const tooSoonMs = (request.stills.at(-1)?.atMs ?? -Infinity) + STILLS_APART_MS - nowMs;
  if (mode === 'stills' && tooSoonMs > 0) {
    wait(machine, seq, tooSoonMs);
    return;
  }
  if (unjudged(state).length >= CAPTURE_BOUNDS.maxUnjudged) {
    wait(machine, seq, UNJUDGED_RETRY_MS);
    return;
  }

  const stills = [...request.stills, { seq, atMs: nowMs, state: 'unjudged' as const, evidence: null }];
  const isAnswer = mode === 'coached' && stills.length >= stillsWanted(request.ask, mode);
  machine.state = { ...state, nextSeq: seq + 1 };
  replace(machine, { ...request, stills, state: isAnswer ? 'answered' : 'open' });
  machine.effects.push({ type: 'analyse', seq });
  proceed(machine);
}

function takeEarly(machine: Machine, seq: number): void {
  const earlyStills = machine.state.earlyStills + 1;
  machine.state = { ...machine.state, earlyStills };
  turnDown(machine, seq, 'too_early');
  if (earlyStills % MOST_EARLY === 0) replaceOpen(machine);
}

/** @param evidence null if the still could not be read */
function takeEvidence(machine: Machine, seq: number, evidence: FrameEvidence | null): void {
  const request = machine.state.requests.find(({ stills }) => stills.some((still) => still.seq === seq));
  if (!request) return;
  const look = evidence
    ? lookAt(evidence, request.ask, restingMeasures(machine.state), mayUncover(machine.state))
    : { usable: false, hints: [] };
  const stills = request.stills.map((still) =>
    still.seq === seq
      ? { ...still, evidence, state: look.usable ? ('usable' as const) : ('unusable' as const) }
      : still,
  );
  const isAnswer = machine.state.plan.mode === 'stills' && request.state === 'open' && look.usable;
  replace(machine, { ...request, stills, state: isAnswer ? 'answered' : request.state });
  send(machine, { type: 'judged', seq, ...look });
  if (!evidence) refuse(machine, 'unreadable_frame');
  proceed(machine);
}

/** A guess by colour may be wrong, so it costs a few colours and never the check. */
const mayUncover = ({ requests }: ExchangeState): boolean =>
  requests.flatMap(({ stills }) => stills).filter(({ evidence }) => evidence?.isCovered === true).length <
  MOST_COVERED;

/** Requests the next step, waits for unjudged frames, or ends the capture. */
function proceed(machine: Machine): void {
  const { state } = machine;
  if (state.phase === 'over' || openRequest(state)) return;
  if (state.plan.claim && isClaimInDoubt(state, state.plan.claim))
    machine.state = { ...state, plan: { ...state.plan, claim: undefined } };
  const ask = nextAsk(machine.state, machine.random);
  if (ask) {
    sendRequest(machine, ask);
    return;
  }
  if (unjudged(state).length === 0) {
    settle(machine);
  } else if (state.phase === 'asking') {
    machine.state = { ...machine.state, phase: 'checking' };
    send(machine, { type: 'checking' });
  }
}

function settle(machine: Machine): void {
  machine.state = { ...machine.state, phase: 'over' };
  machine.effects.push({ type: 'settle' });
}

function sendRequest(machine: Machine, ask: Ask): void {
  const { plan, requests } = machine.state;
  const isFound = requests.some(({ stills }) => stills.length > 0);
  const { opensMs, closesMs } = windowOf(ask, plan, isFound);
  const told = ask.kind === 'step' ? firstTold(machine.state) : undefined;
  const request: AskedRequest = {
    id: requests.length + 1,
    ask,
    askedAtMs: machine.nowMs,
    // People may react to a step from when they were told it.
    opensAtMs: Math.max(machine.nowMs, (told?.askedAtMs ?? machine.nowMs) + opensMs),
    closesAtMs: machine.nowMs + closesMs,
    state: 'open',
    stills: [],
  };
  machine.state = { ...machine.state, phase: 'asking', requests: [...requests, request] };
  announce(machine, request);
}

function announce(machine: Machine, { id, ask, opensAtMs, closesAtMs, stills }: AskedRequest): void {
  const { state, nowMs } = machine;
  const { mode } = state.plan;
  const isAgain = state.requests.some((one) => one.id < id && isSameStep(one.ask, ask));
  const stepsDone = answeredSteps(state).length;
  send(machine, {
    type: 'request',
    id,
    ask: ask.kind,
    ...(ask.kind === 'tint' && { tint: ask.tint, ...(ask.then && { then: ask.then }) }),
    ...(ask.kind === 'step' && { step: ask.step }),
    ...(isAgain && { again: true }),
    stills: Math.max(1, stillsWanted(ask, mode) - stills.length),
    opens_in_ms: Math.max(0, opensAtMs - nowMs),
    closes_in_ms: Math.max(0, closesAtMs - nowMs),
    steps_done: stepsDone,
    steps_expected: Math.max(stepsNeeded(state.plan), stepsDone + (ask.kind === 'step' ? 1 : 0)),
  });
}

const isSameStep = (a: Ask, b: Ask): boolean => a.kind === 'step' && b.kind === 'step' && a.step === b.step;

/** Ends whatever has timed out: the capture, or the open request. */
function lapse(machine: Machine): void {
  const { state, nowMs } = machine;
  if (state.phase === 'over') return;
  const request = openRequest(state);
  if (endsInMs(state, nowMs) === 0) endSlow(machine);
  else if (request && nowMs > request.closesAtMs) replaceOpen(machine);
}

/** Replaces the open request. A partly answered request stays, and its stills are judged. */
function replaceOpen(machine: Machine): void {
  const request = openRequest(machine.state);
  if (!request) return;
  const isAnswered = machine.state.plan.mode === 'coached' && request.stills.length > 0;
  replace(machine, { ...request, state: isAnswered ? 'answered' : 'void' });
  const unanswered = machine.state.requests.filter(({ state }) => state === 'void').length;
  if (unanswered > MOST_VOID) endSlow(machine);
  else proceed(machine);
}

/**
 * Nobody answered for too long. Once a step was shown, that is free only the first time: the next time, what has arrived is
 * judged, so that a page can't wait for steps that it likes. While stills are being judged, only the server is late.
 */
function endSlow(machine: Machine): void {
  const { state } = machine;
  const isPageSlow = hasRevealedStep(state) && state.phase === 'asking';
  if (isPageSlow && state.plan.wasSlow === true) settle(machine);
  else end(machine, { type: 'again', reason: 'too_slow' }, isPageSlow);
}

/** The same request, with the rest of its window: a page gains neither time nor another step by reconnecting. */
function repeatRequest(machine: Machine): void {
  const request = openRequest(machine.state);
  if (request) announce(machine, request);
  else send(machine, { type: 'checking' });
}

function repeatAnswer(machine: Machine, seq: number): void {
  const still = machine.state.requests.flatMap(({ stills }) => stills).find((one) => one.seq === seq);
  if (still?.state === 'unjudged') return;
  send(machine, { type: 'judged', seq, usable: still?.state === 'usable', hints: still ? [] : ['too_late'] });
}

function turnDown(machine: Machine, seq: number, hint: 'too_early' | 'too_late'): void {
  machine.state = { ...machine.state, nextSeq: seq + 1 };
  send(machine, { type: 'judged', seq, usable: false, hints: [hint] });
}

const wait = (machine: Machine, seq: number, retryInMs: number): void =>
  send(machine, { type: 'wait', seq, retry_in_ms: Math.ceil(retryInMs) });

function refuse(machine: Machine, code: CaptureErrorCode): void {
  const faults = machine.state.faults + 1;
  machine.state = { ...machine.state, faults };
  const fatal = faults >= MOST_FAULTS;
  const message = { type: 'error' as const, code, fatal };
  if (fatal) end(machine, message);
  else send(machine, message);
}

function end(machine: Machine, message: ServerMessage, isSlow = false): void {
  machine.state = { ...machine.state, phase: 'over' };
  machine.effects.push({ type: 'end', message, isSlow });
}

const send = ({ effects }: Machine, message: ServerMessage): void =>
  void effects.push({ type: 'send', message });

function replace(machine: Machine, request: AskedRequest): void {
  const requests = machine.state.requests.map((one) => (one.id === request.id ? request : one));
  machine.state = { ...machine.state, requests };
}
