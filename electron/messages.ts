/** Messages of the shell’s own windows, in the languages of the console. Texts from the server are not translated. */
/// <reference types="vite/types/importMeta.d.ts" />
import { byLanguage } from '../locales/inline.ts';
import type { ShellMessages } from '../locales/types/shell.ts';

const MESSAGES = byLanguage(
  import.meta.glob<ShellMessages>('../locales/*/shell.json', { eager: true, import: 'default' }),
);

/** @param language from `shellLanguage` */
export const shellMessages = (language: string): ShellMessages => MESSAGES[language] as ShellMessages;

/**
 * The first of the system’s languages that the shell has, else English.
 * @param wanted BCP 47 tags in order of preference
 */
export function shellLanguage(wanted: readonly string[]): string {
  const bases = wanted.map((tag) => tag.toLowerCase().split('-')[0] ?? '');
  return bases.find((base) => Object.hasOwn(MESSAGES, base)) ?? 'en';
}
