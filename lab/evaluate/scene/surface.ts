/**
 * The camera's view through its lens: a surface (the scene itself, a sheet of paper, a screen) in front of a room.
 * Lengths are pixels at the distance where one pixel of the surface is one of the frame.
 */
import { headRotation, inImageAxes, transpose, apply, type Vec3 } from '../../../testing/camera/vectors.ts';

export type Picture = { width: number; height: number; pixels: Uint8Array };

export type SurfacePose = {
  yawDeg: number;
  pitchDeg: number;
  rollDeg: number;
  dxPx: number;
  dyPx: number;
  zoom: number;
  /** Radius of a sheet bent about a vertical axis, its edges away from the camera; null if flat. */
  bendRadiusPx: number | null;
};

/** The surface coordinates of each pixel of the frame, NaN outside. */
export type Looks = { u: Float32Array; v: Float32Array };

/** Like the scripted camera's. */
const FOCAL_WIDTHS = 1.3;

/** @param overhang by how much the surface extends beyond the picture on each side, in pixels: a margin, a bezel */
export function lookAt(size: { width: number; height: number }, pose: SurfacePose, overhang: number): Looks {
  const { width, height } = size;
  const focal = FOCAL_WIDTHS * width;
  const toSheet = transpose(inImageAxes(headRotation(pose.yawDeg, pose.pitchDeg, pose.rollDeg)));
  const centre: Vec3 = [pose.dxPx / pose.zoom, pose.dyPx / pose.zoom, focal / pose.zoom];
  const [ox, oy, oz] = apply(toSheet, [-centre[0], -centre[1], -centre[2]]);
  const u = new Float32Array(width * height);
  const v = new Float32Array(width * height);
  const ray: Vec3 = [0, 0, 1];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      ray[0] = (x + 0.5 - width / 2) / focal;
      ray[1] = (y + 0.5 - height / 2) / focal;
      const [rx, ry, rz] = apply(toSheet, ray);
      const hit = pose.bendRadiusPx === null ? -oz / rz : nearest(ox, oz, rx, rz, pose.bendRadiusPx);
      const sx = ox + hit * rx;
      const across = pose.bendRadiusPx === null ? sx : pose.bendRadiusPx * Math.asin(sx / pose.bendRadiusPx);
      const px = across + width / 2;
      const py = oy + hit * ry + height / 2;
      const outside =
        !(hit > 0) || px < -overhang || py < -overhang || px > width + overhang || py > height + overhang;
      u[i] = outside ? NaN : px;
      v[i] = outside ? NaN : py;
    }
  }
  return { u, v };
}

/** First point of the ray on the cylinder `x² + (z − radius)² = radius²`; NaN if it misses. */
function nearest(ox: number, oz: number, rx: number, rz: number, radius: number): number {
  const z = oz - radius;
  const a = rx * rx + rz * rz;
  const b = ox * rx + z * rz;
  const c = ox * ox + z * z - radius * radius;
  return (-b - Math.sqrt(b * b - a * c)) / a;
}

/** Bilinear; beyond the edge its last pixel. @param out takes red, green and blue */
export function texel({ pixels, width, height }: Picture, u: number, v: number, out: Float32Array): void {
  const x = Math.min(width - 1.001, Math.max(0, u - 0.5));
  const y = Math.min(height - 1.001, Math.max(0, v - 0.5));
  const x0 = x | 0;
  const y0 = y | 0;
  const fx = x - x0;
  const fy = y - y0;
  const stride = 3 * width;
  const from = y0 * stride + 3 * x0;
  for (let channel = 0; channel < 3; channel++) {
    const p = from + channel;
    const above = (pixels[p] as number) * (1 - fx) + (pixels[p + 3] as number) * fx;
    const below = (pixels[p + stride] as number) * (1 - fx) + (pixels[p + stride + 3] as number) * fx;
    out[channel] = above * (1 - fy) + below * fy;
  }
}
