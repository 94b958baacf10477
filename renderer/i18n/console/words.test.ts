import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../language.ts';

/** Areas are the folders beside this file: a page's words are checked as soon as they are there. */
const AREAS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

type Tree = { readonly [key: string]: unknown };

async function wordsOf(area: string, language: Language): Promise<Tree> {
  const module = (await import(path.join(import.meta.dirname, area, `${language}.ts`))) as Record<
    Language,
    Tree
  >;
  return module[language];
}

/** Every word with its place; functions are called with something that can stand in a sentence. */
function* leaves(tree: Tree, place = ''): Generator<[place: string, word: string]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') yield [`${place}${key}`, value];
    else if (typeof value === 'function')
      yield [`${place}${key}`, String((value as (...given: unknown[]) => unknown)(7, 7, 7))];
    else yield* leaves(value as Tree, `${place}${key}.`);
  }
}

describe.each(AREAS)('%s', (area) => {
  test.each(LANGUAGES)('says in %s everything that it says in English', async (language) => {
    const english = [...leaves(await wordsOf(area, 'en'))].map(([place]) => place);
    const spoken = [...leaves(await wordsOf(area, language))];
    expect(spoken.map(([place]) => place).sort()).toEqual(english.sort());
    expect(spoken.filter(([, word]) => word.trim() === '')).toEqual([]);
  });
});
