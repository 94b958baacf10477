/** Which languages persons are offered: what an installation may choose, and what of it an event keeps. */
import { type Language, type LanguageOffer, LANGUAGES } from '../../contract/languages.ts';

export type OfferFault = 'none_offered' | 'default_not_offered';

/** Why an offer cannot stand; null where it can. */
export function offerFault({ offered, default_language }: LanguageOffer): OfferFault | null {
  if (offered.length === 0) return 'none_offered';
  return offered.includes(default_language) ? null : 'default_not_offered';
}

/** In the usual order, each once, whatever the order of the ticks. */
export const tidyOffer = ({ offered, default_language }: LanguageOffer): LanguageOffer => ({
  offered: LANGUAGES.filter((language) => offered.includes(language)),
  default_language,
});

/** The installation's own list, its default first: for whoever has said nothing yet. */
export const defaultFirst = ({ offered, default_language }: LanguageOffer): Language[] => [
  default_language,
  ...offered.filter((language) => language !== default_language),
];

/**
 * What an event's kiosks offer, the one that they greet in first: its own list as far as the installation offers it, and
 * the installation's where nothing is left. A list in an order of its own keeps it; in the usual order, which is no
 * wish, the installation's default comes first.
 */
export function narrowOffer(offer: LanguageOffer, wanted: readonly Language[]): Language[] {
  const left = wanted.filter((language) => offer.offered.includes(language));
  if (left.length === 0) return defaultFirst(offer);
  const inUsualOrder = LANGUAGES.filter((language) => left.includes(language));
  const isUsual = inUsualOrder.every((language, place) => left[place] === language);
  if (!isUsual || !left.includes(offer.default_language)) return left;
  return defaultFirst({ ...offer, offered: left });
}
