/** Draws the head's triangles with the still as their texture: bilinear, with a depth buffer. */
import { INNER_MOUTH } from './face-points.ts';
import type { Head } from './head-model.ts';
import type { Triangle } from './mesh-triangles.ts';
import type { Vec3 } from './vectors.ts';

/** Colour of the inside of an open mouth, and of the background behind a photograph that is held up. */
const MOUTH_RGB = [45, 12, 16] as const;
const BACKDROP_GREY = 96;
const EDGE_TOLERANCE = -1e-4;

export class Rasteriser {
  readonly #head: Head;
  readonly #depth: Float32Array;
  readonly #insideMouth: boolean[];

  constructor(head: Head) {
    this.#head = head;
    this.#depth = new Float32Array(head.still.size.width * head.still.size.height);
    this.#insideMouth = head.triangles.map((corners) => corners.every((index) => INNER_MOUTH.has(index)));
  }

  /** @param mouthDark how far the mouth's inside covers the photo there, 0 to 1 */
  draw(projected: readonly Vec3[], mouthDark: number): Uint8Array {
    const out = new Uint8Array(3 * this.#depth.length).fill(BACKDROP_GREY);
    this.#depth.fill(Infinity);
    this.#head.triangles.forEach((triangle, index) => {
      this.#triangle(triangle, projected, this.#insideMouth[index] === true ? mouthDark : 0, out);
    });
    return out;
  }

  #triangle([ia, ib, ic]: Triangle, projected: readonly Vec3[], dark: number, out: Uint8Array): void {
    const { width, height } = this.#head.still.size;
    const [ax, ay, az] = projected[ia]!;
    const [bx, by, bz] = projected[ib]!;
    const [cx, cy, cz] = projected[ic]!;
    const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
    if (Math.abs(area) < 1e-6) return;
    const [au, av] = this.#head.rest[ia]!;
    const [bu, bv] = this.#head.rest[ib]!;
    const [cu, cv] = this.#head.rest[ic]!;
    const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
    const top = Math.max(0, Math.floor(Math.min(ay, by, cy)));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
    const { pixels } = this.#head.still;
    const depth = this.#depth;
    const stride = 3 * width;
    for (let y = top; y <= bottom; y++) {
      const rowA = (cx - bx) * (y - cy);
      const rowB = (ax - cx) * (y - cy);
      // The corners' shares are linear in x. Most of a large triangle's rectangle is outside it, so only the part where
      // all of them can reach the tolerance is visited, and a pixel more for rounding.
      const [slopeA, slopeB] = [(by - cy) / area, (cy - ay) / area];
      const [startA, startB] = [rowA / area - slopeA * cx, rowB / area - slopeB * cx];
      let from = left;
      let to = right;
      const keepWhere = (start: number, slope: number) => {
        if (Math.abs(slope) < 1e-9) return;
        const edge = (EDGE_TOLERANCE - start) / slope;
        if (slope > 0) from = Math.max(from, Math.floor(edge) - 1);
        else to = Math.min(to, Math.ceil(edge) + 1);
      };
      keepWhere(startA, slopeA);
      keepWhere(startB, slopeB);
      keepWhere(1 - startA - startB, -slopeA - slopeB);
      for (let x = from; x <= to; x++) {
        const a = ((by - cy) * (x - cx) + rowA) / area;
        const b = ((cy - ay) * (x - cx) + rowB) / area;
        const c = 1 - a - b;
        if (a < EDGE_TOLERANCE || b < EDGE_TOLERANCE || c < EDGE_TOLERANCE) continue;
        const z = a * az + b * bz + c * cz;
        const at = y * width + x;
        if (z >= depth[at]!) continue;
        depth[at] = z;
        // Bilinear.
        const u = Math.min(width - 1.001, Math.max(0, a * au + b * bu + c * cu));
        const v = Math.min(height - 1.001, Math.max(0, a * av + b * bv + c * cv));
        const u0 = Math.floor(u);
        const v0 = Math.floor(v);
        const fu = u - u0;
        const fv = v - v0;
        let p = v0 * stride + 3 * u0;
        for (let channel = 0; channel < 3; channel++, p++) {
          const above = pixels[p]! * (1 - fu) + pixels[p + 3]! * fu;
          const below = pixels[p + stride]! * (1 - fu) + pixels[p + stride + 3]! * fu;
          const value = above * (1 - fv) + below * fv;
          // Halves round up, because an array of bytes drops the fraction.
          out[3 * at + channel] =
            (dark === 0 ? value : value * (1 - dark) + MOUTH_RGB[channel]! * dark) + 0.5;
        }
      }
    }
  }
}
