import { describe, expect, test } from 'vitest';
import { TINTS } from '../../../server/contract/flow.ts';
import { between, type Rgb, rgbOf } from '../../ui/colour.ts';
import {
  createPageLight,
  createTintSchedule,
  LIGHT_PACES,
  wantsDarkWords,
  type LightPace,
} from './page-light.ts';

const GROUND = '#f7f5f2';
const LOOK_MS = 40;

/** A page that records each colour it had; null for its own. */
function recorded(ground = GROUND) {
  const colours: (Rgb | null)[] = [];
  const light = createPageLight({
    ground: () => ground,
    light: (colour) => colours.push(colour),
    restore: () => colours.push(null),
  });
  return { colours, light };
}

/** Greatest change of a channel between two frames. */
const greatestStep = (colours: readonly (Rgb | null)[]): number =>
  Math.max(
    ...colours.slice(1).map((colour, i) => {
      const before = colours[i];
      return colour && before ? Math.max(...colour.map((value, c) => Math.abs(value - (before[c] ?? 0)))) : 0;
    }),
  );

function showAll(pace: LightPace, ground = GROUND) {
  const { colours, light } = recorded(ground);
  for (const [place, tint] of (['rose', 'mint', 'warm', 'cool', null] as const).entries()) {
    for (let ms = 0; ms < pace.apartMs; ms += LOOK_MS) light.show(tint, pace, place * pace.apartMs + ms);
  }
  return colours;
}

describe.each(Object.entries(LIGHT_PACES))('at the %s pace', (_name, pace) => {
  test('each tint is fully shown before its still is taken', () => {
    const { colours, light } = recorded();
    light.show('rose', pace, 0);
    light.show('rose', pace, pace.fadeMs);
    expect(colours.at(-1)).toEqual(rgbOf(TINTS.rose));
    // What a slow camera needs.
    expect(pace.shownMs - pace.fadeMs).toBeGreaterThanOrEqual(240);
  });

  test('colours change fewer than three times a second, however quickly they are requested', () => {
    const schedule = createTintSchedule();
    const changesMs: number[] = [];
    const tints = ['rose', 'mint', 'warm', 'cool', null] as const;
    for (let ms = 0, before: unknown = null; ms < 5 * pace.apartMs; ms += 1) {
      schedule.next(tints[ms % tints.length] ?? null, pace, ms);
      const shown = schedule.at(ms);
      if (shown !== before) changesMs.push(ms);
      before = shown;
    }
    expect(changesMs.length).toBeGreaterThan(1);
    expect(changesMs.slice(1).every((ms, place) => ms - (changesMs[place] ?? 0) > 1_000 / 3)).toBe(true);
  });

  test('the still of a tint is due its time after the tint is shown, not after it was requested', () => {
    const schedule = createTintSchedule();
    expect(schedule.next('rose', pace, 0)).toBe(0);
    expect(schedule.next('mint', pace, 100)).toBe(pace.apartMs);
    expect([schedule.at(pace.apartMs - 1), schedule.at(pace.apartMs)]).toEqual(['rose', 'mint']);
  });

  test('after the last one the page has its own background again', () => {
    expect(showAll(pace).at(-1)).toBeNull();
  });
});

test('in slow mode, no two frames differ by more than a shade, even on a dark page', () => {
  expect(greatestStep(showAll(LIGHT_PACES.slow))).toBeLessThanOrEqual(4);
  expect(greatestStep(showAll(LIGHT_PACES.slow, '#191715'))).toBeLessThanOrEqual(8);
});

test('the setting for slow changes gets the same tints', () => {
  const seen = new Set(showAll(LIGHT_PACES.slow).map(String));
  for (const tint of Object.values(TINTS)) expect(seen).toContain(String(rgbOf(tint)));
});

test('an interrupted fade continues from its current colour', () => {
  const { colours, light } = recorded();
  light.show('rose', LIGHT_PACES.slow, 0);
  light.show('rose', LIGHT_PACES.slow, 800);
  const halfway = colours.at(-1);
  light.show('mint', LIGHT_PACES.slow, 800);
  expect(colours.at(-1)).toEqual(halfway);
});

test('without tints the page stays unchanged', () => {
  const { colours, light } = recorded();
  light.show(null, LIGHT_PACES.quick, 0);
  expect(colours).toEqual([]);
});

test('a background that is not given in hexadecimal counts as white', () => {
  const { colours, light } = recorded('var(--elsewhere)');
  light.show('rose', LIGHT_PACES.quick, 0);
  expect(colours).toEqual([[255, 255, 255]]);
});

test('text is dark on every tint, and light on the way there on a dark page', () => {
  for (const tint of Object.values(TINTS)) expect(wantsDarkWords(rgbOf(tint) ?? [0, 0, 0])).toBe(true);
  expect(wantsDarkWords([25, 23, 21])).toBe(false);
});

test('a mixture stays between its ends', () => {
  expect(between([0, 100, 200], [100, 0, 200], 0.5)).toEqual([50, 50, 200]);
  expect(between([0, 0, 0], [10, 10, 10], 7)).toEqual([10, 10, 10]);
});
