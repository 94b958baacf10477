/** Pages are mirrored for right-to-left languages; a length that names a side is not. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const PAGES = path.join(import.meta.dirname, '../../..');
/** In a declaration, or in React's and Mantine's props for one. */
const SIDED =
  /\b(margin|padding|border)-(left|right)\b|\bborder-(top|bottom)-(left|right)-radius\b|(^|[{;\s])(left|right)\s*:|text-align:\s*(left|right)\b|\bfloat:\s*(left|right)\b/;
/** Four lengths at once, of which the second and the fourth are the two sides. */
const FOUR_SIDES = /\b(?:margin|padding|inset|border-width):\s*([^;]+);/;
const LENGTH = /(?:[\w.%-]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g;
const SIDED_PROP = /\b(ml|mr|pl|pr)=|\b(margin|padding|border)(Left|Right)\b/;
/** A deliberate exception gives its reason on the same line or the one above: `physical: …`. */
const EXPLAINED = /physical: \S/;

const namesSide = (line: string): boolean => {
  const [, right, , left] = FOUR_SIDES.exec(line)?.[1]?.match(LENGTH) ?? [];
  return SIDED.test(line) || (left !== undefined && left !== right);
};

/** `file:line` of each line that breaks the rule. */
function findSided(files: readonly string[], isSided: (line: string) => boolean): string[] {
  return files.flatMap((file) => {
    const lines = readFileSync(path.join(PAGES, file), 'utf8').split('\n');
    return lines.flatMap((line, place) =>
      isSided(line) && !EXPLAINED.test(`${lines[place - 1] ?? ''}${line}`) ? [`${file}:${place + 1}`] : [],
    );
  });
}

const files = readdirSync(PAGES, { recursive: true, encoding: 'utf8' });

test('styles use the start and the end of a line, not left and right', () => {
  const styles = files.filter((file) => file.endsWith('.css'));
  expect(styles.length).toBeGreaterThan(10);
  expect(findSided(styles, namesSide)).toEqual([]);
});

test.each(['margin: 0 1px 0 2px;', 'padding: 0 var(--a) 0 calc(2 * var(--b));', 'left: 0;'])(
  '%s names a side',
  (line) => {
    expect(namesSide(line)).toBe(true);
  },
);

test.each(['margin: 0 calc(1px + 2px) 4px;', 'padding: 1px var(--a) 2px var(--a);'])(
  '%s does not',
  (line) => {
    expect(namesSide(line)).toBe(false);
  },
);

test('components use the start and the end of a line, not left and right', () => {
  expect(
    findSided(
      files.filter((file) => file.endsWith('.tsx')),
      (line) => SIDED_PROP.test(line),
    ),
  ).toEqual([]);
});
