/** Loads message catalogues by language: a page downloads only its own language. */
import type { Compiled } from '../../locales/compile.ts';
import { bindMessages } from '../../locales/format.ts';
import type { Catalogues } from '../../locales/types/index.ts';
import type { Language } from '../../server/contract/languages.ts';

type Name = keyof Catalogues;

type CatalogueLoader = {
  /** Rejects if a file cannot be fetched; the next call tries again. */
  load: <N extends Name>(name: N, language: Language) => Promise<Catalogues[N]>;
  loaded: <N extends Name>(name: N, language: Language) => Catalogues[N] | undefined;
};

/** @param files importers by path, as `import.meta.glob` creates them; a path ends in `<language>/<name>.json` */
export function createCatalogueLoader(
  files: Readonly<Record<string, () => Promise<Compiled>>>,
): CatalogueLoader {
  const importers = new Map(
    Object.entries(files).map(([path, load]) => [path.split('/').slice(-2).join('/'), load]),
  );
  const ready = new Map<string, unknown>();
  const underWay = new Map<string, Promise<unknown>>();

  const loadFile = (file: string): Promise<unknown> => {
    const begun = underWay.get(file);
    if (begun !== undefined) return begun;
    const importer = importers.get(file);
    if (importer === undefined) return Promise.reject(new Error(`No catalogue ${file}.`));
    const loading: Promise<unknown> = importer().then(
      (compiled) => {
        const messages = bindMessages(compiled, file.slice(0, file.indexOf('/')));
        ready.set(file, messages);
        // React’s `use` reads a promise with these fields immediately, without suspending.
        void Object.assign(loading, { status: 'fulfilled', value: messages });
        return messages;
      },
      (error: unknown) => {
        underWay.delete(file);
        throw error;
      },
    );
    underWay.set(file, loading);
    return loading;
  };

  return {
    load: <N extends Name>(name: N, language: Language) =>
      loadFile(`${language}/${name}.json`) as Promise<Catalogues[N]>,
    loaded: <N extends Name>(name: N, language: Language) =>
      ready.get(`${language}/${name}.json`) as Catalogues[N] | undefined,
  };
}

/** The message of a code that may be newer than the page; undefined for an unknown one. */
export const messageFor = (messages: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(messages, code) ? messages[code] : undefined;
