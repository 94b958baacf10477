/** How paper and screens change the picture. */
import type { Random } from '../../../testing/camera/capture/random.ts';

/** Regular dots or stripes: relative amplitude in the frame, cycles per pixel of the surface, direction, phases. */
export type Pattern = {
  amplitude: number;
  cyclesPerPx: number;
  angleRad: number;
  /** Of red, green and blue, in cycles. */
  phases: readonly [number, number, number];
};

export type Material = {
  /** Values, 0 to 255, that black and white become. */
  black: number;
  white: number;
  gamma: number;
  tint: readonly [number, number, number];
  patterns: Pattern[];
  /** Width of the margin in pixels, and its luminance. */
  marginPx: number;
  marginLuma: number;
  /** Maximum luminance that a reflection of the room adds. */
  reflection: number;
  /** Whether it reflects the room’s light rather than emitting its own. */
  lit: boolean;
};

/** Fill factor 1 and a lens that blurs by this much, in pixels of the frame. */
const LENS_SIGMA_PX = 0.45;

/**
 * Remaining amplitude of a sinusoid of `f` cycles per frame pixel after lens and pixel aperture. Sampling then folds
 * it down to a lower frequency, which is moiré.
 */
function transferOf(f: number): number {
  const aperture = f === 0 ? 1 : Math.abs(Math.sin(Math.PI * f) / (Math.PI * f));
  return aperture * Math.exp(-2 * (Math.PI * LENS_SIGMA_PX * f) ** 2);
}

const pattern = (
  contrast: number,
  cyclesPerPx: number,
  angleRad: number,
  colour: boolean,
  random: Random,
): Pattern => {
  const phase = random.between(0, 1);
  return {
    amplitude: contrast * transferOf(cyclesPerPx),
    cyclesPerPx,
    angleRad,
    phases: colour ? [phase, phase + 1 / 3, phase + 2 / 3] : [phase, phase, phase],
  };
};

/** Two in five are from a photo laboratory, without dots; the others from a printer. */
export function paper(random: Random): Material {
  const dotted = random.between(0, 1) < 0.6;
  const cycles = random.between(0.35, 1.3);
  const angle = random.between(0.1, 0.8);
  return {
    black: random.between(14, 42),
    white: random.between(205, 242),
    gamma: random.between(0.9, 1.15),
    tint: [random.between(0.97, 1.03), 1, random.between(0.95, 1.02)],
    patterns: dotted
      ? [
          pattern(0.45, cycles, angle, false, random),
          pattern(0.45, cycles, angle + Math.PI / 2, false, random),
        ]
      : [],
    marginPx: random.between(0, 24),
    marginLuma: random.between(200, 240),
    reflection: random.between(0, 26),
    lit: true,
  };
}

/**
 * How many pixels of a screen one pixel of the frame covers. `COARSE` is a monitor or tablet that shows the face in its
 * usual size; `FINE` is a phone, whose pixels no camera resolves at that distance.
 */
export const COARSE = { from: 0.4, to: 1.6 } as const;
export const FINE = { from: 2, to: 6 } as const;

/**
 * Stripes of red, green and blue in one direction, the black between the lines in the other; fundamentals of their
 * series.
 */
export function screen(random: Random, pixels: { from: number; to: number }): Material {
  const cycles = random.between(pixels.from, pixels.to);
  const angle = random.between(-0.06, 0.06);
  return {
    black: random.between(4, 22),
    white: random.between(225, 255),
    gamma: random.between(0.9, 1.15),
    tint: [random.between(0.93, 1), 1, random.between(1, 1.08)],
    patterns: [
      pattern(1.65, cycles, angle, true, random),
      pattern(random.between(0.2, 0.5), cycles, angle + Math.PI / 2, false, random),
    ],
    marginPx: random.between(8, 40),
    marginLuma: random.between(6, 30),
    reflection: random.between(4, 34),
    lit: false,
  };
}
