/** Below which similarity a case is too doubtful for one reviewer. */
import type { SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';

export const SECOND_OPINION = 'review.second_opinion_below';

/** Cosine; 0 if no case needs a second opinion unasked. */
export async function readSecondOpinionBelow(db: SqlReader): Promise<number> {
  return (await readSetting<number>(db, SECOND_OPINION)) ?? 0;
}
