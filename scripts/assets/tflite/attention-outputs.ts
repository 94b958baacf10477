/**
 * Joins the seven outputs of the attention face mesh (468 points, refined lips, eyes and irises, presence) into the
 * two that the Face Landmarker task expects: 478 × (x, y, z) and presence. Which refined point replaces which mesh
 * point is MediaPipe's own mapping (tensors_to_face_landmarks_with_attention.pbtxt).
 */
import type { GraphEdit } from './tflite-rewrite.ts';

/* oxfmt-ignore */
const LIPS = [
  61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409, 78, 95, 88, 178, 87, 14,
  317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415, 76, 77, 90, 180, 85, 16, 315, 404, 320, 307, 306,
  184, 74, 73, 72, 11, 302, 303, 304, 408, 62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292, 183, 42, 41, 38, 12, 268,
  271, 272, 407,
];
/* oxfmt-ignore */
const LEFT_EYE = [
  33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110, 24, 23, 22, 26, 112, 243,
  247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232, 233, 244, 113, 225, 224, 223, 222, 221, 189, 35, 124,
  46, 53, 52, 65, 143, 111, 117, 118, 119, 120, 121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
];
/* oxfmt-ignore */
const RIGHT_EYE = [
  263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255, 339, 254, 253, 252, 256,
  341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449, 450, 451, 452, 453, 464, 342, 445, 444, 443, 442,
  441, 413, 265, 353, 276, 283, 282, 295, 372, 340, 346, 347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336,
  285, 417,
];

const MESH_POINTS = 468;
const IRIS_POINTS = 5;
/** The first points of an eye's map are on the lids; their mean depth is used for the iris, which has none. */
const LID_POINTS = 16;
const LANDMARK_VALUES = 3 * (MESH_POINTS + 2 * IRIS_POINTS);

/** Start of each output in the concatenation of all, in values. */
const START = {
  mesh: 0,
  lips: 3 * MESH_POINTS,
  leftEye: 3 * MESH_POINTS + 2 * LIPS.length,
  rightEye: 3 * MESH_POINTS + 2 * (LIPS.length + LEFT_EYE.length),
  leftIris: 3 * MESH_POINTS + 2 * (LIPS.length + LEFT_EYE.length + RIGHT_EYE.length),
} as const;
const RIGHT_IRIS = START.leftIris + 2 * IRIS_POINTS;
const IRIS_DEPTH = RIGHT_IRIS + 2 * IRIS_POINTS;
const JOINED_VALUES = IRIS_DEPTH + 2;

/** For each of the 478 × 3 values: its index in the joined outputs. */
export function landmarkSources(): Int32Array {
  const sources = new Int32Array(LANDMARK_VALUES);
  for (let value = 0; value < 3 * MESH_POINTS; value++) sources[value] = START.mesh + value;
  const refine = (points: readonly number[], start: number) => {
    points.forEach((point, index) => {
      sources[3 * point] = start + 2 * index;
      sources[3 * point + 1] = start + 2 * index + 1;
    });
  };
  refine(LIPS, START.lips);
  refine(LEFT_EYE, START.leftEye);
  refine(RIGHT_EYE, START.rightEye);
  [START.leftIris, RIGHT_IRIS].forEach((start, eye) => {
    for (let index = 0; index < IRIS_POINTS; index++) {
      const point = MESH_POINTS + IRIS_POINTS * eye + index;
      sources.set([start + 2 * index, start + 2 * index + 1, IRIS_DEPTH + eye], 3 * point);
    }
  });
  return sources;
}

const lidDepths = () =>
  Int32Array.from(
    [...LEFT_EYE.slice(0, LID_POINTS), ...RIGHT_EYE.slice(0, LID_POINTS)],
    (point) => 3 * point + 2,
  );

/** Graph edit for `face_landmark_with_attention.tflite`. */
export const joinAttentionOutputs: GraphEdit = (graph, outputs) => {
  // In the model's order: mesh, lips, left eye, right eye, left iris, right iris, presence.
  const parts = outputs.slice(0, -1);
  const mesh = outputs[0];
  const presence = outputs[6];
  if (mesh === undefined || presence === undefined || outputs.length !== 7) {
    throw new Error(`expected the attention model's 7 outputs, found ${outputs.length}`);
  }
  const lidDepth = graph.value('iris_z_src', [1, 1, 1, 2, LID_POINTS]);
  const irisDepth = graph.value('iris_z', [1, 1, 1, 2]);
  const joined = graph.value('all', [1, 1, 1, JOINED_VALUES]);
  const landmarks = graph.value('landmarks', [1, 1, 1, LANDMARK_VALUES]);
  const alongLast = [{ slot: 0, i32: 3 }];
  graph.operator('gather', [mesh, graph.constant('zi', [2, LID_POINTS], lidDepths())], lidDepth, alongLast);
  graph.operator('mean', [lidDepth, graph.constant('ax', [1], Int32Array.of(4))], irisDepth, [
    { slot: 0, u8: 0 },
  ]);
  graph.operator('concatenation', [...parts, irisDepth], joined, alongLast);
  graph.operator(
    'gather',
    [joined, graph.constant('idx', [LANDMARK_VALUES], landmarkSources())],
    landmarks,
    alongLast,
  );
  return [landmarks, presence];
};
