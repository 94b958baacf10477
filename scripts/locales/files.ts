/** Paths and names of the catalogues. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../assets/paths.ts';

export const LOCALES = path.join(PROJECT_ROOT, 'locales');
export const TYPES = path.join(LOCALES, 'types');

/** Names of the English catalogues, sorted; every other language has the same. */
export const catalogueNames = (): string[] =>
  readdirSync(path.join(LOCALES, 'en'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.basename(name, '.json'))
    .sort();

export const readText = (language: string, name: string): string =>
  readFileSync(path.join(LOCALES, language, `${name}.json`), 'utf8');
