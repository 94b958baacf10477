/** The rules of a capture, on synthetic faces. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAPTURE_BOUNDS, type CaptureMode, type ServerMessage } from '../../../contract/capture.ts';
import { DOUBLE_STEP, SINGLE_STEPS, type LivenessStep } from '../../../contract/flow.ts';
import { TINT_LIGHT } from '../attack/tints.ts';
import type { FrameEvidence } from '../evidence.ts';
import { gesturesOf } from '../gestures.ts';
import { doing, madeUpFrame } from '../liveness.fixture.ts';
import {
  advanceCapture,
  beginCapture,
  MOST_FAULTS,
  nextDeadlineMs,
  type ExchangeEffect,
  type ExchangeEvent,
} from './exchange.ts';
import { doubtOf, judgeExchange } from './judgement.ts';
import { lookAt } from './looks.ts';
import { drawOrder, drawStep } from './next-ask.ts';
import { mostSteps, stepsNeeded, type Ask } from './requests.ts';
import { hasRevealedStep, needsAttackScore, type ExchangePlan, type ExchangeState } from './state.ts';

const START_MS = 1_700_000_000_000;
const STANDARD: ExchangePlan = { challenge: 'standard', mode: 'coached', isCalm: false, isHandheld: false };
const STRICT: ExchangePlan = { ...STANDARD, challenge: 'strict' };
const CALM: ExchangePlan = { ...STANDARD, isCalm: true };
const MOST_STEPS = mostSteps(STANDARD);
const STILLS: ExchangePlan = { ...STANDARD, mode: 'stills' };

/** A seeded generator, so that failures can be reproduced. */
function dice() {
  let value = 7;
  return (n: number) => (value = (value * 48_271) % 2_147_483_647) % n;
}

/** A resting face that reflects a tint. */
function lit(tint: keyof typeof TINT_LIGHT, share = 0.2): FrameEvidence {
  const frame = madeUpFrame();
  if (!frame.cues) return frame;
  const [red, green, blue] = frame.cues.skin;
  const [r, g, b] = TINT_LIGHT[tint];
  const skin = [red * (1 + share * r), green * (1 + share * g), blue * (1 + share * b)] as const;
  return { ...frame, cues: { ...frame.cues, skin } };
}

/** The stills of an honest person. */
function honest(ask: Ask, place: number): FrameEvidence {
  switch (ask.kind) {
    case 'tint':
      return lit(ask.tint);
    case 'step':
      return doing(ask.step)[place] ?? madeUpFrame();
  }
}

type Answer = (ask: Ask, place: number) => FrameEvidence | null;

/** A capture driven event by event. */
function session(plan: ExchangePlan) {
  const random = dice();
  let nowMs = START_MS;
  let { state, effects } = beginCapture(plan, { nowMs, random });
  const log: ExchangeEffect[] = [...effects];
  const isOver = () => state.phase === 'over';
  const driver = {
    get state() {
      return state;
    },
    get effects() {
      return log;
    },
    later: (ms: number) => (nowMs += ms),
    send(event: ExchangeEvent): ExchangeEffect[] {
      ({ state, effects } = advanceCapture(state, event, { nowMs, random }));
      log.push(...effects);
      return effects;
    },
    request: () => state.requests.at(-1)!,
    /** Sends one still for the current request, and the engine's result for it. */
    still(evidence: FrameEvidence): ExchangeEffect[] {
      const seq = state.nextSeq;
      const sent = driver.send({ type: 'still', request: driver.request().id, seq });
      const isTaken = sent.some((effect) => effect.type === 'analyse');
      return isTaken ? [...sent, ...driver.send({ type: 'judged', seq, evidence })] : sent;
    },
    /** Answers requests until the capture is over, or until `until` returns true. */
    play(answer: Answer = honest, until: (state: ExchangeState) => boolean = () => false): ExchangeEffect[] {
      while (!isOver() && !until(state)) {
        const { id, ask } = driver.request();
        driver.later(1_000);
        for (let place = 0; driver.request().id === id && !isOver(); place += 1) {
          const evidence = answer(ask, place);
          driver.later(evidence === null ? nextDeadlineMs(state) - nowMs + 1 : 600);
          if (evidence === null) driver.send({ type: 'tick' });
          else driver.still(evidence);
        }
      }
      return log;
    },
  };
  return driver;
}

const messages = (effects: readonly ExchangeEffect[]): ServerMessage[] =>
  effects.flatMap((effect) => (effect.type === 'send' || effect.type === 'end' ? effect.message : []));
const requestsOf = (effects: readonly ExchangeEffect[]) =>
  messages(effects).flatMap((message) => (message.type === 'request' ? message : []));
const stepsOf = ({ requests }: ExchangeState): LivenessStep[] =>
  requests.flatMap(({ ask }) => (ask.kind === 'step' ? ask.step : []));
const isAt = (kind: Ask['kind']) => (state: ExchangeState) => state.requests.at(-1)?.ask.kind === kind;
const settles = (effects: readonly ExchangeEffect[]) => effects.some(({ type }) => type === 'settle');

test('one request at a time: four different tints, then steps, each once the last is answered', () => {
  const run = session(STANDARD);
  expect(requestsOf(run.effects).map(({ ask }) => ask)).toEqual(['tint']);
  run.play();
  const asked = requestsOf(run.effects);
  expect(asked.map(({ ask }) => ask)).toEqual(['tint', 'tint', 'tint', 'tint', 'step', 'step']);
  expect(new Set(asked.flatMap(({ tint }) => tint ?? [])).size).toBe(4);
  expect(judgeExchange(run.state)).toMatchObject({ passed: true, missedSteps: [] });
});

test.each<[string, ExchangePlan, number]>([
  ['standard', STANDARD, 2],
  ['strict', STRICT, 4],
  ['standard without a landmarker', STILLS, 3],
  ['strict without a landmarker', { ...STRICT, mode: 'stills' }, 5],
  [
    'strict without a landmarker, where captures were left too often',
    { ...STRICT, mode: 'stills', moreSteps: 1 },
    6,
  ],
])('%s ends after its clean steps if nothing is in doubt', (_name, plan, steps) => {
  const run = session(plan);
  expect(settles(run.play())).toBe(true);
  expect(stepsOf(run.state)).toHaveLength(steps);
  expect(judgeExchange(run.state).findings).toEqual([]);
});

test('one of the required steps is a turn, no step repeats, and every step occurs in every position', () => {
  const places = new Set<string>();
  for (let round = 0; round < 1_500; round += 1) {
    const steps: LivenessStep[] = [];
    for (let needed = 3; needed > 0; needed -= 1) {
      const step = drawStep(
        { asked: steps, stillNeeded: needed, hasTurn: steps.some((one) => one.startsWith('turn')) },
        (n) => Math.floor(Math.random() * n),
      );
      if (step) steps.push(step);
    }
    expect(steps.some((step) => step === 'turn_left' || step === 'turn_right')).toBe(true);
    expect(new Set(steps).size).toBe(3);
    steps.forEach((step, place) => places.add(`${place} ${step}`));
  }
  expect(places.size).toBe(3 * SINGLE_STEPS.length);
});

describe('the first step, told with the last tint', () => {
  const told = (plan: ExchangePlan) => {
    const run = session(plan);
    run.play(honest, isAt('step'));
    return { run, asked: requestsOf(run.effects) };
  };

  test('is the one that is asked for next, and its time to react runs from then on', () => {
    const { run, asked } = told(STANDARD);
    expect(asked.map(({ then }) => then)).toEqual([
      undefined,
      undefined,
      undefined,
      stepsOf(run.state)[0],
      undefined,
    ]);
    // The tint took longer than anybody needs to react.
    expect(asked.at(-1)).toMatchObject({ opens_in_ms: 0, closes_in_ms: 15_000 });
  });

  test('a still of it counts no sooner after it was told than after any step', () => {
    const run = session(STANDARD);
    run.play(honest, ({ requests }) => requests.length === 4);
    run.later(200);
    run.still(honest(run.request().ask, 0));
    const opensMs = run.request().opensAtMs - run.state.requests[3]!.askedAtMs;
    expect([350, 450, 600]).toContain(opensMs);
    expect(messages(run.still(madeUpFrame()))).toMatchObject([{ hints: ['too_early'] }]);
  });

  test('stays the same if that tint is asked for again', () => {
    const run = session(STANDARD);
    run.play((ask, place) =>
      ask.kind === 'tint' && ask.then && run.request().id === 4
        ? madeUpFrame({ yawDeg: 25 })
        : honest(ask, place),
    );
    const asked = requestsOf(run.effects);
    const [step] = asked.flatMap(({ then }) => then ?? []);
    expect(asked.find(({ ask }) => ask === 'step')?.step).toBe(step);
    expect(asked.filter(({ then }) => then)).toHaveLength(1);
  });

  test('was shown: leaving after it is counted', () => {
    const run = session(STANDARD);
    run.play(honest, ({ requests }) => requests.length === 3);
    expect(hasRevealedStep(run.state)).toBe(false);
    run.play(honest, ({ requests }) => requests.length === 4);
    expect(hasRevealedStep(run.state)).toBe(true);
  });

  test.each([CALM, STILLS])('is told with no slow tint, and to no page without a landmarker', (plan) => {
    expect(told(plan).asked.some(({ then }) => then !== undefined)).toBe(false);
  });
});

test('the next request is sent as soon as the last still arrives, before it is judged', () => {
  const run = session(STANDARD);
  run.later(500);
  const sent = run.send({ type: 'still', request: 1, seq: 0 });
  expect(sent.map(({ type }) => type)).toEqual(['analyse', 'send']);
  expect(run.request().id).toBe(2);
});

test('the first tint waits until a person arrives; the others have a time window of seconds', () => {
  const run = session(STANDARD);
  run.later(40_000);
  run.still(honest(run.request().ask, 0));
  expect(requestsOf(run.effects).map(({ closes_in_ms: closesInMs }) => closesInMs)).toEqual([45_000, 10_000]);
});

test('a doubt that is certain at rest requests its step before the last stills are judged', () => {
  const lastSteps = (answer: Answer) => {
    const run = session(STANDARD);
    run.play(answer, (state) => stepsOf(state).length === 2);
    run.later(1_000);
    const { id } = run.request();
    const seq = run.state.nextSeq;
    run.send({ type: 'still', request: id, seq });
    return messages(run.send({ type: 'still', request: id, seq: seq + 1 })).map(({ type }) => type);
  };
  const unlit: Answer = (ask, place) => (ask.kind === 'tint' ? madeUpFrame() : honest(ask, place));
  expect([lastSteps(honest), lastSteps(unlit)]).toEqual([['checking'], ['request']]);
});

test('the attack model looks at three resting stills, and at a fourth if one of them is of no use', () => {
  const looksAt = (unusable: number | null) => {
    const run = session(STANDARD);
    const scored: boolean[] = [];
    run.play((ask, place) => {
      if (ask.kind === 'tint') scored.push(scored.length === unusable);
      const isUseless = ask.kind === 'tint' && scored.length - 1 === unusable;
      return isUseless ? madeUpFrame({ yawDeg: 25 }) : honest(ask, place);
    });
    const stills = run.state.requests.flatMap((request) => request.stills);
    return stills.map(({ seq }) => needsAttackScore(run.state, seq));
  };
  expect(looksAt(null)).toEqual([true, true, true, false, false, false, false, false]);
  expect(looksAt(1)).toEqual([true, true, true, true, false, false, false, false, false]);
});

test('the verdict waits for stills that are still being judged', () => {
  const run = session(STANDARD);
  run.play(honest, (state) => stepsOf(state).length === 2);
  run.later(1_000);
  const { id, ask } = run.request();
  const seq = run.state.nextSeq;
  run.send({ type: 'still', request: id, seq });
  const last = run.send({ type: 'still', request: id, seq: seq + 1 });
  expect(messages(last)).toEqual([{ type: 'checking' }]);
  run.send({ type: 'judged', seq, evidence: honest(ask, 0) });
  expect(settles(run.effects)).toBe(false);
  expect(settles(run.send({ type: 'judged', seq: seq + 1, evidence: honest(ask, 1) }))).toBe(true);
});

test('time that ends while stills are being judged is not the person’s: it costs nothing, not even the second time', () => {
  const run = session({ ...STANDARD, wasSlow: true });
  run.play(honest, (state) => stepsOf(state).length === 2);
  run.later(1_000);
  const { id } = run.request();
  const seq = run.state.nextSeq;
  run.send({ type: 'still', request: id, seq });
  expect(messages(run.send({ type: 'still', request: id, seq: seq + 1 }))).toEqual([{ type: 'checking' }]);
  run.later(120_000);
  expect(run.send({ type: 'tick' })).toEqual([
    { type: 'end', message: { type: 'again', reason: 'too_slow' }, isSlow: false },
  ]);
});

describe('time windows, by the server’s clock', () => {
  test('a still that arrives before a person can have reacted does not count', () => {
    const run = session(CALM);
    run.play(honest, isAt('step'));
    const { id } = run.request();
    const early = run.still(madeUpFrame());
    expect(messages(early)).toEqual([{ type: 'judged', seq: 4, usable: false, hints: ['too_early'] }]);
    expect(run.request()).toMatchObject({ id, stills: [] });
  });

  test('a step that is not done in time is asked for again, and its late still does not count', () => {
    const run = session(STANDARD);
    run.play(honest, isAt('step'));
    const { id, closesAtMs } = run.request();
    expect(nextDeadlineMs(run.state)).toBe(closesAtMs);
    run.later(20_000);
    const [step] = stepsOf(run.state);
    expect(requestsOf(run.send({ type: 'tick' }))).toMatchObject([{ id: id + 1, step, again: true }]);
    const late = run.send({ type: 'still', request: id, seq: run.state.nextSeq });
    expect(messages(late)).toMatchObject([{ type: 'judged', usable: false, hints: ['too_late'] }]);
  });

  test('with nobody at the camera the capture ends in a restart, without a verdict', () => {
    const run = session(STANDARD);
    run.play((ask, place) => (ask.kind === 'step' ? null : honest(ask, place)));
    expect(run.effects.at(-1)).toEqual({
      type: 'end',
      message: { type: 'again', reason: 'too_slow' },
      isSlow: true,
    });
  });

  test('a capture that nobody answers before a step is shown costs nothing, however often', () => {
    const run = session({ ...STANDARD, wasSlow: true });
    run.play(() => null);
    expect(run.effects.at(-1)).toMatchObject({ type: 'end', isSlow: false });
  });

  test('the second capture of a session that takes too long after a step is judged on what arrived', () => {
    const run = session({ ...STANDARD, wasSlow: true });
    expect(settles(run.play((ask, place) => (ask.kind === 'step' ? null : honest(ask, place))))).toBe(true);
    expect(judgeExchange(run.state)).toMatchObject({ passed: false, personFindings: ['step_missed'] });
  });
});

describe('doubt', () => {
  const picture = (ask: Ask, place: number): FrameEvidence => ({
    ...(ask.kind === 'tint' ? madeUpFrame() : honest(ask, place)),
    genuineScore: 0.02,
  });

  test('requests one more step at a time, up to five, without giving a reason', () => {
    const run = session(STANDARD);
    expect(settles(run.play(picture))).toBe(true);
    expect(stepsOf(run.state)).toHaveLength(MOST_STEPS);
    expect(judgeExchange(run.state).findings).toContain('presentation_attack');
    const hints = messages(run.effects).flatMap((message) =>
      message.type === 'judged' ? message.hints : [],
    );
    expect(hints).toEqual([]);
  });

  test.each<[string, number, Answer]>([
    [
      'the page’s light unseen',
      3,
      (ask, place) => (ask.kind === 'tint' ? madeUpFrame() : honest(ask, place)),
    ],
    ['light too dim for the attack model', 1, (ask, place) => ({ ...honest(ask, place), brightness: 50 })],
    ['a poor picture', 1, (ask, place) => ({ ...honest(ask, place), contrast: 10 })],
  ])('%s costs %i more steps in standard mode, and no more', (_name, more, answer) => {
    const run = session(STANDARD);
    run.play(answer);
    expect(stepsOf(run.state)).toHaveLength(2 + more);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(doubtOf(run.state, judgeExchange(run.state))).toBe('none');
  });

  test.each<[string, ExchangePlan, number]>([
    ['standard', STANDARD, 0],
    ['standard without a landmarker', STILLS, 0],
    ['standard, where captures were left too often', { ...STANDARD, moreSteps: 1 }, 0],
    ['strict, where it is barely seen', STRICT, 0.024],
  ])('unseen light costs as many steps as there are, and leaves no doubt: %s', (_name, plan, share) => {
    const run = session(plan);
    run.play((ask, place) => (ask.kind === 'tint' ? lit(ask.tint, share) : honest(ask, place)));
    expect(stepsOf(run.state)).toHaveLength(mostSteps(plan));
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(doubtOf(run.state, judgeExchange(run.state))).toBe('none');
  });

  const isLeft = ({ state }: ReturnType<typeof session>) => doubtOf(state, judgeExchange(state)) !== 'none';

  test.each<[string, boolean, number, boolean]>([
    ['unseen', false, 6_000, true],
    ['unseen', false, 3_500, false],
    ['seen', true, 6_000, false],
  ])(
    'in %s light (%s), steps that come %i ms late on average: a doubt remains: %s',
    (_light, isLit, lateMs, isDoubt) => {
      const run = session(STANDARD);
      run.play((ask, place) => {
        // The driver has waited 1.6 s, and a step opens after 0.35 to 0.6 s.
        if (ask.kind === 'step' && place === 0) run.later(lateMs - 1_150);
        return ask.kind === 'tint' && !isLit ? madeUpFrame() : honest(ask, place);
      });
      expect(judgeExchange(run.state).passed).toBe(true);
      expect(isLeft(run)).toBe(isDoubt);
    },
  );

  test('where the page’s light is usually seen, unseen light leaves a doubt after five steps', () => {
    const unlit: Answer = (ask, place) => (ask.kind === 'tint' ? madeUpFrame() : honest(ask, place));
    const run = session({ ...STANDARD, isLightUsual: true });
    run.play(unlit);
    expect(stepsOf(run.state)).toHaveLength(MOST_STEPS);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(true);
    expect(doubtOf(run.state, judgeExchange(run.state))).toBe('light');
    const suspicious = session({ ...STANDARD, isLightUsual: true });
    suspicious.play((ask, place) => {
      const evidence = unlit(ask, place);
      return evidence && { ...evidence, genuineScore: 0.19 };
    });
    expect(doubtOf(suspicious.state, judgeExchange(suspicious.state))).toBe('other');
    const lit = session({ ...STANDARD, isLightUsual: true });
    lit.play();
    expect(stepsOf(lit.state)).toHaveLength(2);
    expect(isLeft(lit)).toBe(false);
  });

  test('if the attack model sees a picture at rest, a doubt remains after five steps, in any light', () => {
    const run = session(STANDARD);
    run.play((ask, place) => ({ ...honest(ask, place), genuineScore: 0.19 }));
    expect(stepsOf(run.state)).toHaveLength(MOST_STEPS);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(true);
  });

  test.each<[string, ExchangePlan, Partial<Parameters<typeof madeUpFrame>[0]>, boolean]>([
    ['looks up', STANDARD, { pitchDeg: 14 }, true],
    ['opens the mouth', STANDARD, { mouthGap: 0.3 }, true],
    ['looks up, without a landmarker', STILLS, { pitchDeg: 14 }, true],
    ['blinks', STANDARD, { eyesOpen: 0.65 }, false],
    ['smiles', STANDARD, { smile: 0.1 }, false],
    ['comes closer', STANDARD, { size: 1.38 }, false],
  ])(
    'a face that %s unprompted: the doubt that remains is that of the table',
    (_name, plan, look, isDoubt) => {
      const run = session(plan);
      let answered = 0;
      run.play((ask, place) => {
        const isAsked = ask.kind === 'step' && /look_up|open_mouth/.test(ask.step);
        if (ask.kind !== 'step' || isAsked || answered > 1) return honest(ask, place);
        answered += 1;
        return madeUpFrame(look);
      });
      expect(judgeExchange(run.state).passed).toBe(true);
      expect(isLeft(run)).toBe(isDoubt);
    },
  );

  test.each<[string, number, boolean]>([
    ['a mouth open in one still is speech', 1, false],
    ['a mouth open in two stills in a row leaves a doubt', 2, true],
  ])('without a landmarker, %s', (_name, stills, isDoubt) => {
    const run = session(STILLS);
    let spoken = 0;
    run.play((ask, place) => {
      if (ask.kind !== 'step' || ask.step === 'open_mouth' || spoken === stills) return honest(ask, place);
      spoken += 1;
      return madeUpFrame({ mouthGap: 0.3 });
    });
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(isDoubt);
  });

  test('one of two movements at once is half of it, and leaves no doubt once both are done', () => {
    const order = ['blink', DOUBLE_STEP, 'turn_left', 'smile', 'open_mouth'] as const;
    const run = session({ ...STRICT, order });
    run.play((ask, place) =>
      ask.kind === 'step' && ask.step === DOUBLE_STEP && !requestsOf(run.effects).at(-1)?.again
        ? doing('look_up')[place]!
        : honest(ask, place),
    );
    expect(stepsOf(run.state)).toEqual(['blink', DOUBLE_STEP, 'turn_left', DOUBLE_STEP, 'smile']);
    expect(doubtOf(run.state, judgeExchange(run.state))).toBe('none');
  });

  test('turning to the wrong side is a mistake, and leaves no doubt', () => {
    const run = session(STANDARD);
    let isMistaken = false;
    run.play((ask, place) => {
      if (isMistaken || ask.kind !== 'step' || !ask.step.startsWith('turn')) return honest(ask, place);
      isMistaken = place === 1;
      return madeUpFrame({ yawDeg: ask.step === 'turn_left' ? -20 : 20 });
    });
    expect(isLeft(run)).toBe(false);
  });

  const isTurn = (ask: Ask) => ask.kind === 'step' && ask.step.startsWith('turn');

  test.each<[string, Answer]>([
    ['not shown', (ask, place) => (isTurn(ask) ? madeUpFrame() : honest(ask, place))],
    ['not answered', (ask, place) => (isTurn(ask) ? null : honest(ask, place))],
  ])('if a turn is %s, the other follows, and without either a doubt remains', (_name, answer) => {
    const run = session(STANDARD);
    run.play(answer);
    expect(stepsOf(run.state)).toEqual(expect.arrayContaining(['turn_left', 'turn_right']));
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(true);
  });

  const asks = ({ state }: ReturnType<typeof session>, { step }: Extract<Ask, { kind: 'step' }>): number =>
    stepsOf(state).filter((one) => one === step).length;

  test('two steps that were not shown the first time leave a doubt if the page waits for each', () => {
    const missing = (most: number) => {
      const run = session(STANDARD);
      const missed = new Set<LivenessStep>();
      run.play((ask, place) => {
        if (ask.kind !== 'step') return honest(ask, place);
        if (missed.size < most) missed.add(ask.step);
        return missed.has(ask.step) && asks(run, ask) === 1 ? madeUpFrame() : honest(ask, place);
      });
      return isLeft(run);
    };
    expect([missing(1), missing(2)]).toEqual([false, true]);
  });

  /** Whether it asks for the capture's first step, for the so-manieth time at most. */
  const isFirst = (ask: Ask, run: ReturnType<typeof session>, times: number): boolean =>
    ask.kind === 'step' && ask.step === stepsOf(run.state)[0] && asks(run, ask) <= times;

  test.each<[string, FrameEvidence | null]>([
    ['answered in time', null],
    ['seen in its stills', madeUpFrame()],
  ])('a step that is not %s is asked for again, and seen then it leaves no doubt', (_name, shown) => {
    const run = session(STANDARD);
    run.play((ask, place) => (isFirst(ask, run, 1) ? shown && madeUpFrame() : honest(ask, place)));
    const [first, ...others] = stepsOf(run.state);
    expect([others.includes(first!), others.length]).toEqual([true, 2]);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(false);
  });

  test.each<[string, ExchangePlan, FrameEvidence | null]>([
    ['answered in time', STANDARD, null],
    ['seen in its stills', STANDARD, madeUpFrame()],
    ['answered in time, without a landmarker', STILLS, null],
    ['seen in its stills, without a landmarker', STILLS, madeUpFrame()],
    ['answered in time, on a calm page', { ...STANDARD, isCalm: true }, null],
  ])('a step that is three times not %s leaves a doubt that no other step removes', (_name, plan, shown) => {
    const run = session(plan);
    run.play((ask, place) => (isFirst(ask, run, 3) ? shown && madeUpFrame() : honest(ask, place)));
    expect(judgeExchange(run.state)).toMatchObject({ passed: true, personFindings: [] });
    expect(isLeft(run)).toBe(true);
  });

  test('a step that was twice not seen is asked for a last time if nothing else is missing, and seen then it leaves no doubt', () => {
    const run = session(STANDARD);
    run.play((ask, place) => (isFirst(ask, run, 2) ? null : honest(ask, place)));
    const steps = stepsOf(run.state);
    expect([steps.at(-1), steps.filter((step) => step === steps[0]).length]).toEqual([steps[0], 3]);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(false);
  });

  test.each<[string, LivenessStep[], 'none' | 'other', number]>([
    ['the next step makes up for it, and it is not asked for again', ['blink'], 'none', 2],
    ['nothing makes up for it if it is not the only one', ['blink', 'smile'], 'other', 2],
    ['nothing makes up for a turn, which is asked for a third time', ['turn_left'], 'other', 3],
  ])('a step that nobody answered, beside two movements at once: %s', (_what, lost, doubt, times) => {
    const order = [
      'blink',
      DOUBLE_STEP,
      'smile',
      'turn_left',
      'open_mouth',
      'turn_right',
      'look_up',
    ] as const;
    const run = session({ ...STRICT, order });
    run.play((ask, place) => (ask.kind === 'step' && lost.includes(ask.step) ? null : honest(ask, place)));
    expect(doubtOf(run.state, judgeExchange(run.state))).toBe(doubt);
    expect(stepsOf(run.state).filter((step) => step === lost[0])).toHaveLength(times);
  });

  test('a capture that would not pass anyway asks for no step a third time', () => {
    const run = session(STANDARD);
    run.play((ask, place) => {
      if (isFirst(ask, run, 2)) return null;
      return { ...honest(ask, place), genuineScore: 0.19 };
    });
    expect(stepsOf(run.state).filter((step) => step === stepsOf(run.state)[0])).toHaveLength(2);
    expect(isLeft(run)).toBe(true);
  });

  test('a step that only early stills answer leaves a doubt', () => {
    const run = session(CALM);
    run.play(honest, isAt('step'));
    const [first] = stepsOf(run.state);
    const sendEarly = () => {
      const { id } = run.request();
      while (run.request().id === id && run.state.phase !== 'over') run.still(madeUpFrame());
    };
    sendEarly();
    sendEarly();
    run.play(honest, (state) => stepsOf(state).filter((step) => step === first).length === 3);
    sendEarly();
    run.play();
    expect(stepsOf(run.state).filter((step) => step === first)).toHaveLength(3);
    expect(judgeExchange(run.state).passed).toBe(true);
    expect(isLeft(run)).toBe(true);
  });

  test('a person who does none of the steps is told after five', () => {
    const run = session(STANDARD);
    run.play((ask, place) => (ask.kind === 'step' ? madeUpFrame() : honest(ask, place)));
    expect(new Set(stepsOf(run.state)).size).toBe(MOST_STEPS);
    expect(judgeExchange(run.state)).toMatchObject({ passed: false, personFindings: ['step_missed'] });
  });
});

test('a tint is requested again if the face in its still cannot be compared', () => {
  const run = session(STANDARD);
  let spoilt = 0;
  run.play((ask, place) =>
    ask.kind === 'tint' && spoilt++ === 1 ? madeUpFrame({ yawDeg: 25 }) : honest(ask, place),
  );
  expect(requestsOf(run.effects).filter(({ ask }) => ask === 'tint')).toHaveLength(5);
  expect(judgeExchange(run.state).passed).toBe(true);
});

test('a face that seems covered gets three colours more, and is never refused for it', () => {
  const run = session(STANDARD);
  run.play((ask, place) => ({ ...honest(ask, place), isCovered: true }));
  const asked = requestsOf(run.effects);
  expect(asked.filter(({ ask }) => ask === 'tint')).toHaveLength(7);
  expect(
    messages(run.effects).filter((message) => 'hints' in message && message.hints[0] === 'face_covered'),
  ).toHaveLength(3);
  expect(judgeExchange(run.state).passed).toBe(true);
});

test('a face that cannot be compared with itself at rest gets the reason, and no steps', () => {
  const run = session(STANDARD);
  expect(settles(run.play(() => madeUpFrame({}, { brightness: 20 })))).toBe(true);
  expect(stepsOf(run.state)).toEqual([]);
  expect(judgeExchange(run.state)).toMatchObject({ passed: false, personFindings: ['too_dark'] });
});

test('hints describe the picture', () => {
  const cases: [Partial<FrameEvidence>, string][] = [
    [{ face: null, embedding: null }, 'no_face'],
    [{ faceCount: 2 }, 'several_faces'],
    [{ brightness: 20 }, 'too_dark'],
    [{ brightness: 240 }, 'too_bright'],
    [{ sharpness: 5 }, 'blurred'],
  ];
  for (const [change, hint] of cases) {
    const run = session(STANDARD);
    run.later(500);
    expect(messages(run.still(madeUpFrame({}, change)))).toContainEqual({
      type: 'judged',
      seq: 0,
      usable: false,
      hints: [hint],
    });
  }
});

test.each([
  [12, { usable: false, hints: ['more'] }],
  [16, { usable: true, hints: [] }],
  [34, { usable: true, hints: [] }],
  [38, { usable: false, hints: ['less'] }],
])('a still of a turn shows 15° to 35°: %i°', (yawDeg, look) => {
  const { face } = madeUpFrame();
  const neutral = face && gesturesOf(face);
  expect(lookAt(madeUpFrame({ yawDeg }), { kind: 'step', step: 'turn_left' }, neutral)).toEqual(look);
});

test.each([
  [4, { usable: false, hints: ['more'] }],
  [12, { usable: true, hints: [] }],
  [29, { usable: true, hints: [] }],
  [32, { usable: false, hints: ['less'] }],
])('a still of a lifted head shows 6° to 30°: %i°', (pitchDeg, look) => {
  const { face } = madeUpFrame();
  const neutral = face && gesturesOf(face);
  expect(lookAt(madeUpFrame({ pitchDeg }), { kind: 'step', step: 'look_up' }, neutral)).toEqual(look);
});

test.each([
  ['smile', { pitchDeg: 33, smile: 0.1 }, { usable: true, hints: [] }],
  ['look_up', { pitchDeg: 42 }, { usable: true, hints: [] }],
  ['look_up', { pitchDeg: 46 }, { usable: false, hints: ['less'] }],
] as const)('a camera that looks up at a resting face by 33° sees %s', (step, changed, look) => {
  const { face } = madeUpFrame({ pitchDeg: 33 });
  const neutral = face && gesturesOf(face);
  expect(lookAt(madeUpFrame(changed), { kind: 'step', step }, neutral)).toEqual(look);
});

describe('without a landmarker', () => {
  test('who sends a still each second and lacks two steps gets a verdict: it is in doubt, and no limit of stills ends it', () => {
    const run = session(STILLS);
    run.play(honest, isAt('step'));
    const lacking = new Set<LivenessStep>();
    run.play((ask, place) => {
      run.later(400);
      if (ask.kind === 'step' && lacking.size < 2) lacking.add(ask.step);
      return ask.kind === 'step' && lacking.has(ask.step) ? madeUpFrame() : honest(ask, place);
    });
    expect(run.effects.at(-1)).toEqual({ type: 'settle' });
    const verdict = judgeExchange(run.state);
    expect(verdict.passed).toBe(true);
    expect(doubtOf(run.state, verdict)).toBe('other');
  });

  test('the server continues when a still shows the requested step, and gives hints until then', () => {
    const run = session(STILLS);
    run.later(1_000);
    expect(messages(run.still(madeUpFrame({ yawDeg: 30 })))).toEqual([
      { type: 'judged', seq: 0, usable: false, hints: ['look_straight'] },
    ]);
    run.later(1_000);
    expect(requestsOf(run.still(madeUpFrame()))).toMatchObject([{ ask: 'tint', stills: 1 }]);
    run.play(honest, isAt('step'));
    run.later(1_000);
    const { id } = run.request();
    run.still(madeUpFrame());
    expect(run.request().id).toBe(id);
  });

  test('accepts no more than about one still a second', () => {
    const run = session(STILLS);
    run.later(1_000);
    run.still(madeUpFrame({ yawDeg: 30 }));
    run.later(100);
    expect(messages(run.still(madeUpFrame()))).toEqual([{ type: 'wait', seq: 1, retry_in_ms: 400 }]);
  });

  test('another person’s still during a step counts, even if it did not show the step', () => {
    const run = session(STILLS);
    let strangers = 0;
    run.play((ask, place) =>
      ask.kind === 'step' && strangers++ === 0
        ? madeUpFrame({}, { embedding: Float32Array.of(0, 1, 0, 0) })
        : honest(ask, place),
    );
    expect(judgeExchange(run.state).findings).toContain('self_mismatch');
  });
});

describe('a page that misbehaves', () => {
  test('stills beyond the limit of those waiting for judgement are deferred', () => {
    const run = session(STANDARD);
    for (let seq = 0; seq < CAPTURE_BOUNDS.maxUnjudged; seq += 1) {
      run.later(500);
      run.send({ type: 'still', request: run.request().id, seq });
    }
    run.later(1_000);
    const put = run.send({ type: 'still', request: run.request().id, seq: CAPTURE_BOUNDS.maxUnjudged });
    expect(messages(put)).toMatchObject([{ type: 'wait', seq: CAPTURE_BOUNDS.maxUnjudged }]);
    expect(run.state.nextSeq).toBe(CAPTURE_BOUNDS.maxUnjudged);
  });

  test('a still that arrives twice is judged once', () => {
    const run = session(STANDARD);
    run.later(500);
    run.still(madeUpFrame());
    const again = run.send({ type: 'still', request: 1, seq: 0 });
    expect(again).toEqual([{ type: 'send', message: { type: 'judged', seq: 0, usable: true, hints: [] } }]);
  });

  test('five invalid messages end the capture', () => {
    const run = session(STANDARD);
    const answers = Array.from({ length: MOST_FAULTS }, () =>
      run.send({ type: 'still', request: 99, seq: 0 }),
    );
    expect(
      answers
        .slice(0, -1)
        .flatMap(messages)
        .every((message) => message.type === 'error' && !message.fatal),
    ).toBe(true);
    expect(answers.at(-1)).toEqual([
      { type: 'end', message: { type: 'error', code: 'message_invalid', fatal: true }, isSlow: false },
    ]);
  });
});

describe('a lost connection', () => {
  test('the request is sent again, with the rest of its time window', () => {
    const run = session(STANDARD);
    run.later(5_000);
    expect(requestsOf(run.send({ type: 'resumed' }))).toMatchObject([
      { id: 1, ask: 'tint', closes_in_ms: 40_000 },
    ]);
  });

  test('a step stays, with the rest of its time window: reconnecting gains neither time nor another step', () => {
    const run = session(STANDARD);
    run.play(honest, isAt('step'));
    const [step] = stepsOf(run.state);
    run.later(5_000);
    const again = requestsOf(run.send({ type: 'resumed' }));
    expect(again).toMatchObject([{ id: run.request().id, step, closes_in_ms: 10_000 }]);
    expect(settles(run.play())).toBe(true);
    expect(judgeExchange(run.state).passed).toBe(true);
  });
});

describe('the order of a session’s steps', () => {
  const ORDER = [
    'smile',
    'turn_left',
    'blink',
    'look_up',
    'turn_right',
    'open_mouth',
    'move_closer',
  ] as const;
  const ordered: ExchangePlan = { ...STANDARD, order: ORDER };

  test('is drawn once: all steps, one of the required ones a turn, each in every position', () => {
    const places = new Set<string>();
    for (let round = 0; round < 1_500; round += 1) {
      const order = drawOrder(STANDARD, (n) => Math.floor(Math.random() * n));
      expect(order.toSorted()).toEqual([...SINGLE_STEPS].toSorted());
      expect(order.slice(0, 2).some((step) => step.startsWith('turn'))).toBe(true);
      order.slice(0, 2).forEach((step, place) => places.add(`${place} ${step}`));
    }
    expect(places.size).toBe(2 * SINGLE_STEPS.length);
  });

  test('has two movements at once among the required ones of strict mode, never first, and a turn as well', () => {
    for (const mode of ['coached', 'stills'] as const) {
      const plan = { ...STRICT, mode };
      const places = new Set<number>();
      for (let round = 0; round < 300; round += 1) {
        const order = drawOrder(plan, (n) => Math.floor(Math.random() * n));
        expect(order.toSorted()).toEqual([...SINGLE_STEPS, DOUBLE_STEP].toSorted());
        const required = order.slice(0, stepsNeeded(plan));
        expect(required.some((step) => step.startsWith('turn'))).toBe(true);
        places.add(required.indexOf(DOUBLE_STEP));
      }
      // A page that comes back with a landmarker needs four steps, and gets this one as well.
      expect([...places].toSorted()).toEqual([1, 2, 3]);
    }
  });

  test('is that of each capture, whatever random numbers it draws', () => {
    for (let round = 0; round < 20; round += 1) {
      const run = session(ordered);
      run.play();
      expect(stepsOf(run.state)).toEqual(['smile', 'turn_left']);
    }
  });

  test('continues after a step that was twice not answered, and the other turn follows a turn that was not', () => {
    const run = session(ordered);
    run.play((ask, place) => (ask.kind === 'step' && ask.step === 'turn_left' ? null : honest(ask, place)));
    expect(stepsOf(run.state)).toEqual(['smile', 'turn_left', 'turn_left', 'turn_right', 'turn_left']);
    expect(judgeExchange(run.state).passed).toBe(true);
  });

  test('has one more step where captures were left too often', () => {
    const run = session({ ...ordered, moreSteps: 1 });
    run.play();
    expect(stepsOf(run.state)).toEqual(['smile', 'turn_left', 'blink']);
    const two = session({ ...ordered, moreSteps: 1 });
    two.play((ask, place) =>
      ask.kind === 'step' && !['smile', 'turn_left'].includes(ask.step) ? null : honest(ask, place),
    );
    expect(settles(two.effects)).toBe(false);
  });
});

test('whatever arrives, in any order, at most one request is open and nothing follows the end', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('still' as const), request: fc.nat(8), seq: fc.nat(8) }),
    fc.record({
      type: fc.constant('judged' as const),
      seq: fc.nat(8),
      evidence: fc.constantFrom(madeUpFrame(), madeUpFrame({}, { face: null, embedding: null })),
    }),
    fc.record({ type: fc.constant('unreadable' as const), seq: fc.nat(8) }),
    fc.record({ type: fc.constantFrom('resumed' as const, 'tick' as const) }),
    fc.record({ type: fc.constant('fault' as const), code: fc.constant('still_too_large' as const) }),
  );
  const modes = fc.constantFrom<CaptureMode>('coached', 'stills');
  fc.assert(
    fc.property(modes, fc.array(fc.tuple(event, fc.nat(9_000)), { maxLength: 80 }), (mode, events) => {
      const run = session({ ...STANDARD, mode });
      for (const [next, afterMs] of events) {
        run.later(afterMs);
        const wasOver = run.state.phase === 'over';
        const effects = run.send(next);
        if (wasOver) expect(effects).toEqual([]);
        expect(run.state.requests.slice(0, -1).every(({ state }) => state !== 'open')).toBe(true);
      }
      const ends = run.effects.filter(({ type }) => type === 'settle' || type === 'end');
      expect(ends.length).toBe(run.state.phase === 'over' ? 1 : 0);
    }),
  );
});
