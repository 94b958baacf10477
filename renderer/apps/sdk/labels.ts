/** Names of the drawer and its button, in the languages of the hosted page. */
import { byLanguage } from '../../../locales/inline.ts';
import type { SdkMessages } from '../../../locales/types/sdk.ts';

export type Labels = SdkMessages;

const LABELS = byLanguage(
  import.meta.glob<Labels>('../../../locales/*/sdk.json', { eager: true, import: 'default' }),
);

/** English if none of the languages is known. @param languages BCP 47 tags in order of preference */
export function labelsFor(languages: readonly string[]): Labels {
  const bases = [...languages, 'en'].map((language) => language.toLowerCase().split('-')[0] ?? '');
  const known = bases.find((base) => Object.hasOwn(LABELS, base)) ?? 'en';
  return LABELS[known] as Labels;
}
