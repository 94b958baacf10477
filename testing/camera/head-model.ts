/**
 * A head made from one still: MediaPipe's mesh, rings around it that move hair, ears and shoulders increasingly less,
 * and the fixed border of the picture. In flat mode everything is in one plane, like a photograph held up.
 */
import {
  CHEEK_LEFT,
  CHEEK_RIGHT,
  CHIN,
  FOREHEAD,
  LOWER_LIP,
  MOUTH_CORNER_LEFT,
  MOUTH_CORNER_RIGHT,
  OVAL,
  UPPER_LIP,
} from './face-points.ts';
import type { Triangle } from './mesh-triangles.ts';
import type { Still } from './still.ts';
import { distance, midpoint, scale, sub, transpose, type Mat3, type Vec3 } from './vectors.ts';

export const MESH_POINTS = 468;

export type Head = {
  still: Still;
  /** Resting position of each vertex, which is also the position of its texture in the still. */
  rest: Vec3[];
  /** How much of the head's movement each vertex follows, 0 to 1. */
  weights: number[];
  triangles: Triangle[];
  /** Point about which the head turns: near the neck's axis. */
  pivot: Vec3;
  /** Removes the pose of the head in the photo (in MediaPipe's camera axes). */
  neutralise: Mat3;
  /** Directions and lengths of this face. */
  up: Vec3;
  right: Vec3;
  faceWidthPx: number;
  faceHeightPx: number;
  mouthWidthPx: number;
  mouthMiddle: Vec3;
};

/** Size relative to the oval, share of the head's movement, depth behind the oval in face widths. */
const RINGS = [
  { size: 1.12, weight: 1, depth: 0.04 },
  { size: 1.35, weight: 0.95, depth: 0.12 },
  { size: 1.8, weight: 0.6, depth: 0.2 },
  { size: 2.6, weight: 0.15, depth: 0.25 },
] as const;
const BORDER_DEPTH = 0.35;
/** How far outside the picture its border's vertices are, in picture widths; a held photo ends near its edge. */
const BORDER_REACH = { scene: 6, flat: 1.2 } as const;

export function headModel(still: Still, meshTriangles: readonly Triangle[], flat: boolean): Head {
  const face = still.landmarks.slice(0, MESH_POINTS);
  const at = (index: number) => face[index]!;
  const faceWidthPx = distance(at(CHEEK_RIGHT), at(CHEEK_LEFT));
  const faceHeightPx = distance(at(FOREHEAD), at(CHIN));
  const centre = midpoint(at(CHEEK_RIGHT), at(CHEEK_LEFT));
  const rest = face.map((point): Vec3 => [...point]);
  const weights = face.map(() => 1);
  const triangles: Triangle[] = [...meshTriangles];

  let inner: readonly number[] = OVAL;
  const addRing = (place: (point: Vec3) => Vec3, weight: number) => {
    const outer = OVAL.map((index) => {
      weights.push(weight);
      return rest.push(place(at(index))) - 1;
    });
    OVAL.forEach((_, index) => {
      const next = (index + 1) % OVAL.length;
      triangles.push(
        [inner[index]!, inner[next]!, outer[index]!],
        [inner[next]!, outer[next]!, outer[index]!],
      );
    });
    inner = outer;
  };
  for (const { size, weight, depth } of RINGS) {
    addRing(
      ([x, y, z]) => [
        centre[0] + (x - centre[0]) * size,
        centre[1] + (y - centre[1]) * size,
        z + depth * faceWidthPx,
      ],
      weight,
    );
  }
  const reach = BORDER_REACH[flat ? 'flat' : 'scene'] * Math.max(still.size.width, still.size.height);
  addRing(([x, y]) => {
    const factor = reach / Math.hypot(x - centre[0], y - centre[1]);
    return [
      centre[0] + (x - centre[0]) * factor,
      centre[1] + (y - centre[1]) * factor,
      centre[2] + BORDER_DEPTH * faceWidthPx,
    ];
  }, 0);
  if (flat) {
    weights.fill(1);
    for (const point of rest) point[2] = centre[2];
  }
  return {
    still,
    rest,
    weights,
    triangles,
    pivot: [
      centre[0],
      centre[1] + (flat ? 0 : 0.1 * faceHeightPx),
      centre[2] + (flat ? 0 : 0.15 * faceWidthPx),
    ],
    neutralise: flat ? IDENTITY : transpose(rotationOf(still.matrix)),
    up: scale(sub(at(FOREHEAD), at(CHIN)), 1 / faceHeightPx),
    right: scale(sub(at(CHEEK_LEFT), at(CHEEK_RIGHT)), 1 / faceWidthPx),
    faceWidthPx,
    faceHeightPx,
    mouthWidthPx: distance(at(MOUTH_CORNER_RIGHT), at(MOUTH_CORNER_LEFT)),
    mouthMiddle: midpoint(at(UPPER_LIP), at(LOWER_LIP)),
  };
}

const IDENTITY: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const rotationOf = (matrix: number[]): Mat3 => {
  const row = (index: number): Vec3 => [matrix[index]!, matrix[4 + index]!, matrix[8 + index]!];
  return [row(0), row(1), row(2)];
};
