/** Which languages guests can choose: the installation's offer, and how an event narrows it. */
import { type Language, type LanguageOffer, LANGUAGES } from '../../contract/languages.ts';

export type OfferFault = 'none_offered' | 'default_not_offered';

/** Why an offer is invalid; null if it is valid. */
export function offerFault({ offered, default_language }: LanguageOffer): OfferFault | null {
  if (offered.length === 0) return 'none_offered';
  return offered.includes(default_language) ? null : 'default_not_offered';
}

/** Sorts the languages into their usual order and removes duplicates. */
export const tidyOffer = ({ offered, default_language }: LanguageOffer): LanguageOffer => ({
  offered: LANGUAGES.filter((language) => offered.includes(language)),
  default_language,
});

/** The installation's list with its default first, for guests who have not chosen yet. */
const defaultFirst = ({ offered, default_language }: LanguageOffer): Language[] => [
  default_language,
  ...offered.filter((language) => language !== default_language),
];

/**
 * What an event's kiosks offer, the greeting language first: the event's list as far as the installation offers it,
 * or the installation's list if none is left. A list in its own order keeps it. A list in the usual order expresses
 * no preference, so the installation's default comes first.
 */
export function narrowOffer(offer: LanguageOffer, wanted: readonly Language[]): Language[] {
  const left = wanted.filter((language) => offer.offered.includes(language));
  if (left.length === 0) return defaultFirst(offer);
  const inUsualOrder = LANGUAGES.filter((language) => left.includes(language));
  const isUsual = inUsualOrder.every((language, place) => left[place] === language);
  if (!isUsual || !left.includes(offer.default_language)) return left;
  return defaultFirst({ ...offer, offered: left });
}
