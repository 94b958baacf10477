/** Small 3-D algebra of the renderer. Image axes: x right, y down, z away from the camera, all in pixels. */
export type Vec3 = [number, number, number];
export type Mat3 = [Vec3, Vec3, Vec3];

export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const scale = (a: Vec3, factor: number): Vec3 => [a[0] * factor, a[1] * factor, a[2] * factor];
export const distance = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const midpoint = (a: Vec3, b: Vec3): Vec3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
export const lerp = (from: number, to: number, share: number) => from + (to - from) * share;

/** 0 below 0, 1 above 1, a smooth S in between. */
export const smoothstep = (value: number) => {
  const clamped = Math.min(1, Math.max(0, value));
  return clamped * clamped * (3 - 2 * clamped);
};

export const apply = (m: Mat3, v: Vec3): Vec3 => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
export const transpose = (m: Mat3): Mat3 => [
  [m[0][0], m[1][0], m[2][0]],
  [m[0][1], m[1][1], m[2][1]],
  [m[0][2], m[1][2], m[2][2]],
];
export const multiply = (a: Mat3, b: Mat3): Mat3 => {
  const columns = transpose(b);
  const row = (r: Vec3): Vec3 => [dot(r, columns[0]), dot(r, columns[1]), dot(r, columns[2])];
  return [row(a[0]), row(a[1]), row(a[2])];
};

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * Head rotation in MediaPipe's camera axes (x right, y up, z toward the camera). Degrees; yaw > 0 points the nose to
 * the image's right, pitch > 0 upward.
 */
export function headRotation(yawDeg: number, pitchDeg: number, rollDeg: number): Mat3 {
  const [cy, sy] = [Math.cos(radians(yawDeg)), Math.sin(radians(yawDeg))];
  const [cp, sp] = [Math.cos(radians(-pitchDeg)), Math.sin(radians(-pitchDeg))];
  const [cr, sr] = [Math.cos(radians(rollDeg)), Math.sin(radians(rollDeg))];
  const aboutY: Mat3 = [
    [cy, 0, sy],
    [0, 1, 0],
    [-sy, 0, cy],
  ];
  const aboutX: Mat3 = [
    [1, 0, 0],
    [0, cp, -sp],
    [0, sp, cp],
  ];
  const aboutZ: Mat3 = [
    [cr, -sr, 0],
    [sr, cr, 0],
    [0, 0, 1],
  ];
  return multiply(aboutY, multiply(aboutX, aboutZ));
}

const FLIP: Mat3 = [
  [1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
];
/** A rotation in camera axes, converted to image axes. */
export const inImageAxes = (rotation: Mat3): Mat3 => multiply(multiply(FLIP, rotation), FLIP);
