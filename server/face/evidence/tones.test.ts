/** Where colour is measured, on flat pictures with known answers. */
import { expect, test } from 'vitest';
import { linearLight } from '../../domain/capture/attack/linear-light.ts';
import { madeUpFace } from '../../domain/capture/liveness.fixture.ts';
import { rgbImage } from '../pictures/rgb-image.ts';
import { measureTones } from './tones.ts';

const [WIDTH, HEIGHT] = [640, 480];
const WALL = [40, 90, 160] as const;
const SKIN = [200, 140, 110] as const;

type Rgb = readonly [number, number, number];

/** A face's box filled with skin in front of a wall; `paint` may change a pixel. */
function picture(paint: (x: number, y: number) => Rgb | null = () => null) {
  const { box } = madeUpFace({});
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i += 3) {
      const inside = x > box.x1 && x < box.x2 && y > box.y1 && y < box.y2;
      data.set(paint(x, y) ?? (inside ? SKIN : WALL), i);
    }
  }
  return rgbImage({ data, width: WIDTH, height: HEIGHT });
}

const linear = (rgb: Rgb) => rgb.map((value) => linearLight(value / 255));
const { landmarks } = madeUpFace({});

test('skin is measured on cheeks and nose, the room in its cells, as linear light', () => {
  const { skin, tones } = measureTones(picture(), landmarks);
  linear(SKIN).forEach((value, channel) => expect(skin[channel]).toBeCloseTo(value, 3));
  linear(WALL).forEach((value, channel) => expect(tones.data[channel]).toBeCloseTo(value, 3));
  expect([tones.width, tones.height]).toEqual([16, 12]);
});

test('overexposed highlights have no colour and are left out', () => {
  const shiny = picture((x, y) => (x % 64 < 16 && y % 64 < 16 ? [255, 255, 255] : null));
  const { skin } = measureTones(shiny, landmarks);
  const [red, green] = linear(SKIN);
  // Pixels at a highlight's edge are mixed with it.
  expect(skin[0] / skin[1]).toBeCloseTo((red ?? 0) / (green ?? 1), 1);
});

test('mouth, brows and chin do not count as skin: make-up and beards reflect light differently', () => {
  const places = [51, 57, 66, 19, 24, 8].map((index) => ({
    x: landmarks[2 * index] ?? 0,
    y: landmarks[2 * index + 1] ?? 0,
  }));
  const painted = picture((x, y) =>
    places.some((place) => Math.hypot(x - place.x, y - place.y) < 8) ? [250, 0, 0] : null,
  );
  expect(measureTones(painted, landmarks).skin).toEqual(measureTones(picture(), landmarks).skin);
});
