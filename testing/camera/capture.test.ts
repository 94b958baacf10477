import { beforeAll, expect, test } from 'vitest';
import { CAPTURE_PLAN, type LivenessStep } from '../../server/contract/flow.ts';
import { colourClips, meanRed, RED_OF } from './capture-fixtures.ts';
import { captureFor, replayed, replayedReencoded } from './capture.ts';
import type { Clips } from './clips.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await colourClips();
});

const STEPS: LivenessStep[] = ['turn_left', 'smile'];
const { neutralFrames } = CAPTURE_PLAN;
/** Once for each neutral frame. */
const neutral = <T>(value: T): T[] => Array.from({ length: neutralFrames }, () => value);
const reds = async (frames: Buffer[]) => Promise.all(frames.map(meanRed));

test('a capture is the neutral frames, then two of each step in order', async () => {
  const { frames, timeline } = await captureFor(clips, STEPS);
  expect(timeline.frames.map(({ step }) => step)).toEqual([...neutral(null), 0, 0, 1, 1]);
  const expected = [...neutral('idle' as const), 'turn_left', 'turn_left', 'smile', 'smile'] as const;
  (await reds(frames)).forEach((red, index) => {
    expect(Math.abs(red - RED_OF[expected[index]!])).toBeLessThan(12);
  });
});

test('times rise from frame to frame', async () => {
  const { timeline } = await captureFor(clips, STEPS);
  const times = timeline.frames.map(({ at_ms }) => at_ms);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});

test('no two frames of any captures share bytes, unless the seed is the same', async () => {
  const [one, other] = [await captureFor(clips, STEPS), await captureFor(clips, STEPS)];
  const frames = [...one.frames, ...other.frames].map((frame) => frame.toString('base64'));
  expect(new Set(frames).size).toBe(frames.length);
  const seeded = await captureFor(clips, STEPS, { seed: 7 });
  expect(await captureFor(clips, STEPS, { seed: 7 })).toEqual(seeded);
});

test('wrong order shows the steps in another order than the timeline says', async () => {
  const { frames } = await captureFor(clips, STEPS, { attack: 'wrong_order' });
  const shown = (await reds(frames)).slice(neutralFrames);
  expect(shown[0]).toBeGreaterThan(shown[2]!);
});

test('duplicates share bytes within each step, re-encoded ones only the picture', async () => {
  const { frames } = await captureFor(clips, STEPS, { attack: 'duplicate_frames' });
  const [first, second, third, fourth] = frames.slice(neutralFrames);
  expect(first).toEqual(second);
  expect(third).toEqual(fourth);
  const { frames: again } = await captureFor(clips, STEPS, { attack: 'reencoded_duplicates' });
  expect(again[neutralFrames]).not.toEqual(again[neutralFrames + 1]);
});

test('dark pictures are darker', async () => {
  const [face] = await reds((await captureFor(clips, STEPS, { picture: 'dark' })).frames);
  expect(face).toBeLessThan(RED_OF.idle / 4);
});

test('a replay has the same bytes, a re-encoded replay has not', async () => {
  const capture = await captureFor(clips, STEPS);
  expect(replayed(capture).frames).toEqual(capture.frames);
  const again = await replayedReencoded(capture);
  expect(again.frames.some((frame, index) => frame.equals(capture.frames[index]!))).toBe(false);
});
