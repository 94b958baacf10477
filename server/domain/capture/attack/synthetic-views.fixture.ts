/** Camera views of synthetic points, for exact tests of the geometry without pictures. */
import { RELIEF, RELIEF_POINTS } from './parallax.ts';

type ViewOf = {
  yawDeg?: number;
  pitchDeg?: number;
  rollDeg?: number;
  zoom?: number;
  dxPx?: number;
  dyPx?: number;
};

type Vector = readonly [number, number, number];

const INTEROCULAR_PX = 90;
const DISTANCE = 9;
const LANDMARKS = 68;

/** Frontal positions of the relief points of an ordinary face, in interocular distances, y down. */
/* oxfmt-ignore */
const FRONT: Readonly<Record<number, readonly [number, number]>> = {
  17: [-0.95, -0.3], 18: [-0.8, -0.42], 19: [-0.6, -0.45], 20: [-0.4, -0.42], 21: [-0.2, -0.36],
  22: [0.2, -0.36], 23: [0.4, -0.42], 24: [0.6, -0.45], 25: [0.8, -0.42], 26: [0.95, -0.3],
  27: [0, -0.05], 28: [0, 0.16], 29: [0, 0.37], 30: [0, 0.56], 31: [-0.22, 0.72], 32: [-0.1, 0.76], 33: [0, 0.79],
  34: [0.1, 0.76], 35: [0.22, 0.72],
  36: [-0.7, 0], 37: [-0.58, -0.08], 38: [-0.42, -0.08], 39: [-0.3, 0.02], 40: [-0.42, 0.07], 41: [-0.58, 0.07],
  42: [0.3, 0.02], 43: [0.42, -0.08], 44: [0.58, -0.08], 45: [0.7, 0], 46: [0.58, 0.07], 47: [0.42, 0.07],
  48: [-0.4, 1.15], 51: [0, 1.08], 54: [0.4, 1.15], 57: [0, 1.32],
};

/**
 * @param depth how far a point protrudes toward the camera, in interocular distances, by its frontal position
 */
function view(depth: (x: number, y: number, place: number) => number, of: ViewOf): Float32Array {
  const { yawDeg = 0, pitchDeg = 0, rollDeg = 0, zoom = 1, dxPx = 0, dyPx = 0 } = of;
  const landmarks = new Float32Array(2 * LANDMARKS);
  RELIEF_POINTS.forEach((index, place) => {
    const [x, y] = FRONT[index] ?? [0, 0];
    const [tx, ty, tz] = turned([x, y, depth(x, y, place)], yawDeg, pitchDeg, rollDeg);
    const scale = (INTEROCULAR_PX * zoom * DISTANCE) / (DISTANCE - tz);
    landmarks[2 * index] = 320 + dxPx + scale * tx;
    landmarks[2 * index + 1] = 240 + dyPx + scale * ty;
  });
  return landmarks;
}

/** Positive yaw moves protruding points to the image's right; positive pitch moves them upward. */
function turned([x, y, z]: Vector, yawDeg: number, pitchDeg: number, rollDeg: number): Vector {
  const [yaw, pitch, roll] = [yawDeg, pitchDeg, rollDeg].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const x1 = x * Math.cos(yaw) + z * Math.sin(yaw);
  const z1 = z * Math.cos(yaw) - x * Math.sin(yaw);
  const y2 = y * Math.cos(pitch) - z1 * Math.sin(pitch);
  const z2 = z1 * Math.cos(pitch) + y * Math.sin(pitch);
  return [x1 * Math.cos(roll) - y2 * Math.sin(roll), x1 * Math.sin(roll) + y2 * Math.cos(roll), z2];
}

export const headView = (of: ViewOf = {}): Float32Array =>
  view((_x, _y, place) => (RELIEF[place] ?? 0) - 0.7, of);
export const planeView = (of: ViewOf = {}): Float32Array => view(() => 0, of);
/**
 * Paper bent about a vertical axis, edges away from the camera.
 * @param radius in interocular distances
 */
export const bentView = (radius: number, of: ViewOf = {}): Float32Array =>
  view((x) => Math.sqrt(radius ** 2 - x ** 2) - radius, of);
