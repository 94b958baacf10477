/** Names of runs and figures, shared by both review pages. */
import type { ReviewItem, ReviewReason } from '../../../../server/contract/console/reviews.ts';
import type { ReviewsMessages } from '../../../../locales/types/reviews.ts';
import type { Language } from '../../../i18n/language.ts';

/** The customer's name for the person of the run. */
export const runName = (item: ReviewItem, words: ReviewsMessages): string =>
  item.external_id ?? item.identifier ?? words.nobodyNamed;

export const cosineInWords = (cosine: number, language: Language): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cosine);

const isKnown = <T extends string>(known: Readonly<Record<T, string>>, name: string): name is T =>
  Object.hasOwn(known, name);

/** A finding as one sentence. */
export const findingSentence = (reason: string, { findings, otherFinding }: ReviewsMessages): string =>
  isKnown<ReviewReason>(findings, reason) ? findings[reason] : otherFinding({ reason });
