/** Synthetic faces: vectors that no camera can come near, and drawings for the pictures of a case. */
import sharp from 'sharp';
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import { toUnitLength } from '../../domain/matching/matching.ts';
import { createDice, type Dice } from './random.ts';

/** The face of the demo's `n`th person, always the same; a unit vector. */
export function demoFace(n: number, length: number): Float32Array {
  const dice = createDice(0x00fa_ce00 + n);
  // The sum of three uniform numbers approximates a normal one.
  return toUnitLength(Float32Array.from({ length }, () => dice.next() + dice.next() + dice.next() - 1.5));
}

/** A unit vector at this cosine to `face`, as for the same person or a relative. */
export function likeFace(face: Float32Array, cosine: number, dice: Dice): Float32Array {
  const other = demoFace(dice.below(2 ** 20), face.length);
  const along = other.reduce((sum, value, i) => sum + value * (face[i] ?? 0), 0);
  const across = toUnitLength(other.map((value, i) => value - along * (face[i] ?? 0)));
  const rest = Math.sqrt(1 - cosine * cosine);
  return toUnitLength(across.map((value, i) => cosine * (face[i] ?? 0) + rest * value));
}

const WIDTH = 480;
const HEIGHT = 640;
const EYES_Y = 312;
const EYE_DISTANCE = 104;
const JPEG_QUALITY = 78;
const SKIN = ['#f2d3bd', '#e3b593', '#c98f68', '#a56a45', '#7c4a2d', '#55311f'];
const HAIR = ['#2b211c', '#4a3326', '#6f4a2c', '#a8743c', '#c9b08a', '#7d7d80'];
const SHIRTS = ['#2f5d62', '#6b4f7a', '#8a5a44', '#37527a', '#586b3f', '#7a3f4b'];
/** How far the head is turned in each frame of a capture, and the shape of the mouth. */
const POSES = [
  { turn: 0, mouth: 8 },
  { turn: 6, mouth: 26 },
  { turn: -34, mouth: 6 },
];

export type DrawnFrame = { jpeg: Uint8Array; framing: FaceFraming };

/** Frames of one capture, best first: JPEG drawings of a synthetic person, chosen by `n`. */
export async function drawnFrames(n: number): Promise<DrawnFrame[]> {
  const dice = createDice(0x00d2_a300 + n);
  const look = {
    skin: dice.pick(SKIN),
    hair: dice.pick(HAIR),
    shirt: dice.pick(SHIRTS),
    hue: dice.below(360),
    width: 118 + dice.below(26),
    isLongHaired: dice.chance(0.5),
  };
  return Promise.all(
    POSES.map(async ({ turn, mouth }) => ({
      jpeg: await sharp(Buffer.from(drawing(look, turn, mouth)))
        .jpeg({ quality: JPEG_QUALITY })
        .toBuffer(),
      framing: {
        width: WIDTH,
        height: HEIGHT,
        eyesX: WIDTH / 2 + turn,
        eyesY: EYES_Y,
        interocularPx: EYE_DISTANCE,
        rollRad: 0,
      },
    })),
  );
}

type Look = {
  skin: string;
  hair: string;
  shirt: string;
  hue: number;
  width: number;
  isLongHaired: boolean;
};

function drawing({ skin, hair, shirt, hue, width, isLongHaired }: Look, turn: number, mouth: number): string {
  const x = WIDTH / 2;
  const eyes = x + turn;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
  <rect width="100%" height="100%" fill="hsl(${hue} 18% 78%)"/>
  ${isLongHaired ? `<rect x="${x - width - 22}" y="220" width="${2 * width + 44}" height="300" rx="90" fill="${hair}"/>` : ''}
  <path d="M${x - 200} 640 Q${x - 190} 505 ${x} 500 Q${x + 190} 505 ${x + 200} 640 Z" fill="${shirt}"/>
  <rect x="${x - 46}" y="420" width="92" height="110" rx="40" fill="${skin}"/>
  <ellipse cx="${x}" cy="310" rx="${width + 16}" ry="182" fill="${hair}"/>
  <ellipse cx="${x + turn / 4}" cy="328" rx="${width}" ry="164" fill="${skin}"/>
  <path d="M${x - width - 6} 268 Q${x} 130 ${x + width + 6} 268 Q${x + turn} 212 ${x - width - 6} 268 Z" fill="${hair}"/>
  <g fill="#fff"><ellipse cx="${eyes - EYE_DISTANCE / 2}" cy="${EYES_Y}" rx="22" ry="13"/><ellipse cx="${eyes + EYE_DISTANCE / 2}" cy="${EYES_Y}" rx="22" ry="13"/></g>
  <g fill="#2a2320"><circle cx="${eyes - EYE_DISTANCE / 2 + turn / 5}" cy="${EYES_Y}" r="10"/><circle cx="${eyes + EYE_DISTANCE / 2 + turn / 5}" cy="${EYES_Y}" r="10"/></g>
  <g stroke="${hair}" stroke-width="8" stroke-linecap="round"><path d="M${eyes - 78} 284 h50"/><path d="M${eyes + 28} 284 h50"/></g>
  <path d="M${eyes + 2} 326 q${turn / 3 + 12} 44 -6 52" fill="none" stroke="#0003" stroke-width="6"/>
  <ellipse cx="${x + turn * 0.8}" cy="424" rx="40" ry="${mouth}" fill="#8d3f3c"/>
</svg>`;
}
