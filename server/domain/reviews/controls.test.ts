import { expect, it } from 'vitest';
import { shareOf } from '../statistics.ts';
import { casesUntilNext, commonIn, drawPair, isRight, madeUp, madeUpMetadata } from './controls.ts';

let seed = 7;
const draw = (n: number) => {
  seed = (seed * 16_807) % 2_147_483_647;
  return Math.floor((seed / 2_147_483_647) * n);
};
const pictures = (...names: string[]) => names.map((name, n) => ({ name, id: `${name}${n}` }));

it.each([
  ['same', 'same_person', true],
  ['same', 'same_person_allow', true],
  ['same', 'different_people', false],
  ['different', 'different_people', true],
  ['different', 'same_person', false],
  ['different', 'same_person_allow', false],
] as const)('pictures of %s people, decided as %s: right is %s', (answer, decision, right) => {
  expect(isRight(answer, decision)).toBe(right);
});

it.each([10, 30, 31, 200])('one in %i on average, and never predictably', (oneIn) => {
  const drawn = Array.from({ length: 4_000 }, () => casesUntilNext(oneIn, draw));
  const mean = drawn.reduce((sum, n) => sum + n, 0) / drawn.length;
  expect(Math.abs(mean - oneIn)).toBeLessThan(oneIn / 20);
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(oneIn / 2);
  expect(Math.max(...drawn)).toBeLessThanOrEqual(oneIn * 1.5 + 1);
});

it('no pair without two pictures', () => {
  expect(drawPair([], draw, 3)).toBeNull();
  expect(drawPair(pictures('ana'), draw, 3)).toBeNull();
});

it('one person with two pictures gives the answer same, two with one each the answer different', () => {
  expect(drawPair(pictures('ana', 'ana'), draw, 3)).toMatchObject({ answer: 'same', names: ['ana'] });
  expect(drawPair(pictures('ana', 'ben'), draw, 3)).toMatchObject({ answer: 'different' });
});

it('a pair never shows one picture twice, and shows whom its answer says', () => {
  const all = pictures('ana', 'ana', 'ana', 'ana', 'ana', 'ben', 'ben', 'cleo');
  const answers = new Set<string>();
  for (let n = 0; n < 200; n++) {
    const pair = drawPair(all, draw, 3)!;
    answers.add(pair.answer);
    const shown = [...pair.ofRun, pair.ofMatch];
    expect(new Set(shown).size).toBe(shown.length);
    expect(pair.ofRun.length).toBeGreaterThan(0);
    expect(pair.ofRun.length).toBeLessThanOrEqual(3);
    const people = new Set(shown.map((id) => id.replace(/\d+$/, '')));
    expect(people).toEqual(new Set(pair.names));
    expect(people.size).toBe(pair.answer === 'same' ? 1 : 2);
  }
  expect(answers).toEqual(new Set(['same', 'different']));
});

it.each([
  ['guest-48213', /^guest-[1-9]\d{4}$/],
  ['0049151', /^0\d{6}$/],
  ['9b2f-00aa', /^[\da-f]{4}-[\da-f]{4}$/],
  ['T-7XK2Q', /^T-\d[A-Z]{2}\d[A-Z]$/],
  ['1990-05-12', /^1990-(0[1-9]|1[0-2])-([01]\d|2[0-8])$/],
  ['Zoe.P@mail.example', /^[a-z]+\.[a-z]+@mail\.example$/],
  ['Zoe Person', /^[A-Z][a-z]+ [A-Z][a-z]+$/],
  ['ZOE', /^[A-Z]{2,}$/],
])('%s becomes a text of the same form about nobody', (text, form) => {
  for (let n = 0; n < 50; n++) expect(madeUp(text, draw)).toMatch(form);
});

it('what many runs share stays, as a kind of ticket, and nothing else does', () => {
  const runs = [1, 2, 3].map((n) => ({ ticket: 'Balcony', vip: true, name: `Guest ${n}`, seat: n }));
  const made = madeUpMetadata(
    { ticket: 'Balcony', vip: true, name: 'Zoe Person', seat: 4711 },
    commonIn(runs),
    draw,
  );
  expect(made).toMatchObject({ ticket: 'Balcony', vip: true });
  expect(made['name']).not.toBe('Zoe Person');
  expect(Object.keys(made)).toEqual(['ticket', 'vip', 'name', 'seat']);
  expect(String(made['seat'])).toMatch(/^\d{4}$/);
});

it('the exact interval of a share, also of none', () => {
  const bounds = (count: number) =>
    [shareOf(count, 12).low, shareOf(count, 12).high].map((end) => end.toFixed(3));
  expect(bounds(0)).toEqual(['0.000', '0.265']);
  expect(bounds(1)).toEqual(['0.002', '0.385']);
});
