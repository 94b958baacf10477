/** Compiles catalogues while pages are built: a page gets texts and syntax trees, and no parser. */
import path from 'node:path';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { compileCatalogue } from '../../locales/compile.ts';
import { LOCALES } from './files.ts';

const FOLDER = `${LOCALES.replaceAll(path.sep, '/')}/`;
const CATALOGUE = /^[a-z]{2}\/[a-z-]+\.json$/;

export function messageCatalogues(): Plugin {
  return {
    name: 'message-catalogues',
    enforce: 'pre',
    transform(code, id) {
      const isCatalogue = id.startsWith(FOLDER) && CATALOGUE.test(id.slice(FOLDER.length));
      return isCatalogue ? { code: JSON.stringify(compileCatalogue(code)), map: null } : undefined;
    },
  };
}

/** The parser’s own stand-in for builds whose messages are compiled already. */
export const WITHOUT_PARSER = {
  '@formatjs/icu-messageformat-parser': path.join(
    path.dirname(createRequire(import.meta.url).resolve('@formatjs/icu-messageformat-parser')),
    'no-parser.js',
  ),
};
