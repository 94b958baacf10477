/** The evaluation kit on tiny folders and known counts; the full run is a command, not a test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LiveRequest } from '../../server/contract/capture-live.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { madeUpFrame } from '../../server/domain/capture/liveness-fixtures.ts';
import { honestFrame } from '../../testing/service/live-people.ts';
import type { Actor } from './actor.ts';
import { fitWeights } from './fit.ts';
import { findClips } from './folder.ts';
import { judgePictures, judgePlayed, type AboutClip, type Judged } from './judge.ts';
import { pageOf } from './page.ts';
import { ATTACK_KINDS, isTraining, planClips } from './plan.ts';
import { play } from './play.ts';
import { recognition } from './recognition.ts';
import { recordedActor } from './recorded.ts';
import { reportOf } from './report.ts';
import { inWords, shareOf } from './statistics.ts';
import { errorRates } from './tables.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gatehouse-evaluate-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const STEPS = ['turn_left', 'blink', 'smile'] as const;
const TINTS = ['mint', 'warm', 'rose', 'cool'] as const;
const STEP_OF_FRAME = [null, null, null, null, 0, 0, 1, 1, 2, 2];

async function addClip(path: string, about?: unknown): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (const place of STEP_OF_FRAME.keys())
    await writeFile(join(folder, path, `frame-${place}.jpg`), `${path} ${place}`);
  if (about !== undefined) await writeFile(join(folder, path, 'clip.json'), JSON.stringify(about));
}

const recorded = (change: object = {}) => ({
  steps: STEPS,
  tints: TINTS,
  timeline: { frames: STEP_OF_FRAME.map((step) => ({ step })) },
  labels: { light: 'dim' },
  ...change,
});

/** What an honest person's frame of that number shows. */
function honestEvidence(place: number): FrameEvidence {
  const step = STEP_OF_FRAME[place];
  const request = { type: 'request', ask: 'tint', tint: TINTS[place], stills: 1 } as LiveRequest;
  if (step === null || step === undefined) return honestFrame(request, 0);
  return honestFrame({ ...request, ask: 'step', ...(STEPS[step] && { step: STEPS[step] }) }, place % 2);
}

const measured = async ({ take }: { take: () => Promise<Buffer> }) =>
  honestEvidence(Number((await take()).toString().split(' ').at(-1)));

const about = (change: Partial<AboutClip> = {}): AboutClip => ({
  name: 'genuine/anna/1',
  kind: 'genuine',
  identity: 'anna',
  mode: 'standard',
  labels: {},
  hasTints: true,
  ...change,
});

const made = (
  result: 'passed' | 'review' | 'refused' | 'not_acquired',
  clip: Partial<AboutClip>,
): Judged => ({
  ...judgePictures(about(clip), [madeUpFrame()]),
  outcomes: { standard: { result, findings: [], score: 0.2 } },
});

const OPTIONS = { beyond: [], injected: [], samePerson: 0.55 };

describe('a recorded clip', () => {
  test('is found by folder, with its steps, tints and labels', async () => {
    await addClip('genuine/anna/1', recorded());
    await addClip('attacks/print/anna/1', recorded());
    const clips = await findClips(folder);
    expect(clips.map(({ name, kind, identity }) => [name, kind, identity])).toEqual([
      ['genuine/anna/1', 'genuine', 'anna'],
      ['attacks/print/anna/1', 'print', 'attacks/print/anna/1'],
    ]);
    expect(clips[0]).toMatchObject({ labels: { light: 'dim' }, steps: STEPS, stepOfFrame: STEP_OF_FRAME });
  });

  test('is refused with the reason when a clip.json is wrong', async () => {
    await expect(findClips(folder)).rejects.toThrow(/no genuine/);
    await addClip('genuine/anna/1', { steps: ['jump'] });
    await expect(findClips(folder)).rejects.toThrow(/clip\.json.*steps/);
    await addClip('genuine/anna/1', { steps: ['blink'] });
    await expect(findClips(folder)).rejects.toThrow(/one entry for each of the 10 frames/);
  });

  test.each(['standard', 'strict'] as const)(
    'is played against the live capture, which asks for what was recorded: %s',
    async (mode) => {
      await addClip('genuine/anna/1', recorded());
      const [clip] = await findClips(folder);
      const played = await play({ actor: await recordedActor(clip!), mode, seed: 1, measure: measured });
      expect(played.verdict?.findings).toEqual([]);
      expect(played.steps).toBe(mode === 'strict' ? 3 : 2);
      expect(judgePlayed(about({ mode }), played).outcomes[mode]).toMatchObject({ result: 'passed' });
    },
  );

  test('without tints is not measurable for strict, and never refused there', async () => {
    await addClip('genuine/anna/1', recorded({ tints: [] }));
    const [clip] = await findClips(folder);
    const playIn = async (mode: AboutClip['mode']) =>
      judgePlayed(
        about({ mode, hasTints: false }),
        await play({ actor: await recordedActor(clip!), mode, seed: 1, measure: measured }),
      );
    expect((await playIn('strict')).outcomes).toEqual({});
    expect((await playIn('standard')).outcomes.standard).toMatchObject({ result: 'passed' });
  });

  test('without steps is judged by what single pictures show', () => {
    const cues = { ...madeUpFrame().cues!, patternDb: 45 };
    const frame = madeUpFrame({}, { cues, genuineScore: 0.02 });
    expect(judgePictures(about({ kind: 'screen' }), [frame]).outcomes.standard).toMatchObject({
      result: 'refused',
      findings: ['presentation_attack'],
    });
  });
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
  const played = await play({ actor, mode: 'standard', seed: 1, measure });
  expect(judgePlayed(about(), played).outcomes.standard).toMatchObject({ result: 'not_acquired' });
});

describe('error rates', () => {
  const clips = [
    made('passed', { name: 'genuine/anna/1' }),
    made('passed', { name: 'genuine/anna/2' }),
    made('refused', { name: 'genuine/anna/3' }),
    made('review', { name: 'genuine/anna/4' }),
    made('passed', { name: 'print/anna/1', kind: 'print' }),
    made('review', { name: 'print/anna/2', kind: 'print' }),
    made('not_acquired', { name: 'print/anna/3', kind: 'print' }),
    made('passed', { name: 'live_warp/anna/1', kind: 'live_warp' }),
  ];
  const rates = errorRates(clips, 'standard', { ...OPTIONS, beyond: ['live_warp'], injected: ['live_warp'] });

  test('APCER counts what passes without a reviewer, BPCER what is refused', () => {
    expect(rates.apcer).toMatchObject({ count: 1, of: 3 });
    expect(rates.bpcer).toMatchObject({ count: 1, of: 4 });
    expect(rates.reviewed).toMatchObject({ count: 1, of: 4 });
    expect(rates.worst).toMatchObject({ kind: 'print', apcer: { count: 1, of: 3 } });
  });

  test('FTA counts captures that gave no basis for a judgement', () => {
    expect(rates.fta).toMatchObject({ count: 1, of: 8 });
  });

  test('RIAPAR adds false rejects to the attacks that pass as the person imitated', () => {
    const print = rates.species.find(({ kind }) => kind === 'print');
    expect(print?.iapar).toMatchObject({ count: 1, of: 3 });
    expect(print?.riapar).toBeCloseTo(1 / 3 + 1 / 4);
  });

  test('in kiosk trust nothing that is injected passes', () => {
    expect(rates.species.map(({ kind, kiosk }) => [kind, kiosk.count])).toEqual([
      ['print', 1],
      ['live_warp', 0],
    ]);
  });

  test('clips that a condition cannot measure are not counted', () => {
    expect(errorRates(clips, 'strict', OPTIONS).bpcer.of).toBe(0);
  });
});

test('the same input gives the same page, byte by byte', () => {
  const page = () => {
    const clips = [made('passed', {}), made('refused', { kind: '<print>', labels: { light: 'dim' } })];
    const report = reportOf('All clips', clips, { ...OPTIONS, recognition: recognition(clips, 0.55) });
    const model = { version: 'm1', sha256: 'ab' };
    const manifests = { detect: model, landmarks: model, embed: model, attack: model } as never;
    return pageOf([report], { version: '0.1.0', conditions: ['Recorded on site.'], manifests });
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

  test('is the same every time, and has every species of every person in both modes', () => {
    const plan = planClips(people);
    expect(planClips(people)).toEqual(plan);
    for (const mode of ['standard', 'strict'] as const) {
      const inMode = plan.filter((clip) => clip.mode === mode);
      expect(new Set(inMode.map(({ seed }) => seed)).size).toBe(inMode.length);
      for (const person of people) {
        const kinds = new Set(inMode.filter((clip) => clip.person === person).map(({ kind }) => kind));
        expect(kinds).toEqual(new Set(['genuine', ...ATTACK_KINDS]));
      }
    }
  });

  test('a sample has at most that many clips of each species and person', () => {
    expect(planClips(people, 1)).toHaveLength(2 * people.length * (1 + ATTACK_KINDS.length));
  });

  test('nobody is in both halves', () => {
    expect(people.filter(isTraining)).toEqual(['personA', 'personC', 'personE']);
  });
});

test('fitting gives weight to what tells attacks, none to what does not, and never less than none', () => {
  const examples = Array.from({ length: 40 }, (_, i) => ({
    kind: i % 2 === 0 ? 'genuine' : 'print',
    signals: {
      passive: (i % 7) / 7,
      relief: i % 2 === 0 ? 0.35 : 0.03,
      headlike: null,
      together: null,
      pattern: 13,
      border: i % 2 === 0 ? 1 : 0,
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
