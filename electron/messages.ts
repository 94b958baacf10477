/** Messages of the shell’s own windows, in the languages of the console. Texts that the server sends stay as they are. */
/// <reference types="vite/types/importMeta.d.ts" />
import { byLanguage } from '../locales/inline.ts';
import type { ShellMessages } from '../locales/types/shell.ts';

const MESSAGES = byLanguage(
  import.meta.glob<ShellMessages>('../locales/*/shell.json', { eager: true, import: 'default' }),
);

/** @param language as `shellLanguage` returns it */
export const shellMessages = (language: string): ShellMessages => MESSAGES[language] as ShellMessages;

/** The first of the system’s languages that the shell speaks, else English. @param wanted BCP 47 tags in order of preference */
export function shellLanguage(wanted: readonly string[]): string {
  const bases = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return bases.find((base) => Object.hasOwn(MESSAGES, base)) ?? 'en';
}
