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
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const a = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area;
        const b = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area;
        const c = 1 - a - b;
        if (a < EDGE_TOLERANCE || b < EDGE_TOLERANCE || c < EDGE_TOLERANCE) continue;
        const z = a * az + b * bz + c * cz;
        const at = y * width + x;
        if (z >= this.#depth[at]!) continue;
        this.#depth[at] = z;
        this.#texel(a * au + b * bu + c * cu, a * av + b * bv + c * cv, dark, out, 3 * at);
      }
    }
  }

  #texel(u: number, v: number, dark: number, out: Uint8Array, at: number): void {
    const { pixels, size } = this.#head.still;
    const x = Math.min(size.width - 1.001, Math.max(0, u));
    const y = Math.min(size.height - 1.001, Math.max(0, v));
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - x0, y - y0];
    const stride = 3 * size.width;
    const from = y0 * stride + 3 * x0;
    for (let channel = 0; channel < 3; channel++) {
      const p = from + channel;
      const above = pixels[p]! * (1 - fx) + pixels[p + 3]! * fx;
      const below = pixels[p + stride]! * (1 - fx) + pixels[p + stride + 3]! * fx;
      const value = above * (1 - fy) + below * fy;
      out[at + channel] = Math.round(value * (1 - dark) + MOUTH_RGB[channel]! * dark);
    }
  }
}
