/** Compiles catalogues while pages are built: a page gets texts and syntax trees, and no parser. */
import path from 'node:path';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { compileCatalogue } from '../../locales/compile.ts';
import { LOCALES, readText } from './files.ts';
import { LANGUAGES } from '../../server/contract/languages.ts';

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

/** A compiled catalogue by language, for a script that is not bundled. */
export const catalogueInEveryLanguage = <Messages>(name: string): Readonly<Record<string, Messages>> =>
  Object.fromEntries(
    LANGUAGES.map((language) => [language, compileCatalogue(readText(language, name)) as Messages]),
  );

/**
 * Links the catalogues of a page's first screen, so that they load in parallel with its script. The server keeps those
 * of one language in the document (`server/routes/pages/surface.ts`).
 * @param names catalogues that the first screen needs
 */
export function preloadCatalogues(names: readonly string[]): Plugin {
  let base = '/';
  return {
    name: 'preload-catalogues',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle).flatMap((file) => {
          const id = file.type === 'chunk' ? (file.facadeModuleId ?? '') : '';
          const [language, name = ''] = id.startsWith(FOLDER)
            ? id.slice(FOLDER.length, -'.json'.length).split('/')
            : [];
          if (language === undefined || !names.includes(name)) return [];
          const attrs = {
            rel: 'modulepreload',
            crossorigin: true,
            'data-catalogue': language,
            href: base + file.fileName,
          };
          return [{ tag: 'link', attrs, injectTo: 'head' as const }];
        }),
    },
  };
}

/** The parser’s own replacement for builds with precompiled messages. */
export const WITHOUT_PARSER = {
  '@formatjs/icu-messageformat-parser': path.join(
    path.dirname(createRequire(import.meta.url).resolve('@formatjs/icu-messageformat-parser')),
    'no-parser.js',
  ),
};
