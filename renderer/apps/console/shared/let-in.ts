import type { OutcomesMessages } from '../../../../locales/types/outcomes.ts';
import type { LetIn } from '../../../../server/contract/console/sessions.ts';

/** A longer reason is read in the check's own details. */
const MOST_CHARS = 60;

const cut = (text: string): string =>
  text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS).trimEnd()}…`;

/** “Let in by Ana: came back”. */
export function letInText(
  { by, reason }: LetIn,
  { letInBy, letInByHand }: Pick<OutcomesMessages, 'letInBy' | 'letInByHand'>,
): string {
  return by === null ? letInByHand({ reason: cut(reason) }) : letInBy({ name: by, reason: cut(reason) });
}
