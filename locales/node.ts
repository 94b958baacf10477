/** Reads catalogues from their files, for what runs in Node.js without a build: the server, tools and tests. */
import { readFileSync } from 'node:fs';
import { compileCatalogue } from './compile.ts';
import { bindMessages } from './format.ts';
import type { Catalogues } from './types/index.ts';

const known = new Map<string, unknown>();

/** Each is read and compiled once. @param language one of the folders beside this file */
export function messagesOf<Name extends keyof Catalogues>(name: Name, language: string): Catalogues[Name] {
  const file = new URL(`./${language}/${name}.json`, import.meta.url);
  const messages =
    known.get(file.href) ?? bindMessages(compileCatalogue(readFileSync(file, 'utf8')), language);
  known.set(file.href, messages);
  return messages as Catalogues[Name];
}
