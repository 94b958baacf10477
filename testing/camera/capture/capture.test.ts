import { beforeAll, expect, test } from 'vitest';
import type { LivenessStep } from '../../../server/contract/flow.ts';
import { colourClips, meanRed, RED_OF } from './fixtures.ts';
import { captureFor, replayedReencoded, RESTING_STILLS } from './capture.ts';
import type { Clips } from '../clips.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await colourClips();
});

const STEPS: LivenessStep[] = ['turn_left', 'smile'];
/** Once for each still of the resting face. */
const atRest = <T>(value: T): T[] => Array.from({ length: RESTING_STILLS }, () => value);
const reds = async (frames: Buffer[]) => Promise.all(frames.map(meanRed));

test('a capture is the resting face, then two stills of each step in order', async () => {
  const { frames, timeline } = await captureFor(clips, STEPS);
  expect(timeline.frames.map(({ step }) => step)).toEqual([...atRest(null), 0, 0, 1, 1]);
  const expected = [...atRest('idle' as const), 'turn_left', 'turn_left', 'smile', 'smile'] as const;
  (await reds(frames)).forEach((red, index) => {
    expect(Math.abs(red - RED_OF[expected[index]!])).toBeLessThan(12);
  });
});

test('no two frames of any captures share bytes, unless the seed is the same', async () => {
  const [one, other] = [await captureFor(clips, STEPS), await captureFor(clips, STEPS)];
  const frames = [...one.frames, ...other.frames].map((frame) => frame.toString('base64'));
  expect(new Set(frames).size).toBe(frames.length);
  const seeded = await captureFor(clips, STEPS, { seed: 7 });
  expect(await captureFor(clips, STEPS, { seed: 7 })).toEqual(seeded);
});

test('a step other than the requested one is shown', async () => {
  const { frames } = await captureFor(clips, STEPS, { attack: 'other_step' });
  const [turned] = (await reds(frames)).slice(RESTING_STILLS);
  expect(Math.abs(turned! - RED_OF.turn_left)).toBeGreaterThan(12);
});

test('duplicates share bytes within each step, re-encoded ones only the picture', async () => {
  const { frames } = await captureFor(clips, STEPS, { attack: 'duplicate_frames' });
  const [first, second, third, fourth] = frames.slice(RESTING_STILLS);
  expect(first).toEqual(second);
  expect(third).toEqual(fourth);
  const { frames: again } = await captureFor(clips, STEPS, { attack: 'reencoded_duplicates' });
  expect(again[RESTING_STILLS]).not.toEqual(again[RESTING_STILLS + 1]);
});

test('dark pictures are darker', async () => {
  const [face] = await reds((await captureFor(clips, STEPS, { picture: 'dark' })).frames);
  expect(face).toBeLessThan(RED_OF.idle / 4);
});

test('a re-encoded replay has other bytes', async () => {
  const capture = await captureFor(clips, STEPS);
  const again = await replayedReencoded(capture);
  expect(again.frames.some((frame, index) => frame.equals(capture.frames[index]!))).toBe(false);
});
