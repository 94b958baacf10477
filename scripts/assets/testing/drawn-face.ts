/**
 * A face drawn by arithmetic: the same pixels on every machine, and of no real person. For tests of the embedding
 * model.
 */
import { planes, type Planes } from '../../../server/face/pictures/resample.ts';

type Look = {
  /** Red, green and blue of the skin, 0 to 255. */
  skin: readonly [number, number, number];
  /** Half the distance between the eyes, as a share of the picture's width. */
  eyes: number;
  /** Half the width of the mouth, likewise. */
  mouth: number;
  /** Direction of the light: −1 is the left, 1 the right. */
  light: number;
};

export const LOOKS: readonly Look[] = [
  { skin: [214, 168, 146], eyes: 0.17, mouth: 0.15, light: -0.4 },
  { skin: [122, 84, 66], eyes: 0.19, mouth: 0.19, light: 0.5 },
  { skin: [176, 132, 108], eyes: 0.15, mouth: 0.12, light: 0 },
];

/** Aligned as the embedding model expects: eyes at 46 %, mouth at 82 % of the height. */
export function drawnFace({ skin, eyes, mouth, light }: Look, side: number): Planes {
  const face = planes(side, side);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const x = (column + 0.5) / side - 0.5;
      const y = (row + 0.5) / side;
      const head = spot(x / 0.44, (y - 0.56) / 0.56, 8);
      const eye = spot((Math.abs(x) - eyes) / 0.07, (y - 0.46) / 0.035, 4);
      const brow = spot((Math.abs(x) - eyes) / 0.1, (y - 0.36) / 0.02, 4);
      const lips = spot(x / mouth, (y - 0.82) / 0.035, 4);
      const nose = spot((x - 0.05 * light) / 0.05, (y - 0.58) / 0.14, 2);
      const lit = 0.75 + 0.25 * light * Math.sin(3 * x) + 0.2 * nose;
      skin.forEach((tone, channel) => {
        const dark = 1 - 0.75 * eye - 0.6 * brow - (channel === 0 ? 0.2 : 0.45) * lips;
        const value = head * tone * lit * Math.max(0, dark) + (1 - head) * 40;
        face.data[channel * side * side + row * side + column] = Math.round(Math.min(255, value));
      });
    }
  }
  return face;
}

/** 1 in the centre of an ellipse of half-axes 1, 0 outside; a higher `edge` makes the edge sharper. */
const spot = (x: number, y: number, edge: number): number => 1 / (1 + (x * x + y * y) ** edge);
