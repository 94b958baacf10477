/** The state of a capture. */
import type { CaptureMode } from '../../../contract/capture.ts';
import type { LivenessStep, Tint } from '../../../contract/flow.ts';
import type { AttackThresholds } from '../attack/weights.ts';
import type { ChallengeMode } from '../../companies/verification-config.ts';
import type { FrameEvidence } from '../evidence.ts';

/** `then`: the step that follows a tint. People read it while the camera takes the tint's still. */
export type Ask = { kind: 'tint'; tint: Tint; then?: LivenessStep } | { kind: 'step'; step: LivenessStep };

/** Whose face to expect: the ticket's guest. */
export type Claim = {
  personId: string;
  /** Of unit length. */
  vector: Float32Array;
  /** Cosine from which the resting face is this person's. */
  least: number;
};

export type ExchangePlan = {
  challenge: ChallengeMode;
  mode: CaptureMode;
  /** The page changes its colours slowly. */
  isCalm: boolean;
  isHandheld: boolean;
  /** The order of the session's steps. Without one, as in the lab, each step is drawn when it is asked for. */
  order?: readonly LivenessStep[];
  /** Clean steps beyond the usual ones. Defaults to none. */
  moreSteps?: number;
  /** An earlier capture of the session took too long after a step was shown. Defaults to no. */
  wasSlow?: boolean;
  /** With one, fewer tints and steps are enough. Left out from the first doubt on: the full check follows. */
  claim?: Claim | undefined;
  /** The page's light is usually seen at this kiosk, or with this verification. Defaults to no. */
  isLightUsual?: boolean;
  /** The installation's threshold. Defaults to the fitted one. */
  attackThresholds?: AttackThresholds | undefined;
};

export type ExchangeStill = {
  seq: number;
  atMs: number;
  state: 'unjudged' | 'usable' | 'unusable';
  /** Null until judged, and for a still that could not be read. */
  evidence: FrameEvidence | null;
};

export type AskedRequest = {
  id: number;
  ask: Ask;
  askedAtMs: number;
  opensAtMs: number;
  closesAtMs: number;
  /** `void`: nobody answered in time. A step is then asked for again, and if it is never seen it leaves a doubt. */
  state: 'open' | 'answered' | 'void';
  stills: readonly ExchangeStill[];
};

export type ExchangeState = {
  plan: ExchangePlan;
  /** `checking`: all stills have arrived, some are not judged yet. `over`: nothing more happens. */
  phase: 'asking' | 'checking' | 'over';
  startedAtMs: number;
  /** In the order in which they were sent. Only the last can be open. */
  requests: readonly AskedRequest[];
  nextSeq: number;
  /** Stills that arrived sooner than a person can answer. */
  earlyStills: number;
  /** Messages that broke the protocol. */
  faults: number;
};

export function openRequest({ requests }: ExchangeState): AskedRequest | undefined {
  const last = requests.at(-1);
  return last?.state === 'open' ? last : undefined;
}

/** Whether a step was shown. From then on, a restart would be a second chance. */
export const hasRevealedStep = ({ requests }: ExchangeState): boolean =>
  requests.some(({ ask }) => ask.kind === 'step' || ask.then !== undefined);

/** The first step, if a tint's request told it before it is asked for, and when. */
export function firstTold({
  requests,
}: ExchangeState): { step: LivenessStep; askedAtMs: number } | undefined {
  if (requests.some(({ ask }) => ask.kind === 'step')) return undefined;
  return requests.flatMap(({ ask, askedAtMs }) =>
    ask.kind === 'tint' && ask.then ? { step: ask.then, askedAtMs } : [],
  )[0];
}

/** The median of the attack model's scores of three resting stills needs no fourth, which takes a fifth of a still's time. */
const SCORED_STILLS = 3;

/** Whether the attack model looks at a still: at rest, unless enough stills before it are scored or about to be. */
export function needsAttackScore({ requests }: ExchangeState, seq: number): boolean {
  const tints = requests.filter(({ ask }) => ask.kind === 'tint');
  const of = tints.findIndex(({ stills }) => stills.some((still) => still.seq === seq));
  return of !== -1 && tints.slice(0, of).filter(mayShow).length < SCORED_STILLS;
}

export const unjudged = ({ requests }: ExchangeState): ExchangeStill[] => unjudgedOf(requests);

export const unjudgedOf = (requests: readonly AskedRequest[]): ExchangeStill[] =>
  requests.flatMap(({ stills }) => stills.filter(({ state }) => state === 'unjudged'));

/** A still shows the step, or may turn out to. */
const mayShow = ({ stills }: AskedRequest): boolean => stills.some(({ state }) => state !== 'unusable');

/**
 * The steps that no still shows although their requests are over, and how often each was asked for: nobody answered, or
 * the stills that answered show something else.
 */
export function unseenSteps({ requests }: ExchangeState): { step: LivenessStep; times: number }[] {
  const steps = requests.flatMap((request) =>
    request.ask.kind === 'step' ? [{ step: request.ask.step, request }] : [],
  );
  return [...Map.groupBy(steps, ({ step }) => step)].flatMap(([step, asked]) =>
    asked.some(({ request }) => request.state === 'open' || mayShow(request))
      ? []
      : [{ step, times: asked.length }],
  );
}

export const answeredSteps = ({ requests }: ExchangeState): AskedRequest[] =>
  requests.filter(({ ask, state }) => ask.kind === 'step' && state === 'answered');
