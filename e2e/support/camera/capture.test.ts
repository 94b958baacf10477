import { beforeAll, expect, test } from 'vitest';
import type { LivenessStep } from '../../../server/contract/flow.ts';
import { colourClips, meanRed, RED_OF } from './capture-fixtures.ts';
import { captureFor, replayed, replayedReencoded } from './capture.ts';
import type { Clips } from './clips.ts';

let clips: Clips;
beforeAll(async () => {
  clips = await colourClips();
});

const STEPS: LivenessStep[] = ['turn_left', 'smile'];
const reds = async (frames: Buffer[]) => Promise.all(frames.map(meanRed));

test('a capture is three neutral frames, then two of each step in order', async () => {
  const { frames, timeline } = await captureFor(clips, STEPS);
  expect(timeline.frames.map(({ step }) => step)).toEqual([null, null, null, 0, 0, 1, 1]);
  const expected = ['idle', 'idle', 'idle', 'turn_left', 'turn_left', 'smile', 'smile'] as const;
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
  const shown = (await reds(frames)).slice(3);
  expect(shown[0]).toBeGreaterThan(shown[2]!);
});

test('duplicates share bytes within each step, re-encoded ones only the picture', async () => {
  const { frames } = await captureFor(clips, STEPS, { attack: 'duplicate_frames' });
  expect(frames[3]).toEqual(frames[4]);
  expect(frames[5]).toEqual(frames[6]);
  const { frames: again } = await captureFor(clips, STEPS, { attack: 'reencoded_duplicates' });
  expect(again[3]).not.toEqual(again[4]);
});

test('dark pictures are darker', async () => {
  const [neutral] = await reds((await captureFor(clips, STEPS, { picture: 'dark' })).frames);
  expect(neutral).toBeLessThan(RED_OF.idle / 4);
});

test('a replay has the same bytes, a re-encoded replay has not', async () => {
  const capture = await captureFor(clips, STEPS);
  expect(replayed(capture).frames).toEqual(capture.frames);
  const again = await replayedReencoded(capture);
  expect(again.frames.some((frame, index) => frame.equals(capture.frames[index]!))).toBe(false);
});
