/** Names that people see: of operators, companies, events and kiosks. One that only looks like another deceives. */

/** Spaces of any width are one space. */
export const tidyName = (given: string): string => given.normalize('NFC').trim().replace(/\s+/g, ' ');

const SEEN_JOINERS =
  /(?<=(?:[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f))[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;
/** Latin, Greek and Cyrillic letters are never joined by these. */
const UNJOINED = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}][\u200c\u200d]/u;
const EMOJI_STYLE = /(?<=[\p{Extended_Pictographic}\d#*])\ufe0f/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether a name contains what nobody can see: control and direction characters, fillers, zero-width characters. The
 * joiners of Persian, Hindi and emoji are seen by what they do.
 */
export function hasUnseen(name: string): boolean {
  if (UNJOINED.test(name)) return true;
  return UNSEEN.test(name.replace(SEEN_JOINERS, '').replace(EMOJI_STYLE, ''));
}

/** Letters of other scripts that are drawn like Latin ones (Unicode's confusables, UTS 39), by their Latin form. */
const DRAWN_ALIKE: Readonly<Record<string, string>> = {
  A: 'ΑАᎪ',
  B: 'ΒВᏴ',
  C: 'СϹᏟ',
  D: 'Ꭰ',
  E: 'ΕЕᎬ',
  F: 'Ϝ',
  G: 'ԌᏀ',
  H: 'ΗНᎻ',
  I: 'ΙІӀ',
  J: 'ЈᎫ',
  K: 'ΚКᏦ',
  L: 'Ꮮ',
  M: 'ΜМᎷ',
  N: 'Ν',
  O: 'ΟОՕ',
  P: 'ΡРᏢ',
  Q: 'Ԛ',
  S: 'ЅՏᏚ',
  T: 'ΤТᎢ',
  U: 'Ս',
  V: 'ѴᏙ',
  W: 'ԜᎳ',
  X: 'ΧХ',
  Y: 'ΥҮ',
  Z: 'ΖᏃ',
  a: 'αаɑ',
  b: 'Ьƅ',
  c: 'сϲᴄ',
  d: 'ԁ',
  e: 'еҽ',
  f: 'ſẝ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іıιɩ',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏ',
  n: 'ոռ',
  o: 'οоօσ',
  p: 'ρр',
  q: 'ԛզ',
  r: 'г',
  s: 'ѕꜱ',
  u: 'υսʋ',
  v: 'νѵᴠ',
  w: 'ԝᴡ',
  x: 'хᕁ',
  y: 'уγүʏ',
  z: 'ᴢ',
};
const LATIN = new Map(
  Object.entries(DRAWN_ALIKE).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
);

/**
 * Equal for names that look the same: whatever the script, width, case, accents' composition, dashes and spaces. Within a
 * word, 0 and 1 stand for O and l; alone, as in "Gate 1", they are numbers.
 */
export function skeletonOf(name: string): string {
  const folded = Array.from(name.normalize('NFKC'), (letter) => LATIN.get(letter) ?? letter).join('');
  return folded
    .replace(/(?<=\p{L})0(?=\p{L})|\b0(?=\p{L}{2})/gu, 'o')
    .replace(/(?<=\p{L})[1|](?=\p{L})/gu, 'l')
    .replace(/(?<=\p{L})I(?=\p{Ll})/gu, 'l')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u200c|\u200d|\ufe0f/g, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[’‘ʼ´`]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** The name of `others` that this one only looks like; undefined if there is none. The very same name is not meant. */
export function lookAlikeOf(name: string, others: readonly string[]): string | undefined {
  const skeleton = skeletonOf(name);
  return others.find((other) => tidyName(other) !== name && skeletonOf(other) === skeleton);
}
