/** From views and materials to a frame: light, lens, noise and JPEG, the same for genuine clips and attacks. */
import sharp from 'sharp';
import type { Random } from '../../../testing/camera/capture/random.ts';
import { type FrameLight, GAMMA } from './light.ts';
import type { Material } from './materials.ts';
import { texel, type Looks, type Picture } from './surface.ts';

/** One camera in one place; the same for every frame of a clip. */
type Sensor = {
  exposure: number;
  gains: readonly [number, number, number];
  /** Light from one side: luminance at the left and right edge relative to the centre is 1 ∓ this. */
  slant: number;
  blurSigmaPx: number;
  noiseSigma: number;
  quality: number;
  /** Share of the frame's height in a screen's flicker band, and its strength. */
  bands: { perFrame: number; amplitude: number };
};

export function takeSensor(random: Random): Sensor {
  return {
    exposure: random.between(0.72, 1.18),
    gains: [random.between(0.93, 1.07), 1, random.between(0.92, 1.08)],
    slant: random.between(-0.16, 0.16),
    blurSigmaPx: random.between(0, 0.75),
    noiseSigma: random.between(1, 3.4),
    quality: Math.round(random.between(84, 93)),
    bands: {
      perFrame: random.between(1, 4),
      amplitude: random.between(0, 1) < 0.3 ? random.between(0.01, 0.04) : 0,
    },
  };
}

/** A part of the surface without its material: a hole that shows something live. */
export type Holes = { picture: Picture; inside: (u: number, v: number) => boolean; du: number };

export type Shot = {
  picture: Picture;
  looks: Looks;
  /** Null if the surface is the scene itself. */
  material: Material | null;
  room: Picture;
  holes: Holes | null;
  /** Position of the reflection, in shares of the frame. */
  glareAt: readonly [number, number];
  light: FrameLight;
  /**
   * Which of the picture's pixels are the person, 0 to 1, who alone is near the page's light. Null if all of the surface
   * is.
   */
  person: Float32Array | null;
};

const NOISE = noiseTable();

export async function expose(shot: Shot, sensor: Sensor, random: Random): Promise<Buffer> {
  const { picture, looks, material, room, holes, glareAt, person } = shot;
  const { near, far, unpainted, reflected } = shot.light;
  const { width, height } = picture;
  const out = new Uint8Array(3 * width * height);
  const tones = material && [0, 1, 2].map((channel) => toneCurve(material, reflected[channel] ?? 0));
  const dots = material && patternsOn(material);
  const noiseFrom = Math.floor(random.between(0, NOISE.length));
  const bandPhase = random.between(0, 2 * Math.PI);
  const soft = sensor.blurSigmaPx >= 0.3;
  const seen = new Float32Array(3);
  for (let y = 0, i = 0; y < height; y++) {
    const band =
      material && !material.lit
        ? 1 +
          sensor.bands.amplitude * Math.sin(bandPhase + (2 * Math.PI * sensor.bands.perFrame * y) / height)
        : 1;
    const glareDown = Math.exp(-(((y / height - glareAt[1]) / 0.3) ** 2));
    for (let x = 0; x < width; x++, i++) {
      const u = looks.u[i] as number;
      const v = looks.v[i] as number;
      const beside = Number.isNaN(u);
      const inMargin = material !== null && !beside && (u < 0 || v < 0 || u >= width || v >= height);
      const hole = holes !== null && !beside && holes.inside(u, v);
      const isNear = personAt(person, picture, u, v);
      const light = sensor.exposure * (1 + sensor.slant * (x / width - 0.5));
      const glare =
        material === null || beside || hole
          ? 0
          : material.reflection * glareDown * Math.exp(-(((x / width - glareAt[0]) / 0.22) ** 2));
      if (beside) texel(room, x + 0.5, y + 0.5, seen);
      else if (hole) texel(holes.picture, u + holes.du, v, seen);
      else if (!inMargin) texel(picture, u, v, seen);
      const factors = dots && !beside && !hole && !inMargin ? dots(u, v) : NO_DOTS;
      for (let channel = 0; channel < 3; channel++) {
        let value = seen[channel] as number;
        const [onNear, onFar] = [near[channel] as number, far[channel] as number];
        if (beside) value *= light * onFar;
        else if (hole) value *= light * onNear;
        else if (material === null || tones === null) value *= light * (onFar + isNear * (onNear - onFar));
        else {
          const shownPlain = unpainted[channel] as number;
          const shownLight = material.lit ? 1 : shownPlain + isNear * (onNear - shownPlain);
          const shown = inMargin
            ? material.marginLuma
            : ((tones[channel] as Float32Array)[Math.min(255, Math.round(shownLight * value))] as number);
          value =
            shown *
              (factors[channel] as number) *
              (material.tint[channel] ?? 1) *
              (material.lit ? light * onNear : band * sensor.exposure) +
            glare;
        }
        out[3 * i + channel] = Math.min(255, Math.max(0, value * (sensor.gains[channel] ?? 1) + 0.5));
      }
    }
  }
  const raw = { raw: { width, height, channels: 3 as const } };
  const pixels = soft
    ? await sharp(out, raw).blur(sensor.blurSigmaPx).raw().toBuffer()
    : Buffer.from(out.buffer);
  for (let at = 0, n = noiseFrom; at < pixels.length; at++, n++) {
    if (n >= NOISE.length) n = 0;
    const value = (pixels[at] as number) + sensor.noiseSigma * (NOISE[n] as number);
    pixels[at] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
  }
  return sharp(pixels, raw).jpeg({ quality: sensor.quality }).toBuffer();
}

/**
 * The material's effect on each value of the picture.
 * @param added light of the page that it reflects, linear
 */
function toneCurve({ black, white, gamma }: Material, added: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, value) => {
    const shown = black + (white - black) * (value / 255) ** gamma;
    return added === 0 ? shown : 255 * ((shown / 255) ** GAMMA + added) ** (1 / GAMMA);
  });
}

/** 1 if the person and the background cannot be distinguished. */
function personAt(person: Float32Array | null, { width, height }: Picture, u: number, v: number): number {
  if (person === null || Number.isNaN(u)) return 1;
  const x = Math.min(width - 1, Math.max(0, u | 0));
  const y = Math.min(height - 1, Math.max(0, v | 0));
  return person[y * width + x] as number;
}

const NO_DOTS: ArrayLike<number> = [1, 1, 1];

/** @returns factors on red, green and blue at a point of the surface, in an array that the next call fills again */
function patternsOn({ patterns }: Material): ((u: number, v: number) => ArrayLike<number>) | null {
  const strong = patterns
    .filter(({ amplitude }) => amplitude >= 0.002)
    .map(({ amplitude, cyclesPerPx, angleRad, phases }) => ({
      alongU: 2 * Math.PI * cyclesPerPx * Math.cos(angleRad),
      alongV: 2 * Math.PI * cyclesPerPx * Math.sin(angleRad),
      inPhase: phases.map((phase) => ({
        cosine: amplitude * Math.cos(2 * Math.PI * phase),
        sine: amplitude * Math.sin(2 * Math.PI * phase),
      })),
    }));
  if (strong.length === 0) return null;
  const factors = new Float64Array(3);
  return (u, v) => {
    factors.fill(1);
    for (const { alongU, alongV, inPhase } of strong) {
      const angle = alongU * u + alongV * v;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      inPhase.forEach((phase, channel) => {
        factors[channel] = (factors[channel] ?? 1) + cosine * phase.cosine - sine * phase.sine;
      });
    }
    return factors;
  };
}

/** A prime number of samples, so that neither rows nor frames repeat it in sync. */
function noiseTable(): Float32Array {
  let state = 12345;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Float32Array.from(
    { length: 262_147 },
    () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  );
}
