/**
 * How much stricter (or looser) than measured an admin wants faces to be compared: one number, added to both cosines.
 * Bounded, so that no setting can turn matching off or make everyone the same person.
 */
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { readSecondOpinionBelow, SECOND_OPINION } from './second-opinion.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';

const SETTING = 'match.margin';

/** Cosine. Looser, false matches would increase more than tenfold; stricter, people would no longer be recognised. */
export const MARGIN_BOUNDS = { min: -0.05, max: 0.1 } as const;
/** The measurement had no more than two decimals. */
const STEPS = 100;

export async function readMatchMargin(db: SqlReader): Promise<number> {
  return (await readSetting<number>(db, SETTING)) ?? 0;
}

/**
 * Changes the margin, the similarity below which a case needs a second reviewer, or both.
 * @throws RangeError outside `MARGIN_BOUNDS`; Refusal `changed_meanwhile`
 */
export async function changeMatchMargin(
  db: Database,
  clock: Clock,
  request: {
    margin?: number | undefined;
    second_opinion_below?: number | undefined;
    reason: string;
    version?: string | undefined;
    actor: Actor;
  },
): Promise<void> {
  const rounded = (value: number | undefined) =>
    value === undefined ? undefined : Math.round(value * STEPS) / STEPS;
  const sent = {
    margin: rounded(request.margin),
    second_opinion_below: rounded(request.second_opinion_below),
  };
  const { margin = 0 } = sent;
  if (!(margin >= MARGIN_BOUNDS.min && margin <= MARGIN_BOUNDS.max)) {
    throw new RangeError(`A margin lies between ${MARGIN_BOUNDS.min} and ${MARGIN_BOUNDS.max}.`);
  }
  await db.tx(async (tx) => {
    const current = {
      margin: await readMatchMargin(tx),
      second_opinion_below: await readSecondOpinionBelow(tx),
    };
    const log: ChangeLog = { subject: 'installation', actions: ACTIONS };
    const merged = await mergeChange(tx, { version: request.version, current, sent, log });
    for (const [field, setting] of [
      ['margin', SETTING],
      ['second_opinion_below', SECOND_OPINION],
    ] as const) {
      const to = merged[field];
      if (to === undefined) continue;
      await changeSetting(tx, setting, to, {
        at: clock.now(),
        actor: request.actor,
        action: ACTIONS[field],
        details: { from: current[field], to, reason: request.reason },
      });
    }
  });
}

const ACTIONS = { margin: 'matching.margin', second_opinion_below: 'matching.second_opinion' } as const;
