/** The evaluation kit on tiny folders and known counts; the full run is a command, not a test. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { doing, honestCapture, madeUpFrame, resting } from '../../server/domain/capture/liveness-fixtures.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { fitWeights } from './fit.ts';
import { findClips } from './folder.ts';
import { histogramSvg } from './histogram.ts';
import { judgeClip } from './judge.ts';
import { ATTACK_KINDS, isTraining, planClips } from './plan.ts';
import { recognition } from './recognition.ts';
import { markdownOf, reportOf, writeReport } from './report.ts';
import { inWords, shareOf } from './statistics.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gatehouse-evaluate-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const STEPS = ['turn_left', 'blink', 'smile', 'open_mouth', 'move_closer'] as const;

async function addClip(path: string, frames: number, about?: unknown): Promise<void> {
  await mkdir(join(folder, path), { recursive: true });
  for (let i = 0; i < frames; i++) await writeFile(join(folder, path, `frame-${i}.jpg`), `${path} ${i}`);
  if (about !== undefined) await writeFile(join(folder, path, 'clip.json'), JSON.stringify(about));
}

async function tinySet() {
  const { timeline, frames } = honestCapture(STEPS);
  const about = { steps: STEPS, timeline, labels: { light: 'dim' } };
  await addClip('genuine/anna/1', frames.length, about);
  await addClip('genuine/anna/2', frames.length, about);
  await addClip('attacks/print/anna/1', frames.length, about);
  const still = [resting(), ...STEPS.map(() => resting(2))].flat();
  const honest = [resting(), ...STEPS.map(doing)].flat();
  const store = {
    of: (bytes: readonly Buffer[]): Promise<FrameEvidence[]> =>
      Promise.resolve(bytes[0]?.toString().startsWith('attacks') ? still : honest),
  };
  const clips = await findClips(folder);
  return { clips, judged: await Promise.all(clips.map((clip) => judgeClip(clip, store))) };
}

describe('a folder of clips', () => {
  test('is read as documented', async () => {
    const { clips } = await tinySet();
    expect(clips.map(({ name, kind, identity }) => [name, kind, identity])).toEqual([
      ['genuine/anna/1', 'genuine', 'anna'],
      ['genuine/anna/2', 'genuine', 'anna'],
      ['attacks/print/anna/1', 'print', 'attacks/print/anna/1'],
    ]);
    expect(clips[0]).toMatchObject({ labels: { light: 'dim' }, steps: STEPS });
  });

  test('is refused with the reason when it is none, or a clip.json is wrong', async () => {
    await expect(findClips(folder)).rejects.toThrow(/no genuine/);
    await addClip('genuine/anna/1', 2, { steps: ['jump'] });
    await expect(findClips(folder)).rejects.toThrow(/clip\.json.*steps/);
    await addClip('genuine/anna/1', 2, { steps: ['blink'] });
    await expect(findClips(folder)).rejects.toThrow(/one entry for each of the 2 frames/);
  });

  test('is judged and reported, by kind and by label', async () => {
    const { judged } = await tinySet();
    const report = reportOf('Tiny', judged, {
      recognition: recognition(judged, 0.45),
      sameFaceThreshold: 0.45,
      beyond: [],
    });
    for (const rates of Object.values(report.attackErrors)) {
      expect(rates.bpcer).toMatchObject({ count: 0, of: 2 });
      expect(rates.apcer).toMatchObject({ count: 0, of: 1 });
    }
    expect(report.byLabel.map(({ label, value, condition }) => `${label} ${value} ${condition}`)).toEqual([
      'light dim standard',
      'light dim strict',
      'light dim standard_unlit',
    ]);
    expect(report.recognition.falseNonMatch).toMatchObject({ count: 0, of: 1 });
    expect(markdownOf(report)).toContain('| print | 0 of 1, 0.0 % (0.0 % to 97.5 %) |');
    await writeReport(join(folder, 'out'), report, judged);
    expect((await readFile(join(folder, 'out/attack-score-strict.png'))).subarray(1, 4).toString()).toBe(
      'PNG',
    );
    expect(JSON.parse(await readFile(join(folder, 'out/report.json'), 'utf8'))).toMatchObject({ clips: 3 });
  });

  test('pictures without steps are judged by what one picture shows', async () => {
    await addClip('attacks/screen/1', 1);
    const [clip] = await findClips(folder);
    const cues = { ...madeUpFrame().cues!, patternDb: 45 };
    const { verdicts } = await judgeClip(clip!, {
      of: () => Promise.resolve([madeUpFrame({}, { cues, genuineScore: 0.02 })]),
    });
    expect(verdicts.strict).toMatchObject({ passed: false, findings: ['presentation_attack'] });
  });
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

  test('is the same every time, and has every kind of every person', () => {
    const plan = planClips(people);
    expect(planClips(people)).toEqual(plan);
    expect(new Set(plan.map(({ seed }) => seed)).size).toBe(plan.length);
    for (const person of people) {
      const kinds = new Set(plan.filter((clip) => clip.person === person).map(({ kind }) => kind));
      expect(kinds).toEqual(new Set(['genuine', ...ATTACK_KINDS]));
    }
  });

  test('asks for what a strict challenge asks, and a recording never answers it', () => {
    for (const { kind, asked, performed } of planClips(people)) {
      expect(new Set(asked).size).toBe(5);
      expect(asked.some((step) => step.startsWith('turn_'))).toBe(true);
      expect(performed.join() === asked.join()).toBe(kind !== 'replay');
    }
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

test('histograms show each series as shares of its own number', () => {
  const svg = histogramSvg(
    [
      { name: 'few & rare', values: [0.1], colour: '#000000' },
      { name: 'many', values: [0.9, 0.9], colour: '#ffffff' },
    ],
    { title: 'a < b', from: 0, to: 1, marks: [] },
  );
  const heights = [...svg.matchAll(/<rect x="[\d.]+" y="[\d.]+" width="16.25" height="([\d.]+)"/g)].map(
    ([, high]) => Number(high),
  );
  expect(heights.filter((high) => high > 0)).toEqual([270, 270]);
  expect(svg).toContain('few &amp; rare (1)');
  expect(svg).toContain('a &lt; b');
});
