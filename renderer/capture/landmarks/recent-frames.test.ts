import { expect, test } from 'vitest';
import { createRecentFrames } from './recent-frames.ts';

test('keeps the last frames and releases each older one once', () => {
  const released: string[] = [];
  const frames = createRecentFrames<string>((frame) => released.push(frame), 2);
  frames.add(1, 'a');
  frames.add(2, 'b');
  frames.add(3, 'c');
  expect(frames.get(1)).toBeUndefined();
  expect(frames.get(3)).toBe('c');
  expect(released).toEqual(['a']);
  frames.clear();
  expect(released).toEqual(['a', 'b', 'c']);
});
