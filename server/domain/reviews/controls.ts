/**
 * Control cases: cases with a known answer among the real ones, which measure how often a reviewer errs. They look like the
 * venue's own, so all that they say about a person is made up in the form of a real case.
 */
import type { ReviewDecisionName } from '../../contract/console/reviews.ts';
import type { Metadata } from '../runs/session-request.ts';

/** What two sets of pictures show. */
export type ControlAnswer = 'same' | 'different';
/** Uniform integer in [0, n). */
export type Draw = (n: number) => number;

export const isRight = (answer: ControlAnswer, decision: ReviewDecisionName): boolean =>
  (decision === 'different_people') === (answer === 'different');

/** After how many real cases the next one comes: `oneIn` on average, so that nobody can count them. */
export const casesUntilNext = (oneIn: number, draw: Draw): number =>
  Math.ceil(oneIn / 2) + draw(oneIn + (oneIn % 2 === 0 ? 1 : 0));

type Shown = { name: string; id: string };
export type ControlPair = { answer: ControlAnswer; names: string[]; ofRun: string[]; ofMatch: string };

/**
 * Pictures for both sides: of one person or of two, equally often where there are pictures for either.
 * @param most pictures of the check in review
 * @returns null if there are too few pictures
 */
export function drawPair(pictures: readonly Shown[], draw: Draw, most: number): ControlPair | null {
  const byName = Map.groupBy(pictures, ({ name }) => name);
  const names = [...byName.keys()];
  const twice = names.filter((name) => (byName.get(name)?.length ?? 0) > 1);
  const canDiffer = names.length > 1;
  if (twice.length === 0 && !canDiffer) return null;
  const isSame = twice.length > 0 && (!canDiffer || draw(2) === 0);
  const name = pick(isSame ? twice : names, draw);
  const own = shuffled(byName.get(name) ?? [], draw).map(({ id }) => id);
  if (isSame) {
    const [ofMatch = '', ...ofRun] = own;
    return { answer: 'same', names: [name], ofRun: ofRun.slice(0, most), ofMatch };
  }
  const other = pick(
    names.filter((one) => one !== name),
    draw,
  );
  const ofMatch = pick(byName.get(other) ?? [], draw).id;
  return { answer: 'different', names: [name, other], ofRun: own.slice(0, most), ofMatch };
}

function pick<T>(values: readonly T[], draw: Draw): T {
  const value = values[draw(values.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
}

function shuffled<T>(values: readonly T[], draw: Draw): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(draw(left.length), 1));
}

/** A value that so many runs share is a kind of ticket, not a person. */
const COMMON = 3;

/** Whether many runs have this value. */
export function commonIn(
  runs: readonly Metadata[],
): (key: string, value: string | number | boolean) => boolean {
  const seen = new Map<string, number>();
  const placeOf = (key: string, value: unknown) => JSON.stringify([key, value]);
  // A guest who came again counts once.
  const distinct = new Map(runs.map((run) => [JSON.stringify(run), run]));
  for (const run of distinct.values())
    for (const [key, value] of Object.entries(run))
      seen.set(placeOf(key, value), (seen.get(placeOf(key, value)) ?? 0) + 1);
  return (key, value) => (seen.get(placeOf(key, value)) ?? 0) >= COMMON;
}

/** Metadata of the same form about nobody: what is common stays, everything else is made up. */
export const madeUpMetadata = (
  metadata: Metadata,
  isCommon: ReturnType<typeof commonIn>,
  draw: Draw,
): Metadata =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === 'boolean' || isCommon(key, value)
        ? value
        : typeof value === 'number'
          ? Number(scrambled(String(value), draw))
          : madeUp(value, draw),
    ]),
  );

const ISO_DAY = /^(\d{4})-\d{2}-\d{2}$/;
const FIRST =
  'Ada Alma Ben Carla Dina Emil Eva Finn Greta Hugo Ida Jan Lea Lena Leo Mara Max Mila Nico Nora Otto Paula Sam Tom'.split(
    ' ',
  );
const LAST =
  'Adler Bauer Berg Costa Diaz Fischer Garcia Haas Jansen Keller Lang Lopez Martin Meyer Moreau Novak Petit Roth Santos Silva Stein Vogel Weber Wolf'.split(
    ' ',
  );

/** A text of the same form: an email, a day, an ID, or names. */
export function madeUp(text: string, draw: Draw): string {
  const [, domain] = /^[^\s@]+@([^\s@]+)$/.exec(text) ?? [];
  if (domain !== undefined) return `${pick(FIRST, draw)}.${pick(LAST, draw)}@${domain}`.toLowerCase();
  const [, year] = ISO_DAY.exec(text) ?? [];
  if (year !== undefined) return `${year}-${twoDigits(1 + draw(12))}-${twoDigits(1 + draw(28))}`;
  if (/\d/.test(text)) return scrambled(text, draw);
  return text
    .split(/\s+/)
    .map((word, place) => inCaseOf(word, pick(place === 0 ? FIRST : LAST, draw)))
    .join(' ');
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function inCaseOf(word: string, name: string): string {
  if (word === word.toLowerCase()) return name.toLowerCase();
  return word.length > 1 && word === word.toUpperCase() ? name.toUpperCase() : name;
}

/** Words before the last digits, such as `guest-`, stay; hexadecimal digits stay hexadecimal. */
function scrambled(text: string, draw: Draw): string {
  const isHex = /^[\da-f-]+$/i.test(text);
  const start = isHex ? 0 : text.search(/\d/);
  const letters = isHex ? 'abcdef' : 'abcdefghijklmnopqrstuvwxyz';
  const changed = text.slice(start).replaceAll(/[a-z\d]/gi, (sign, place: number) => {
    // A reader of the number may drop a first digit of 0.
    if (/\d/.test(sign))
      return sign === '0' && place === 0 ? '0' : String(place === 0 ? 1 + draw(9) : draw(10));
    const letter = letters.charAt(draw(letters.length));
    return sign === sign.toUpperCase() ? letter.toUpperCase() : letter;
  });
  return text.slice(0, start) + changed;
}
