/** Reads catalogues from their files, for the server, tools and tests. */
import { readFileSync } from 'node:fs';
import { compileCatalogue } from './compile.ts';
import { bindMessages } from './format.ts';
import type { Catalogues } from './types/index.ts';

/** The built server is two folders below the installation. */
const folder = new URL(import.meta.url.endsWith('.ts') ? './' : '../../locales/', import.meta.url);

const known = new Map<string, unknown>();

/** Each is read and compiled once. @param language that has a folder in `locales` */
export function messagesOf<Name extends keyof Catalogues>(name: Name, language: string): Catalogues[Name] {
  const file = new URL(`${language}/${name}.json`, folder);
  const messages =
    known.get(file.href) ?? bindMessages(compileCatalogue(readFileSync(file, 'utf8')), language);
  known.set(file.href, messages);
  return messages as Catalogues[Name];
}

/** Shown in place of a period of no days. */
const WITHOUT_PERIOD = /\.(?:nothingKept|untilEnd)$/;
const WITH_PERIOD = /\.howLong$/;

/**
 * The messages of a consent text as guests saw it, in reading order, with `{organiser}` and the like for what differs.
 * @param version one whose digest the server knows
 * @param days that it named; null if that was not recorded
 */
export function consentMessages(version: string, language: string, days: number | null): string[] {
  const texts = JSON.parse(readFileSync(new URL(`consent/${version}.json`, folder), 'utf8')) as ConsentFile;
  const unseen = days === 0 ? WITH_PERIOD : WITHOUT_PERIOD;
  return Object.entries(texts[language] ?? {}).flatMap(([key, message]) => (unseen.test(key) ? [] : message));
}

/** By language, then by the key that the catalogue had. */
export type ConsentFile = Readonly<Record<string, Readonly<Record<string, string>>>>;
