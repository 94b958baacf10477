/** The fast lane: what is enough while nothing is in doubt, and what every doubt leads to. */
import { describe, expect, test } from 'vitest';
import type { LivenessStep, Tint } from '../../../contract/flow.ts';
import { TINT_LIGHT } from '../attack/tints.ts';
import type { FrameEvidence } from '../evidence.ts';
import { doing, madeUpFrame } from '../liveness.fixture.ts';
import { advanceCapture, beginCapture, type ExchangeEvent } from './exchange.ts';
import { doubtOf, judgeExchange } from './judgement.ts';
import { drawOrder } from './next-ask.ts';
import { stepsNeeded, type Ask } from './requests.ts';
import type { ExchangePlan } from './state.ts';

const OWN = madeUpFrame().embedding ?? new Float32Array();
const STRANGER = new Float32Array(OWN.length).fill(0);
STRANGER[OWN.length - 1] = 1;
const CLAIM = { personId: 'ada', vector: OWN, least: 0.5 };
const FULL: ExchangePlan = { challenge: 'standard', mode: 'coached', isCalm: false, isHandheld: false };

/** Whose face has this cosine to the claim. */
function facing(cosineToOwn: number): Float32Array {
  const away = Math.sqrt(1 - cosineToOwn ** 2);
  return OWN.map((value, i) => value * cosineToOwn + (STRANGER[i] ?? 0) * away);
}

function lit(tint: Tint, share = 0.2): FrameEvidence {
  const frame = madeUpFrame();
  if (!frame.cues) return frame;
  const [red, green, blue] = frame.cues.skin;
  const [r, g, b] = TINT_LIGHT[tint];
  const skin = [red * (1 + share * r), green * (1 + share * g), blue * (1 + share * b)] as const;
  return { ...frame, cues: { ...frame.cues, skin } };
}

type Guest = {
  /** Null if nobody answers in time. */
  show?: (ask: Ask, place: number) => FrameEvidence | null;
  face?: Float32Array;
  waitsMs?: (ask: Ask) => number;
  plan?: Partial<ExchangePlan>;
};

const honest = (ask: Ask, place: number): FrameEvidence =>
  ask.kind === 'tint' ? lit(ask.tint) : (doing(ask.step)[place] ?? madeUpFrame());

let seed = 11;
const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;

/** Plays a guest to the end. `isFast`: the claim was enough. */
function play({ show = honest, face = OWN, waitsMs = () => 500, plan }: Guest = {}) {
  const whole = { ...FULL, claim: CLAIM, ...plan };
  const order = drawOrder(whole, random);
  let nowMs = 1_000;
  let { state } = beginCapture({ ...whole, order }, { nowMs, random });
  const settled: true[] = [];
  const send = (event: ExchangeEvent) => {
    const next = advanceCapture(state, event, { nowMs, random });
    ({ state } = next);
    if (next.effects.some(({ type }) => type === 'settle')) settled.push(true);
    return next.effects;
  };
  for (let turns = 0; state.phase !== 'over' && turns < 60; turns += 1) {
    const request = state.requests.at(-1);
    if (request?.state !== 'open') break;
    const first = show(request.ask, 0);
    if (first === null) {
      nowMs = request.closesAtMs + 1;
      send({ type: 'tick' });
      continue;
    }
    nowMs = request.opensAtMs - (waitsMs(request.ask) < 0 ? 1 : 0) + Math.max(0, waitsMs(request.ask));
    for (let place = 0; state.requests.at(-1)?.id === request.id && place < 2; place += 1) {
      const seq = state.nextSeq;
      const effects = send({ type: 'still', request: request.id, seq });
      const evidence = show(request.ask, place) ?? first;
      const sha256 = `${seq}`;
      const landmarks = evidence.face?.landmarks.map((value) => value + 0.31 * seq);
      if (effects.some(({ type }) => type === 'analyse'))
        send({
          type: 'judged',
          seq,
          evidence: {
            ...evidence,
            sha256,
            embedding: face,
            face: evidence.face && { ...evidence.face, landmarks: landmarks ?? evidence.face.landmarks },
          },
        });
      nowMs += 120;
      if (state.requests.at(-1)?.state !== 'open') break;
    }
  }
  const asked = (kind: Ask['kind']) => state.requests.filter(({ ask }) => ask.kind === kind).length;
  const verdict = settled.length > 0 ? judgeExchange(state) : null;
  return {
    isFast: state.plan.claim !== undefined,
    tints: asked('tint'),
    steps: state.requests.flatMap(({ ask }): LivenessStep[] => (ask.kind === 'step' ? [ask.step] : [])),
    passed: verdict?.passed ?? false,
    doubt: verdict && doubtOf(state, verdict),
  };
}

test('two tints and one turn are enough for the face of the claim', () => {
  const sides = new Set<string>();
  for (let nth = 0; nth < 20; nth += 1) {
    const { steps, ...rest } = play();
    expect(rest).toEqual({ isFast: true, tints: 2, passed: true, doubt: 'none' });
    expect(steps).toHaveLength(1);
    sides.add(steps[0] ?? '');
  }
  expect([...sides].toSorted()).toEqual(['turn_left', 'turn_right']);
});

test('the strict challenge has the same fast lane, and its own full check', () => {
  expect(play({ plan: { challenge: 'strict' } })).toMatchObject({ isFast: true, tints: 2, passed: true });
  const full = play({ plan: { challenge: 'strict' }, face: STRANGER });
  expect(full).toMatchObject({ isFast: false, tints: 4, passed: true });
  expect(full.steps).toHaveLength(4);
});

describe('the same capture goes on to the full check', () => {
  const noTint = (ask: Ask, place: number) => (ask.kind === 'tint' ? madeUpFrame() : honest(ask, place));
  const lateFor = (kind: Ask['kind'], ms: number) => (ask: Ask) => (ask.kind === kind ? ms : 500);
  test.each<[string, Guest]>([
    ['for a stranger’s face', { face: STRANGER }],
    ['for a near miss', { face: facing(0.49) }],
    ['where the skin does not reflect the page’s light', { show: noTint }],
    ['for a step that comes late', { waitsMs: lateFor('step', 5_000) }],
    ['for a still that came sooner than a person can answer', { waitsMs: lateFor('step', -1) }],
  ])('%s', (_, guest) => {
    const { isFast, tints, steps } = play(guest);
    expect({ isFast, tints }).toEqual({ isFast: false, tints: 4 });
    expect(steps.length).toBeGreaterThanOrEqual(stepsNeeded(FULL));
  });

  test('for a step that was not answered', () => {
    let left = 1;
    const { isFast, steps } = play({
      show: (ask, place) => (ask.kind === 'step' && place === 0 && left-- > 0 ? null : honest(ask, place)),
    });
    expect(isFast).toBe(false);
    expect(steps.length).toBeGreaterThan(stepsNeeded(FULL));
  });
});

test('a face at the threshold is the claim’s', () =>
  expect(play({ face: facing(0.51) })).toMatchObject({ isFast: true, tints: 2 }));

test('a capture without a claim asks for what it always did', () =>
  expect(play({ plan: { claim: undefined } })).toMatchObject({ isFast: false, tints: 4, passed: true }));

test('no doubt can be made up for: what was in doubt once passes the full check or nothing', () => {
  const unseen = new Set<Tint>();
  // The light is unseen in the first two tints, and seen afterwards.
  const late = play({
    show(ask, place) {
      if (ask.kind === 'tint' && unseen.size < 2) unseen.add(ask.tint);
      return ask.kind === 'tint' && unseen.has(ask.tint) ? madeUpFrame() : honest(ask, place);
    },
  });
  expect(late).toMatchObject({ isFast: false, tints: 4 });
  expect(late.steps.length).toBeGreaterThanOrEqual(stepsNeeded(FULL));
});
