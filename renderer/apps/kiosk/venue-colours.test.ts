import { expect, test } from 'vitest';
import { contrast, GROUND, LEAST_CONTRAST, venueColours } from './venue-colours.ts';

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
