import { expect, test } from 'vitest';
import { countPeople, type FaceBox } from './detector.ts';

const thresholds = { bystanderHeight: 0.35 };
const box = (x1: number, y1: number, x2: number, y2: number): FaceBox => ({ x1, y1, x2, y2, score: 0.95 });
const MAIN = box(200, 100, 440, 420);

test('a smaller detection inside the face, as of a man cut off at the chin, is no second person', () => {
  expect(countPeople([MAIN, box(230, 250, 410, 430)], { thresholds })).toBe(1);
  expect(countPeople([MAIN, box(250, 90, 400, 260)], { thresholds })).toBe(1);
});

test('a face beside the main one, or half behind it, is a second person', () => {
  expect(countPeople([MAIN, box(450, 120, 600, 320)], { thresholds })).toBe(2);
  expect(countPeople([MAIN, box(390, 120, 540, 320)], { thresholds })).toBe(2);
});

test('a face far behind the main one does not count', () => {
  expect(countPeople([MAIN, box(10, 10, 60, 80)], { thresholds })).toBe(1);
  expect(countPeople([], { thresholds })).toBe(0);
});
