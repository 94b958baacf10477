/** The page's tints as linear light. */
import { TINTS, type Tint } from '../../../contract/flow.ts';
import { linearLight } from './linear-light.ts';

/** Red, green and blue of each tint as linear light, 0 to 1 (IEC 61966-2-1). */
export const TINT_LIGHT: Record<Tint, readonly [red: number, green: number, blue: number]> = {
  warm: linearOf(TINTS.warm),
  cool: linearOf(TINTS.cool),
  rose: linearOf(TINTS.rose),
  mint: linearOf(TINTS.mint),
};

function linearOf(hex: string): [number, number, number] {
  const of = (place: number) => linearLight(Number.parseInt(hex.slice(place, place + 2), 16) / 255);
  return [of(1), of(3), of(5)];
}

/** WCAG's relative luminance, 0 to 1. */
export function luminanceOf(tint: Tint): number {
  const [red, green, blue] = TINT_LIGHT[tint];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
