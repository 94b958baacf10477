/** Whether skin reflects the page's tints, on synthetic colours with known answers. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TINT_NAMES, type Tint } from '../../../contract/flow.ts';
import { drawTint } from '../exchange/next-ask.ts';
import { madeUpFace } from '../liveness.fixture.ts';
import { isLightUsual, LEAST_RECENT, measurePageLight, MOST_RECENT, type TintedFrame } from './page-light.ts';
import { luminanceOf, TINT_LIGHT } from './tints.ts';

const ORDER: readonly Tint[] = ['rose', 'mint', 'warm', 'cool'];
const CELLS = { width: 16, height: 12 };

type Lit = {
  /** The page's share of the light on the skin and on the room. */
  skin: number;
  room: number;
  /** What lights the skin. Defaults to the page's own tints. */
  by?: readonly Tint[];
  /** The camera's gain on red, frame by frame. */
  redGain?: readonly number[];
};

function seen({ skin, room, by = ORDER, redGain = [1, 1, 1, 1] }: Lit): TintedFrame[] {
  return ORDER.map((tint, i): TintedFrame => {
    const gains = [redGain[i] ?? 1, 1, 1];
    const under = (light: Tint, share: number, surface: readonly number[]) =>
      surface.map((value, channel) => {
        const added = share * (TINT_LIGHT[light][channel] ?? 0);
        return value * (1 + added) * (gains[channel] ?? 1);
      });
    const wall = under(tint, room, [0.3, 0.28, 0.22]);
    const [red = 0, green = 0, blue = 0] = under(by[i] ?? tint, skin, [0.4, 0.25, 0.2]);
    const data = Float32Array.from({ length: 3 * CELLS.width * CELLS.height }, (_, at) => wall[at % 3] ?? 0);
    return {
      tint,
      width: 640,
      face: madeUpFace({ swayPx: 3 * i }),
      tones: { skin: [red, green, blue], tones: { ...CELLS, data } },
    };
  });
}

test('skin in front of the page reflects its tints in order', () => {
  const light = measurePageLight(seen({ skin: 0.2, room: 0.01 }));
  expect(light?.gain).toBeGreaterThan(0.1);
  expect(light?.agreement).toBeGreaterThan(0.95);
});

test('automatic white balance of the camera does not affect the result', () => {
  const steady = measurePageLight(seen({ skin: 0.2, room: 0.01 }));
  const restless = measurePageLight(seen({ skin: 0.2, room: 0.01, redGain: [1, 1.1, 0.9, 1.05] }));
  expect(restless?.gain).toBeCloseTo(steady?.gain ?? 0, 5);
});

test('a sheet whose background reflects the tints too, and a bright room, give no signal', () => {
  expect(measurePageLight(seen({ skin: 0.2, room: 0.2 }))?.gain).toBeCloseTo(0, 5);
  expect(measurePageLight(seen({ skin: 0, room: 0 }))?.gain).toBeCloseTo(0, 5);
});

test('a recording shows the tints of another check', () => {
  const light = measurePageLight(seen({ skin: 0.2, room: 0, by: ['cool', 'warm', 'mint', 'rose'] }));
  expect(light?.agreement).toBeLessThan(0.5);
  expect(light?.spread).toBeGreaterThan(0.03);
});

test('too few frames, or no room to compare with, give no signal', () => {
  expect(measurePageLight(seen({ skin: 0.2, room: 0 }).slice(0, 2))).toBeNull();
  const close = seen({ skin: 0.2, room: 0 }).map((frame) => ({
    ...frame,
    face: { ...frame.face, box: { x1: 0, y1: 0, x2: 640, y2: 480 } },
  }));
  expect(measurePageLight(close)).toBeNull();
});

const times = (count: number, isLit: boolean) => Array<boolean>(count).fill(isLit);

test.each<[known: number, mostUnlit: number]>([
  [0, -1],
  [19, -1],
  [20, 1],
  [39, 1],
  [40, 2],
])('with %i known captures, the light is usual if at most %i did not see it', (known, mostUnlit) => {
  const recent = (unlit: number) => [...times(known - unlit, true), ...times(unlit, false)];
  if (mostUnlit >= 0) expect(isLightUsual(recent(mostUnlit))).toBe(true);
  expect(isLightUsual(recent(mostUnlit + 1))).toBe(false);
});

test('captures before the last 40 are forgotten', () => {
  expect(isLightUsual([...times(40, true), ...times(40, false)])).toBe(true);
});

test('at most three of 40 guests in a row lack a light that was usual before them', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 200 }), (guests) => {
      const doubted = guests.map((isLit, nth) => !isLit && isLightUsual(guests.slice(0, nth).toReversed()));
      const inWindow = doubted.map((_, nth) => doubted.slice(nth, nth + MOST_RECENT).filter(Boolean).length);
      expect(Math.max(0, ...inWindow)).toBeLessThanOrEqual(3);
    }),
  );
});

/** Guests who lack a light that is usual, if `share` of all lack it: P(usual) is a binomial sum. */
function doubtedShare(known: number, share: number): number {
  let sum = 0;
  let term = (1 - share) ** known;
  for (let unlit = 0; isLightUsual([...times(unlit, false), ...times(known - unlit, true)]); unlit += 1) {
    sum += term;
    term *= ((known - unlit) / (unlit + 1)) * (share / (1 - share));
  }
  return share * sum;
}

test.each([
  [LEAST_RECENT, 0.0414],
  [39, 0.0214],
  [MOST_RECENT, 0.0342],
])('with %i known, at most %f of all guests are doubted, whatever share lacks the light', (known, most) => {
  const shares = Array.from({ length: 9_999 }, (_, nth) => (nth + 1) / 10_000);
  expect(Math.max(...shares.map((share) => doubtedShare(known, share)))).toBeCloseTo(most, 4);
});

test('no two tints differ in brightness by more than a tenth, so that none flashes', () => {
  const levels = TINT_NAMES.map(luminanceOf);
  expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(0.1);
});

test('the server draws every order of the tints, each tint once', () => {
  const orders = new Set<string>();
  for (let n = 0; n < 256; n++) {
    let left = n;
    const random = (bound: number) => {
      const value = left % bound;
      left = Math.floor(left / bound);
      return value;
    };
    const tints = TINT_NAMES.reduce<Tint[]>((shown) => [...shown, drawTint(shown, random)], []);
    expect(new Set(tints).size).toBe(TINT_NAMES.length);
    orders.add(tints.join());
  }
  expect(orders.size).toBe(24);
});
