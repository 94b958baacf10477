/**
 * How far each point of an average face protrudes toward the camera, by iBUG index, in interocular distances
 * (rounded measurements of MediaPipe's canonical face). Leaves out the jaw: landmark models place it on the
 * outline, which slides over the skin when the head turns. Also leaves out the lips, except their corners and
 * centres.
 */
const CANONICAL_INTEROCULAR_CM = 6.3;

/** Centimetres; the right half of each pair mirrors the left. */
/* oxfmt-ignore */
const DEPTH_CM: readonly (readonly [index: number, depthCm: number])[] = [
  [17, 3.0], [18, 4.3], [19, 4.9], [20, 5.2], [21, 5.3], [22, 5.3], [23, 5.2], [24, 4.9], [25, 4.3], [26, 3.0],
  [27, 5.24], [28, 6.32], [29, 7.1], [30, 7.55], [31, 5.24], [32, 5.87], [33, 6.06], [34, 5.87], [35, 5.24],
  [36, 3.17], [37, 3.9], [38, 4.05], [39, 3.76], [40, 3.8], [41, 3.75],
  [42, 3.76], [43, 4.05], [44, 3.9], [45, 3.17], [46, 3.75], [47, 3.8],
  [48, 4.28], [51, 6.1], [54, 4.28], [57, 5.9],
];

export const RELIEF_POINTS: readonly number[] = DEPTH_CM.map(([index]) => index);
/** In the order of `RELIEF_POINTS`. */
export const RELIEF: readonly number[] = DEPTH_CM.map(([, depthCm]) => depthCm / CANONICAL_INTEROCULAR_CM);
