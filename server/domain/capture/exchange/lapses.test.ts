/** How often somebody passes who shows recorded steps and lacks the others: the rules alone, with perfect pictures. */
import { expect, test } from 'vitest';
import { LIVENESS_STEPS, type LivenessStep } from '../../../contract/flow.ts';
import { randomOf } from '../../../../testing/camera/capture/random.ts';
import { TINT_LIGHT } from '../attack/tints.ts';
import type { FrameEvidence } from '../evidence.ts';
import { doing, madeUpFrame } from '../liveness.fixture.ts';
import { advanceCapture, beginCapture, nextDeadlineMs, type ExchangeEvent } from './exchange.ts';
import { doubtOf, judgeExchange } from './judgement.ts';
import { drawOrder } from './next-ask.ts';
import { isTurn, stepsNeeded, type Ask } from './requests.ts';

const SCRIPTS = 40;
const DRAWS = 4_000;
const PLAN = { challenge: 'strict', mode: 'coached', isCalm: false, isHandheld: false } as const;

/** What a script does where it lacks the step: nothing, too early stills, a face at rest, or another step of its own. */
const WAYS = ['nothing', 'early', 'rest', 'other'] as const;

const random = randomOf(32);
const draw = (n: number) => Math.floor(random.between(0, n));

function lit(tint: keyof typeof TINT_LIGHT): FrameEvidence {
  const frame = madeUpFrame();
  const { cues } = frame;
  if (!cues) return frame;
  const [red, green, blue] = cues.skin;
  const [r, g, b] = TINT_LIGHT[tint];
  return {
    ...frame,
    cues: { ...cues, skin: [red * (1 + 0.2 * r), green * (1 + 0.2 * g), blue * (1 + 0.2 * b)] },
  };
}

/** So many different steps, of which at least one is a turn, since without one nothing passes. */
function owned(count: number): LivenessStep[] {
  const steps = random.pick(LIVENESS_STEPS, count);
  return steps.some(isTurn) ? [...steps] : owned(count);
}

type Way = (typeof WAYS)[number];

/** @returns whether it passed without a reviewer */
function passes(
  steps: readonly LivenessStep[],
  way: Way,
  order = drawOrder(stepsNeeded(PLAN), draw),
): boolean {
  const plan = { ...PLAN, order };
  let nowMs = 0;
  let { state } = beginCapture(plan, { nowMs, random: draw });
  const send = (event: ExchangeEvent) => {
    const next = advanceCapture(state, event, { nowMs, random: draw });
    ({ state } = next);
    return next.effects.some(({ type }) => type === 'analyse');
  };
  const shown = (ask: Ask, place: number): FrameEvidence | null => {
    if (ask.kind === 'tint') return lit(ask.tint);
    if (steps.includes(ask.step)) return doing(ask.step)[place] ?? null;
    if (way === 'other') return doing(steps[0] ?? ask.step)[place] ?? null;
    return way === 'nothing' ? null : madeUpFrame();
  };
  const isOver = () => state.phase === 'over';
  while (!isOver()) {
    const request = state.requests.at(-1);
    if (!request) break;
    const lacks = request.ask.kind === 'step' && !steps.includes(request.ask.step);
    nowMs += lacks && way === 'early' ? 10 : 1_000;
    for (let place = 0; state.requests.at(-1)?.id === request.id && !isOver(); place += 1) {
      const evidence = shown(request.ask, place);
      if (evidence) {
        const seq = state.nextSeq;
        if (send({ type: 'still', request: request.id, seq })) send({ type: 'judged', seq, evidence });
        nowMs += lacks && way === 'early' ? 10 : 150;
      } else {
        nowMs = nextDeadlineMs(state) + 1;
        send({ type: 'tick' });
      }
    }
  }
  const verdict = judgeExchange(state);
  return verdict.passed && doubtOf(state, verdict) === 'none';
}

/** The steps of a capture without doubts: the first of its order. */
const askedFirst = (order: readonly LivenessStep[]) => order.slice(0, stepsNeeded(PLAN));

test.each(WAYS)(
  'a script that shows %s instead of a step passes only if it has every step asked for',
  (way) => {
    for (let script = 0; script < SCRIPTS; script += 1) {
      const order = drawOrder(stepsNeeded(PLAN), draw);
      const steps = owned(2 + (script % 5));
      const hasAll = askedFirst(order).every((step) => steps.includes(step));
      expect(passes(steps, way, order), `${steps.join(' ')} of ${order.join(' ')}`).toBe(hasAll);
    }
  },
);

test.each([
  [2, 0],
  [3, 0.05],
  [5, 0.25],
])('%i of seven steps are every step asked for in strict mode in at most a share of %d', (count, most) => {
  const lucky = Array.from({ length: DRAWS }, () => {
    const steps = owned(count);
    return askedFirst(drawOrder(stepsNeeded(PLAN), draw)).every((step) => steps.includes(step));
  });
  expect(lucky.filter(Boolean).length / DRAWS).toBeLessThanOrEqual(most);
});

test('a script that has every step passes: only its pictures can give it away', () => {
  expect(passes(LIVENESS_STEPS, 'nothing')).toBe(true);
});

test('leaving and coming back leads to no other steps: the order of a session decides', () => {
  const order = drawOrder(stepsNeeded(PLAN), draw);
  const lacking = LIVENESS_STEPS.filter((step) => step !== order[2]);
  for (let capture = 0; capture < 20; capture += 1) expect(passes(lacking, 'nothing', order)).toBe(false);
});
