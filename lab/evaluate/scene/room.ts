/** Walls with frames, bookcases and posters, because straight edges occur in every room, not only around attacks. */
import type { Random } from '../../../testing/camera/capture/random.ts';
import { CHEEK_LEFT, CHEEK_RIGHT, CHIN, FOREHEAD } from '../../../testing/camera/face-points.ts';
import type { Still } from '../../../testing/camera/still.ts';
import { distance, midpoint, smoothstep, type Vec3 } from '../../../testing/camera/vectors.ts';
import type { Picture } from './surface.ts';

type Block = {
  x: number;
  y: number;
  width: number;
  height: number;
  rgb: readonly [number, number, number];
  opacity: number;
};

function furniture(random: Random, { width, height }: { width: number; height: number }): Block[] {
  const count = Math.floor(random.between(2, 7));
  return Array.from({ length: count }, () => {
    const grey = random.between(20, 225);
    const upright = random.between(0, 1) < 0.6;
    return {
      x: random.between(-0.1, 1) * width,
      y: random.between(-0.2, 0.8) * height,
      width: (upright ? random.between(0.03, 0.3) : random.between(0.2, 0.8)) * width,
      height: (upright ? random.between(0.4, 1.3) : random.between(0.04, 0.3)) * height,
      rgb: [grey + random.between(-15, 15), grey, grey + random.between(-15, 15)],
      opacity: random.between(0.5, 1),
    };
  });
}

function blockAt(blocks: readonly Block[], x: number, y: number): Block | undefined {
  return blocks.findLast((b) => x >= b.x && x < b.x + b.width && y >= b.y && y < b.y + b.height);
}

/** The attacker's surroundings. */
export function emptyRoom(random: Random, size: { width: number; height: number }): Picture {
  const { width, height } = size;
  const blocks = furniture(random, size);
  const wall = random.between(60, 200);
  const pixels = new Uint8Array(3 * width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = blockAt(blocks, x, y);
      for (let channel = 0; channel < 3; channel++, at++) {
        const plain = wall * (0.85 + 0.3 * (y / height));
        const value = block ? plain * (1 - block.opacity) + (block.rgb[channel] ?? 0) * block.opacity : plain;
        pixels[at] = Math.min(255, Math.max(0, value));
      }
    }
  }
  return { width, height, pixels };
}

/** The person's area in the still: 1 inside head and shoulders, 0 outside, soft in between. */
export function personMask(still: Still): Float32Array {
  const { width, height } = still.size;
  const outline = outlineOf(still);
  const mask = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) mask[i] = 1 - outside(outline, x, y);
  }
  return mask;
}

/** Whether a point of the still is on the face itself, forehead to chin: the area that a mask covers. */
export function faceOutline(still: Still): (x: number, y: number) => boolean {
  const { middle, halfWidth, halfHeight } = outlineOf(still);
  return (x, y) =>
    Math.hypot((x - middle[0]) / (1.1 * halfWidth), (y - middle[1]) / (1.12 * halfHeight)) <= 1;
}

type Outline = { middle: Vec3; halfWidth: number; halfHeight: number };

function outlineOf({ size, landmarks }: Still): Outline {
  const at = (index: number): Vec3 => landmarks[index] ?? [size.width / 2, size.height / 2, 0];
  return {
    middle: midpoint(at(FOREHEAD), at(CHIN)),
    halfWidth: distance(at(CHEEK_RIGHT), at(CHEEK_LEFT)) / 2,
    halfHeight: distance(at(FOREHEAD), at(CHIN)) / 2,
  };
}

/** 0 inside head and shoulders, 1 outside. */
function outside({ middle, halfWidth, halfHeight }: Outline, x: number, y: number): number {
  const [dx, dy] = [(x - middle[0]) / halfWidth, (y - middle[1]) / halfHeight];
  const head = Math.hypot(dx / 1.75, dy / 1.8);
  const shoulders = dy < 0.7 ? Infinity : Math.abs(dx) / (1.7 + (dy - 0.7));
  return smoothstep((Math.min(head, shoulders) - 1) / 0.06);
}

/** The still with such a wall behind the person: the area outside head and shoulders is partly covered. */
export function furnished(still: Still, random: Random): Still {
  const { width, height } = still.size;
  const outline = outlineOf(still);
  const blocks = furniture(random, still.size);
  const pixels = Uint8Array.from(still.pixels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = blockAt(blocks, x, y);
      if (!block) continue;
      const share = block.opacity * outside(outline, x, y);
      for (let channel = 0, i = 3 * (y * width + x); channel < 3; channel++, i++) {
        pixels[i] = Math.min(
          255,
          Math.max(0, (pixels[i] ?? 0) * (1 - share) + (block.rgb[channel] ?? 0) * share),
        );
      }
    }
  }
  return { ...still, pixels };
}
