import { expect, test } from 'vitest';
import { fillOf, transformOf, viewBoxOf, WHOLE, within, zoomed } from './framing.ts';

const near = { width: 640, height: 480, eyes_x: 320, eyes_y: 200, interocular_px: 100, roll_rad: 0 };

test('eyes are placed at the same position and distance, whatever the picture', () => {
  expect(transformOf(near, 1)).toBe('translate(50 42) scale(0.25) rotate(0) translate(-320 -200)');
  expect(transformOf({ ...near, interocular_px: 50 }, 1)).toContain('scale(0.5)');
});

test('a leaning head is rotated upright', () => {
  expect(transformOf({ ...near, roll_rad: Math.PI / 2 }, 1)).toContain('rotate(-90)');
});

test('pictures fill the square, all enlarged by the same factor, and never by more than half', () => {
  const low = { ...near, eyes_y: 140 };
  expect(fillOf([near])).toBe(1);
  expect(fillOf([near, low])).toBeCloseTo(1.2);
  expect(fillOf([{ ...near, roll_rad: 0.2 }])).toBeGreaterThan(1);
  expect(fillOf([{ ...near, eyes_y: 1 }])).toBe(1.5);
});

test('the view stays inside the pictures', () => {
  expect(viewBoxOf(WHOLE)).toBe('0 0 100 100');
  expect(within({ zoom: 2, x: -50, y: 500 })).toEqual({ zoom: 2, x: 25, y: 75 });
  expect(within({ zoom: 0.1, x: 0, y: 0 })).toEqual(WHOLE);
  expect(zoomed(WHOLE, 100).zoom).toBe(4);
});

test('zooming in goes to the eyes, zooming out returns to the whole face', () => {
  expect(zoomed(WHOLE, 2)).toEqual({ zoom: 2, x: 50, y: 42 });
  expect(zoomed(zoomed(WHOLE, 2), 0.1)).toEqual(WHOLE);
});
