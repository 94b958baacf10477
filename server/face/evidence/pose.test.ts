import { describe, expect, it } from 'vitest';
import { LANDMARK_COUNT } from '../models/landmarks.ts';
import { averageHead, estimatePose } from './pose.ts';

/** The average head's points in a camera image: turned, scaled, shifted, y downward. */
function seen(yaw: number, pitch: number, roll: number): Float32Array {
  const landmarks = new Float32Array(2 * LANDMARK_COUNT);
  for (const [index, [x, y, z]] of averageHead()) {
    // Yaw about y, then pitch about x (up lifts the front), then roll about z (clockwise in the picture).
    const [x1, z1] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
    const y2 = y * Math.cos(pitch) + z1 * Math.sin(pitch);
    const [x3, y3] = [x1 * Math.cos(roll) + y2 * Math.sin(roll), y2 * Math.cos(roll) - x1 * Math.sin(roll)];
    landmarks.set([320 + 14 * x3, 240 - 14 * y3], 2 * index);
  }
  return landmarks;
}

describe('pose', () => {
  it('is zero for a head that looks straight ahead', () => {
    const { yawRad, pitchRad, rollRad } = estimatePose(seen(0, 0, 0));
    for (const angle of [yawRad, pitchRad, rollRad]) expect(angle).toBeCloseTo(0, 5);
  });

  it("has positive yaw if the nose points to the image's right", () => {
    expect(estimatePose(seen(0.4, 0, 0)).yawRad).toBeCloseTo(0.4, 4);
    expect(estimatePose(seen(-0.6, 0, 0)).yawRad).toBeCloseTo(-0.6, 4);
  });

  it('has positive pitch when looking up', () => {
    expect(estimatePose(seen(0, 0.3, 0)).pitchRad).toBeCloseTo(0.3, 4);
    expect(estimatePose(seen(0, -0.3, 0)).pitchRad).toBeCloseTo(-0.3, 4);
  });

  it("has positive roll if the head leans to the image's right", () => {
    expect(estimatePose(seen(0, 0, 0.5)).rollRad).toBeCloseTo(0.5, 4);
    expect(estimatePose(seen(0, 0, -0.5)).rollRad).toBeCloseTo(-0.5, 4);
  });

  it('separates the three angles', () => {
    const { yawRad, pitchRad, rollRad } = estimatePose(seen(0.3, -0.2, 0.4));
    expect(yawRad).toBeCloseTo(0.3, 1);
    expect(pitchRad).toBeCloseTo(-0.2, 1);
    expect(rollRad).toBeCloseTo(0.4, 1);
  });

  it('keeps yaw and pitch if phone or head are tilted', () => {
    const upright = estimatePose(seen(0.4, 0.1, 0));
    const tilted = estimatePose(seen(0.4, 0.1, 0.6));
    expect(tilted.yawRad).toBeCloseTo(upright.yawRad, 3);
    expect(tilted.pitchRad).toBeCloseTo(upright.pitchRad, 3);
  });
});
