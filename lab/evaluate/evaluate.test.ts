/** The evaluation kit on tiny folders and known counts; the full run is a command, not a test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CaptureRequest } from '../../server/contract/capture.ts';
import { DOUBLE_STEP, type LivenessStep } from '../../server/contract/flow.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { madeUpFrame } from '../../server/domain/capture/liveness.fixture.ts';
import { FaceEngineError } from '../../server/face/errors.ts';
import { PROJECT_ROOT } from '../../scripts/assets/paths.ts';
import { honestFrame } from '../../testing/service/made-up-people.ts';
import type { Actor } from './scene/actor.ts';
import { sourcesOf } from './evidence.ts';
import { fitWeights } from './fit.ts';
import { findClips } from './recordings/folder.ts';
import { type AboutClip, type Judged, judgePictures, judgePlayed, recognition } from './judge.ts';
import { evaluateProgram, type EvaluateOptions } from './options.ts';
import { pageOf } from './page.ts';
import { ATTACK_KINDS, CONDITIONS, isTraining, planClips, type Condition } from './plan.ts';
import { play } from './play.ts';
import { judgeRecorded } from './recordings/recorded.ts';
import { reportOf, summaryOf, tablesOf } from './report.ts';
import { inWords, shareOf } from './statistics.ts';
import { errorRates } from './tables.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gatehouse-evaluate-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const STEPS = ['turn_left', 'blink', 'smile', 'look_up', 'open_mouth'] as const;
const TINTS = ['mint', 'warm', 'rose', 'cool'] as const;
const STEP_OF_FRAME = [null, null, null, null, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4];

async function addClip(path: string, about?: unknown): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (const place of STEP_OF_FRAME.keys())
    await writeFile(join(folder, path, `frame-${String(place).padStart(2, '0')}.jpg`), `${path} ${place}`);
  if (about !== undefined) await writeFile(join(folder, path, 'clip.json'), JSON.stringify(about));
}

const recorded = (change: object = {}) => ({
  steps: STEPS,
  tints: TINTS,
  timeline: { frames: STEP_OF_FRAME.map((step) => ({ step })) },
  labels: { light: 'dim' },
  ...change,
});

/** An honest person's frame of that number. */
function honestEvidence(place: number, steps: readonly LivenessStep[] = STEPS): FrameEvidence {
  const step = STEP_OF_FRAME[place] ?? null;
  const request = { type: 'request', ask: 'tint', tint: TINTS[place], stills: 1 } as CaptureRequest;
  if (step === null) return honestFrame(request, 0);
  return honestFrame({ ...request, ask: 'step', ...(steps[step] && { step: steps[step] }) }, place % 2);
}

type Analyse = (jpeg: Buffer) => Promise<FrameEvidence>;

/** As the person in the clip shows it: a frame's bytes end in its number. */
const analyseWith =
  (show: (place: number) => FrameEvidence): Analyse =>
  async (jpeg) =>
    show(Number(jpeg.toString().split(' ').at(-1)));

/**
 * Plays one recorded clip.
 * @returns the outcome under each condition that it was measured in
 */
async function outcomesOf(clip: object, analyse: Analyse = analyseWith(honestEvidence)) {
  await addClip('genuine/anna/1', clip);
  const [found] = await findClips(folder);
  const judged = await judgeRecorded(found!, analyse);
  return Object.fromEntries(judged.map(({ condition, outcome }) => [condition, outcome.result]));
}

const about = (change: Partial<AboutClip> = {}): AboutClip => ({
  name: 'genuine/anna/1',
  kind: 'genuine',
  identity: 'anna',
  labels: {},
  hasTints: true,
  ...change,
});

const made = (
  result: 'passed' | 'review' | 'refused' | 'not_acquired',
  clip: Partial<AboutClip>,
  change: Partial<Judged> = {},
): Judged => ({
  ...judgePictures(about(clip), [madeUpFrame()]),
  outcome: { result, findings: [] },
  ...change,
});

const OPTIONS = { beyond: [], injected: [], samePerson: 0.55 };

describe('a recorded clip', () => {
  test('is found by folder, with its steps, tints and labels', async () => {
    await addClip('genuine/anna/1', recorded());
    await addClip('attacks/print/anna/1', recorded());
    const clips = await findClips(folder);
    expect(clips.map(({ name, kind, identity }) => [name, kind, identity])).toEqual([
      ['genuine/anna/1', 'genuine', 'anna'],
      ['attacks/print/anna/1', 'print', null],
    ]);
    expect(clips[0]).toMatchObject({ labels: { light: 'dim' }, steps: STEPS, stepOfFrame: STEP_OF_FRAME });
  });

  test('is refused with the reason if a clip.json is wrong', async () => {
    await expect(findClips(folder)).rejects.toThrow(/no genuine/);
    await addClip('genuine/anna/1', { steps: ['jump'] });
    await expect(findClips(folder)).rejects.toThrow(/clip\.json.*steps/);
    await addClip('genuine/anna/1', { steps: ['blink'] });
    await expect(findClips(folder)).rejects.toThrow(/one entry for each of the 14 frames/);
  });

  test('is played against the live capture under every condition, with its tints visible or drowned out', async () => {
    expect(await outcomesOf(recorded())).toEqual({
      standard: 'passed',
      strict: 'passed',
      standard_unlit: 'passed',
      standard_usual_light: 'passed',
    });
  });

  test('is sent to a reviewer if only the drowned light leaves a doubt, and only then', async () => {
    const suspicious = analyseWith((place) => ({ ...honestEvidence(place), genuineScore: 0.23 }));
    expect(await outcomesOf(recorded(), suspicious)).toEqual({
      standard: 'passed',
      strict: 'passed',
      standard_unlit: 'review',
      standard_usual_light: 'passed',
    });
  });

  test('answers by the step’s name, so that a turn may come last', async () => {
    const steps = ['blink', 'smile', 'look_up', 'open_mouth', 'turn_left'] as const;
    const outcomes = await outcomesOf(
      recorded({ steps }),
      analyseWith((place) => honestEvidence(place, steps)),
    );
    expect(outcomes).toMatchObject({ standard: 'passed', strict: 'passed' });
  });

  const twoSteps = STEP_OF_FRAME.map((step) => ({ step: step !== null && step > 1 ? null : step }));
  test.each([
    ['without tints', recorded({ tints: [] }), ['standard', 'standard_unlit']],
    [
      'with too few steps',
      recorded({ steps: ['turn_left', 'blink'], timeline: { frames: twoSteps } }),
      ['standard', 'standard_unlit', 'standard_usual_light'],
    ],
  ])('%s is not measurable for strict', async (_name, clip, conditions) => {
    expect(Object.keys(await outcomesOf(clip))).toEqual(conditions);
  });

  test('with an unusable resting frame is not acquired, if no other was recorded', async () => {
    const blurred = analyseWith((place) => ({
      ...honestEvidence(place),
      ...(place === 1 && { sharpness: 5 }),
    }));
    expect(await outcomesOf(recorded(), blurred)).toMatchObject({ standard: 'not_acquired' });
  });

  test('with an unreadable frame is played without it; another failure ends the evaluation', async () => {
    const failing =
      (code: 'unreadable_frame' | 'models_missing'): Analyse =>
      async (jpeg) => {
        if (jpeg.toString().endsWith(' 4')) throw new FaceEngineError(code, 'as told');
        return analyseWith(honestEvidence)(jpeg);
      };
    expect(await outcomesOf(recorded(), failing('unreadable_frame'))).toMatchObject({ strict: 'passed' });
    await expect(outcomesOf(recorded(), failing('models_missing'))).rejects.toThrow('as told');
  });

  test('without steps is judged by what single pictures show', () => {
    const cues = { ...madeUpFrame().cues!, patternDb: 45 };
    const frame = madeUpFrame({}, { cues, genuineScore: 0.02 });
    expect(judgePictures(about({ kind: 'screen' }), [frame]).outcome).toEqual({
      result: 'refused',
      findings: ['presentation_attack'],
    });
  });
});

test('with --phone, captures are judged as of a phone', async () => {
  const actor: Actor = { isCalm: false, labels: {}, answer: () => null };
  const { phone = false } = evaluateProgram().parse(['--phone'], { from: 'user' }).opts<EvaluateOptions>();
  const playing = { actor, condition: 'standard', seed: 1, measure: async () => null } as const;
  const { state } = await play({ ...playing, isHandheld: phone });
  expect(state.plan.isHandheld).toBe(true);
});

test('every condition of a clip asks for the same tints, those of standard mode for the same first step, so that they share stills', async () => {
  const asksOf = async (condition: Condition) => {
    const asked: string[] = [];
    const actor: Actor = {
      isCalm: false,
      labels: {},
      answer(request) {
        asked.push(`${request.ask} ${request.tint ?? request.step}`);
        return Array.from({ length: request.stills }, (_, place) => ({
          afterMs: 1_000 + 100 * place,
          key: JSON.stringify({ request, place, nth: asked.length }),
          take: async () => Buffer.from(''),
        }));
      },
    };
    const measure = async ({ key }: { key: string }) => {
      const { request, place } = JSON.parse(key) as { request: CaptureRequest; place: number };
      return { ...honestFrame(request, place), sha256: key };
    };
    await play({ actor, condition, seed: 7, isHandheld: false, measure });
    return asked;
  };
  const [standard, strict] = [await asksOf('standard'), await asksOf('strict')];
  expect(standard.findIndex((ask) => ask.startsWith('step'))).toBe(TINTS.length);
  expect(strict.slice(0, TINTS.length)).toEqual(standard.slice(0, TINTS.length));
  expect(strict).toContain(`step ${DOUBLE_STEP}`);
  const usual = await asksOf('standard_usual_light');
  expect(usual.slice(0, TINTS.length + 1)).toEqual(standard.slice(0, TINTS.length + 1));
});

test('an actor that answers no step in time gets no verdict', async () => {
  const actor: Actor = {
    isCalm: false,
    labels: {},
    answer: ({ id, ask, tint, stills }) =>
      Array.from({ length: stills }, () => ({
        afterMs: ask === 'step' ? 60_000 : 1_000,
        key: String(TINTS.indexOf(tint ?? 'mint')),
        take: async () => Buffer.from(`${id} ${TINTS.indexOf(tint ?? 'mint')}`),
      })),
  };
  const measure = async ({ key }: { key: string }) => {
    const frame = honestEvidence(Number(key));
    return { ...frame, sha256: `${key} ${Math.random()}` };
  };
  const played = await play({ actor, condition: 'standard', seed: 1, isHandheld: false, measure });
  expect(judgePlayed(about(), 'standard', played).outcome).toMatchObject({ result: 'not_acquired' });
});

describe('error rates', () => {
  const clips = [
    made('passed', { name: 'genuine/anna/1' }),
    made('passed', { name: 'genuine/anna/2' }),
    made('refused', { name: 'genuine/anna/3' }),
    made('review', { name: 'genuine/anna/4' }),
    made('not_acquired', { name: 'genuine/anna/5' }),
    made('passed', { name: 'print/anna/1', kind: 'print' }),
    made('review', { name: 'print/anna/2', kind: 'print' }),
    made('not_acquired', { name: 'print/anna/3', kind: 'print' }),
    made('passed', { name: 'live_warp/anna/1', kind: 'live_warp' }),
  ];
  const rates = errorRates(clips, 'standard', { ...OPTIONS, beyond: ['live_warp'], injected: ['live_warp'] });

  test('APCER counts what passes without a reviewer, BPCER what is refused, both of the acquired captures', () => {
    expect(rates.apcer).toMatchObject({ count: 1, of: 2 });
    expect(rates.bpcer).toMatchObject({ count: 1, of: 4 });
    expect(rates.reviewed).toMatchObject({ count: 1, of: 4 });
    expect(rates.apcerOfAll).toMatchObject({ count: 2, of: 3 });
    expect(rates.worst).toMatchObject({ kind: 'print', apcer: { count: 1, of: 2 } });
  });

  test('FTA counts genuine captures that could not be judged, separately from attacks', () => {
    expect(rates.fta).toMatchObject({ count: 1, of: 5 });
    expect(rates.attacksNotAcquired).toMatchObject({ count: 1, of: 4 });
  });

  test('RIAPAR adds false rejects to the attacks that pass as the imitated person, both of all captures', () => {
    const print = rates.species.find(({ kind }) => kind === 'print');
    expect(print?.iapar).toMatchObject({ count: 1, of: 3 });
    expect(print?.riapar).toBeCloseTo(1 / 3 + 2 / 5);
  });

  test('RIAPAR has no figure without genuine captures', () => {
    const attacks = clips.filter(({ clip }) => clip.kind !== 'genuine');
    const report = reportOf('Attacks', attacks, { ...OPTIONS, recognition: recognition(attacks, 0.55) });
    const table = tablesOf(report).find(({ title }) => title.startsWith('RIAPAR'));
    expect(table?.rows).toContainEqual(['print', 'none to judge']);
  });

  test('in kiosk trust nothing injected passes', () => {
    expect(rates.species.map(({ kind, kiosk }) => [kind, kiosk.count])).toEqual([
      ['print', 1],
      ['live_warp', 0],
    ]);
  });

  test('clips that a condition cannot measure are not counted', () => {
    expect(errorRates(clips, 'strict', OPTIONS).bpcer.of).toBe(0);
  });
});

test('recognition uses each clip once, however many conditions it was judged under', () => {
  const clips = ['genuine/anna/1', 'genuine/anna/2', 'genuine/ben/1'].flatMap((name) =>
    CONDITIONS.map((condition) =>
      made('passed', { name, identity: name.split('/')[1] ?? null }, { condition }),
    ),
  );
  expect(recognition(clips, 0.55)).toMatchObject({
    falseNonMatch: { count: 0, of: 1 },
    falseMatch: { count: 2, of: 2 },
  });
});

test('a report counts clips and people once, and attacks without an identity separately', () => {
  const clips = [
    ...CONDITIONS.map((condition) => made('passed', {}, { condition })),
    made('refused', { name: 'attacks/print/1', kind: 'print', identity: null }),
    made('refused', { name: 'attacks/print/2', kind: 'print', identity: null }),
  ];
  const summary = summaryOf(
    reportOf('All clips', clips, { ...OPTIONS, recognition: recognition(clips, 0.55) }),
  );
  expect(summary).toContain(
    'Clips: 3, each judged under every condition that it can be measured in. People shown: 1.',
  );
  expect(summary).toContain('Attacks that do not say whom they imitate: 2.');
  expect(summary).toContain('Clips not measurable in strict mode: 2.');
});

test.each([
  [['--half', 'both'], 'training, reported'],
  [['--sample', 'many'], 'a whole number from 1'],
  [['--report', 'page.pdf'], 'ends in .html'],
  [['clips', '--sample', '2'], 'are for the built-in set'],
  [['clips', '--portraits', 'faces'], 'are for the built-in set'],
])('the option %j is refused with the allowed values', async (args, allowed) => {
  let told = '';
  const program = evaluateProgram()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (told += text) });
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow();
  expect(told).toContain(allowed);
});

test('the same input gives the same page, byte by byte', () => {
  const page = () => {
    const clips = [made('passed', {}), made('refused', { kind: '<print>', labels: { light: 'dim' } })];
    const report = reportOf('All clips', clips, { ...OPTIONS, recognition: recognition(clips, 0.55) });
    const model = { version: 'm1', sha256: 'ab' };
    const manifests = { detect: model, landmarks: model, embed: model, attack: model } as never;
    return pageOf([report], { version: '0.1.0', conditions: ['Recorded on site.'], manifests, rules: 'cd' });
  };
  expect(page()).toBe(page());
  expect(page()).toContain('&lt;print&gt;');
  expect(page()).not.toMatch(/<script|https?:|20\d\d-/);
});

describe('shares', () => {
  test('have exact intervals', () => {
    expect(shareOf(0, 20)).toMatchObject({ share: 0, low: 0 });
    expect(shareOf(0, 20).high).toBeCloseTo(0.1684, 3);
    expect(shareOf(5, 50).low).toBeCloseTo(0.0333, 3);
    expect(shareOf(5, 50).high).toBeCloseTo(0.2181, 3);
    expect(shareOf(7, 7)).toMatchObject({ share: 1, high: 1 });
    expect(inWords(shareOf(1, 40))).toBe('1 of 40, 2.5 % (0.06 % to 13.2 %)');
    expect(inWords(shareOf(0, 0))).toBe('none to judge');
  });
});

describe('the built-in set', () => {
  const people = ['personA', 'personB', 'personC', 'personD', 'personE'];

  test('is the same every time, and has every species of every person under every condition', () => {
    const plan = planClips(people);
    expect(planClips(people)).toEqual(plan);
    for (const condition of CONDITIONS) {
      const planned = plan.filter((clip) => clip.condition === condition);
      expect(new Set(planned.map(({ seed }) => seed)).size).toBe(planned.length);
      for (const person of people) {
        const kinds = new Set(planned.filter((clip) => clip.person === person).map(({ kind }) => kind));
        expect(kinds).toEqual(new Set(['genuine', ...ATTACK_KINDS]));
      }
    }
  });

  test('a sample has at most that many clips of each species and person', () => {
    expect(planClips(people, 1)).toHaveLength(CONDITIONS.length * people.length * (1 + ATTACK_KINDS.length));
  });

  test('nobody is in both halves, and a portrait stays in its half', () => {
    const portraits = ['female-0', 'female-1', 'male-0', 'male-1'];
    expect([...people, ...portraits].filter(isTraining)).toEqual([
      'personA',
      'personC',
      'personE',
      'female-0',
      'male-0',
    ]);
  });

  test('a clip does not depend on the other people played', () => {
    const alone = planClips(['male-1']);
    expect(alone).toHaveLength(CONDITIONS.length * (2 + ATTACK_KINDS.length));
    expect(planClips(['female-0', ...people, 'male-1'])).toEqual(expect.arrayContaining(alone));
  });
});

test.each([
  [
    'lab/evaluate/scene/actor.ts',
    ['lab/evaluate/scene/light.ts', 'testing/camera/face-points.ts', 'server/domain/capture/attack/tints.ts'],
  ],
  [
    'server/domain/capture/exchange/exchange.ts',
    ['attack/weights', 'attack/signals', 'exchange/judgement', 'liveness-thresholds', 'gestures'].map(
      (name) => `server/domain/capture/${name}.ts`,
    ),
  ],
])('the version of %s covers all of its sources', async (entry, parts) => {
  const sources = (await sourcesOf(entry)).map((path) => relative(PROJECT_ROOT, path));
  expect(sources).toEqual(expect.arrayContaining(parts));
});

test('fitting gives weight to signals that detect attacks, none to others, and never a negative one', () => {
  const examples = Array.from({ length: 40 }, (_, i) => ({
    kind: i % 2 === 0 ? 'genuine' : 'print',
    signals: {
      passive: (i % 7) / 7,
      relief: i % 2 === 0 ? 0.35 : 0.03,
      headlike: null,
      together: null,
      pattern: 13,
      border: i % 2 === 0 ? 1 : 0,
      rim: 0,
      agreement: null,
      otherLight: null,
      unlit: null,
      lit: null,
    },
  }));
  const { weights } = fitWeights(examples);
  expect(weights.relief).toBeGreaterThan(0.5);
  expect(weights.border).toBe(0);
  expect(weights.headlike).toBe(0);
});
