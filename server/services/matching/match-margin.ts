/**
 * How much stricter (or looser) than measured an admin wants faces to be compared: one number, added to both cosines.
 * Bounded, so that no setting can turn matching off or make everyone the same person.
 */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';
import { type ChangeLog, mergeChange } from '../versions.ts';

const SETTING = 'match.margin';

/** Cosine. Looser, false matches would increase more than tenfold; stricter, people would no longer be recognised. */
export const MARGIN_BOUNDS = { min: -0.05, max: 0.1 } as const;
/** The measurement had no more than two decimals. */
const STEPS = 100;

export async function readMatchMargin(db: SqlReader): Promise<number> {
  return (await readSetting<number>(db, SETTING)) ?? 0;
}

/** @throws RangeError outside `MARGIN_BOUNDS`; ConsoleError `changed_meanwhile` */
export async function changeMatchMargin(
  db: Database,
  clock: Clock,
  request: { margin: number; reason: string; version?: string | undefined; actor: Actor },
): Promise<void> {
  const sent = { margin: Math.round(request.margin * STEPS) / STEPS };
  if (!(sent.margin >= MARGIN_BOUNDS.min && sent.margin <= MARGIN_BOUNDS.max)) {
    throw new RangeError(`A margin lies between ${MARGIN_BOUNDS.min} and ${MARGIN_BOUNDS.max}.`);
  }
  await db.tx(async (tx) => {
    const before = await readMatchMargin(tx);
    const log: ChangeLog = { subject: 'installation', actions: ['matching.margin'] };
    const current = { margin: before };
    const merged = await mergeChange(tx, { version: request.version, current, sent, log });
    const { margin } = { ...current, ...merged };
    await writeSetting(tx, SETTING, margin);
    await appendAudit(tx, {
      at: clock.now(),
      actor: request.actor,
      action: 'matching.margin',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { from: before, to: margin, reason: request.reason },
    });
  });
}
