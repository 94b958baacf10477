import { expect, test } from 'vitest';
import { contrast, GROUND, LEAST_CONTRAST, veilOf, venueColours } from './venue-colours.ts';

const PARTS = ['00', '33', '66', '99', 'cc', 'ff'];
const COLOURS = PARTS.flatMap((red) =>
  PARTS.flatMap((green) => PARTS.map((blue) => `#${red}${green}${blue}`)),
);

test('contrast follows WCAG', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('text on every venue’s colour, and its lines on the background, reach 7 : 1', () => {
  for (const colour of COLOURS) {
    const { fill, onFill, ink } = venueColours(colour) ?? { fill: '', onFill: '', ink: '' };
    expect(contrast(onFill, fill), colour).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    expect(contrast(ink, GROUND), colour).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  }
});

test('a colour with enough contrast stays unchanged', () => {
  expect(venueColours('#14315c')).toEqual({ fill: '#14315c', onFill: '#ffffff', ink: '#14315c' });
  expect(venueColours('#ffd500')?.fill).toBe('#ffd500');
});

test('a veil over the venue’s picture keeps words and lines at 7:1 on its darkest pixel, and is no thicker', () => {
  for (const darkest of ['#000000', '#404040', '#203060', '#c0c0c0']) {
    for (const colour of [null, '#ffcc00', '#0b5c5e']) {
      const { ground, ink } = veilOf(darkest, colour);
      expect(contrast('#24211d', ground)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
    }
  }
  expect(veilOf('#f0f0f0', null).opacity).toBe(0);
  expect(veilOf('#000000', null).opacity).toBeLessThan(0.8);
});
