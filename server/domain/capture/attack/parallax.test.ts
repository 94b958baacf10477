/** A plane never turns like a head, however it is moved. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureParallax } from './parallax.ts';
import { bentView, headView, planeView } from './synthetic-views.fixture.ts';

const within = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
const held = fc.record({
  yawDeg: within(40),
  pitchDeg: within(35),
  rollDeg: within(20),
  zoom: fc.double({ min: 0.7, max: 1.5, noNaN: true }),
  dxPx: within(60),
  dyPx: within(60),
});

test('one projective map explains any two views of a plane', () => {
  fc.assert(
    fc.property(held, (pose) => {
      expect(measureParallax(planeView(), planeView(pose)).offPlane).toBeLessThan(1e-4);
    }),
  );
});

test('the nose of a flat or bent sheet does not move against the sheet', () => {
  fc.assert(
    fc.property(held, fc.double({ min: 1.6, max: 5, noNaN: true }), (pose, radius) => {
      const tilted = { ...pose, pitchDeg: pose.pitchDeg / 3 };
      expect(Math.abs(measureParallax(planeView(), planeView(tilted)).across)).toBeLessThan(0.05);
      expect(Math.abs(measureParallax(bentView(radius), bentView(radius, tilted)).across)).toBeLessThan(0.13);
    }),
  );
});

test.each([12, 18, 25, 32])('a head turned by %d° shows parallax to the side it turned to', (yawDeg) => {
  const sine = Math.sin((yawDeg * Math.PI) / 180);
  for (const side of [1, -1]) {
    const { across, offPlane, headlike } = measureParallax(headView(), headView({ yawDeg: side * yawDeg }));
    expect(side * across).toBeGreaterThan(0.8 * sine);
    expect(side * across).toBeLessThan(1.4 * sine);
    expect(offPlane).toBeGreaterThan(0.02);
    expect(headlike).toBeGreaterThan(0.9);
  }
});

test('a lifted head shows parallax upward', () => {
  const { up, across } = measureParallax(headView(), headView({ pitchDeg: 17 }));
  expect(up).toBeGreaterThan(0.2);
  expect(Math.abs(across)).toBeLessThan(0.02);
});

test('leaning, coming closer and changing place show no parallax', () => {
  const { across, up, offPlane } = measureParallax(
    headView(),
    headView({ rollDeg: 15, zoom: 1.3, dxPx: 40 }),
  );
  for (const value of [across, up, offPlane]) expect(Math.abs(value)).toBeLessThan(1e-3);
});

test('pulling a cheek aside does not count as a turned head', () => {
  const before = headView();
  const after = Float32Array.from(before);
  for (const index of [17, 18, 19, 36, 37, 48]) after[2 * index] = (before[2 * index] ?? 0) + 25;
  expect(measureParallax(before, after).headlike).toBeLessThan(0.7);
});
