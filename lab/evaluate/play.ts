/** Plays an actor against the live capture's own state machine, with a simulated clock. */
import { createHash } from 'node:crypto';
import type { CaptureRequest } from '../../server/contract/capture.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import {
  advanceCapture,
  beginCapture,
  nextDeadlineMs,
  type ExchangeEffect,
  type ExchangeEvent,
} from '../../server/domain/capture/exchange/exchange.ts';
import { drawOrder } from '../../server/domain/capture/exchange/next-ask.ts';
import { judgeExchange } from '../../server/domain/capture/exchange/judgement.ts';
import {
  needsAttackScore,
  type Claim,
  type ExchangeState,
} from '../../server/domain/capture/exchange/state.ts';
import type { LivenessVerdict } from '../../server/domain/capture/liveness.ts';
import { randomOf } from '../../testing/camera/capture/random.ts';
import type { FramePurpose } from '../../server/face/protocol.ts';
import type { Actor, Shown } from './scene/actor.ts';
import { modeOf, type Condition } from './plan.ts';

/** How a capture ended. */
export type Played = {
  /** Null if the server ended it without a verdict, because nobody answered in time. */
  verdict: LivenessVerdict | null;
  /** The actor had no answer to the last request. */
  hasRunOut: boolean;
  state: ExchangeState;
};

/** From a still's arrival to its evidence, in milliseconds. */
const ANALYSIS_MS = 120;
/** Linear light. */
const MID_GREY = 0.2;
/** Number of draws until the server's request must match a recorded clip. */
const MOST_DRAWS = 150;

export type Playing = {
  actor: Actor;
  condition: Condition;
  seed: number;
  /** As of a phone, whose camera moves with the hand. */
  isHandheld: boolean;
  /** Whom the ticket names. */
  claim?: Claim | undefined;
  /** @returns null for a still that cannot be read */
  measure: (shown: Shown, purpose: FramePurpose) => Promise<FrameEvidence | null>;
};

export async function play({ actor, condition, seed, isHandheld, claim, measure }: Playing): Promise<Played> {
  const mode = modeOf(condition);
  let nowMs = 0;
  let open = null as CaptureRequest | null;
  let ended = null as 'settle' | 'end' | null;
  let hasRunOut = false;
  const fits = (effects: readonly ExchangeEffect[]): boolean => {
    const asked = requestIn(effects);
    return !asked || (actor.fits?.(asked) ?? true);
  };
  // Without the condition: up to where they part, all conditions of a clip show the same stills.
  const drawn = <T extends { effects: ExchangeEffect[] }>(from: (random: (n: number) => number) => T): T => {
    const key = `${seed} ${nowMs}`;
    return drawUntil(fits, key, from) ?? from(randomInt(key, MOST_DRAWS - 1));
  };
  const perform = (effects: readonly ExchangeEffect[]) => {
    open = requestIn(effects) ?? open;
    for (const { type } of effects) if (type === 'settle' || type === 'end') ended = type;
  };
  // A recorded clip is asked for what it shows, which is unlikely to be two movements at once.
  const order =
    mode === 'strict' && !actor.fits
      ? drawOrder({ challenge: mode, mode: 'coached' }, randomInt(`${seed} order`, 0))
      : null;
  const begun = drawn((random) =>
    beginCapture(
      {
        challenge: mode,
        mode: 'coached',
        isCalm: actor.isCalm,
        isHandheld,
        isLightUsual: condition === 'standard_usual_light',
        claim,
        ...(order && { order }),
      },
      { nowMs, random },
    ),
  );
  let { state } = begun;
  perform(begun.effects);
  const dispatch = (event: ExchangeEvent): ExchangeEffect[] => {
    const next = drawn((random) => advanceCapture(state, event, { nowMs, random }));
    ({ state } = next);
    perform(next.effects);
    return next.effects;
  };
  const isOver = () => ended !== null;
  const takeRequest = () => {
    const taken = open;
    open = null;
    return taken;
  };
  const isAsked = () => open !== null;

  for (let request = takeRequest(); request && !isOver(); request = takeRequest()) {
    const askedAtMs = nowMs;
    const shown = actor.answer(request, nowMs);
    if (!shown) {
      hasRunOut = true;
      break;
    }
    for (const still of shown) {
      if (isOver()) break;
      nowMs = Math.max(nowMs, askedAtMs + still.afterMs);
      const seq = state.nextSeq;
      const effects = dispatch({ type: 'still', request: request.id, seq });
      if (!effects.some(({ type }) => type === 'analyse')) continue;
      const measured = await measure(still, needsAttackScore(state, seq) ? 'rest' : 'step');
      const evidence = measured && condition === 'standard_unlit' ? withoutPageLight(measured) : measured;
      nowMs += ANALYSIS_MS;
      dispatch(evidence ? { type: 'judged', seq, evidence } : { type: 'unreadable', seq });
    }
    // Unanswered, or refused: after a time another request follows.
    if (!isAsked() && !isOver()) {
      nowMs = nextDeadlineMs(state) + 1;
      dispatch({ type: 'tick' });
    }
  }

  return { verdict: ended === 'end' ? null : judgeExchange(state), hasRunOut, state };
}

/** As if sunlight drowned out the page's light: one colour in every still. */
function withoutPageLight(evidence: FrameEvidence): FrameEvidence {
  if (!evidence.cues) return evidence;
  const { tones } = evidence.cues;
  const plain = { ...tones, data: new Float32Array(tones.data.length).fill(MID_GREY) };
  return { ...evidence, cues: { ...evidence.cues, skin: [MID_GREY, MID_GREY, MID_GREY], tones: plain } };
}

export const requestsIn = (effects: readonly ExchangeEffect[]): CaptureRequest[] =>
  effects.flatMap((effect) =>
    effect.type === 'send' && effect.message.type === 'request' ? effect.message : [],
  );

/** A still as it is, at once. */
export const shownAs = (jpeg: Buffer): Shown => ({
  afterMs: 0,
  key: createHash('sha256').update(jpeg).digest('hex'),
  take: async () => jpeg,
});

const requestIn = (effects: readonly ExchangeEffect[]): CaptureRequest | undefined =>
  requestsIn(effects).at(-1);

/**
 * The machine is pure, so a request that the clip cannot answer is drawn again.
 * @param from the machine's next state under these random numbers
 * @returns null if no draw fits
 */
export function drawUntil<T extends { effects: ExchangeEffect[] }>(
  fits: (effects: readonly ExchangeEffect[]) => boolean,
  key: string,
  from: (random: (n: number) => number) => T,
): T | null {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const tried = from(randomInt(key, draw));
    if (fits(tried.effects)) return tried;
  }
  return null;
}

function randomInt(key: string, draw: number): (n: number) => number {
  let hash = 2166136261;
  for (const char of `${key} ${draw}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  const random = randomOf(hash);
  return (n) => Math.floor(random.between(0, n));
}
