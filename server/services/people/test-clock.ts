/** The clock of the test data: what takes hours or days can be tried at once. */
import { MAX_TEST_CLOCK_S, type TestClock } from '../../contract/v3.ts';
import { utcDay } from '../../domain/days.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import {
  ageTestData,
  hasMoreTestData,
  listOpenTestSessions,
  readTestClock,
  setTestClock,
} from '../../store/people/test-clock.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { KeepReply } from '../keys/idempotency.ts';
import type { Caller } from '../keys/keys.ts';
import type { Ports } from '../ports/ports.ts';

/** More would hold up the checks of live data while they are moved. */
const MOST_ROWS = 5_000;

type Deps = Pick<Ports, 'db' | 'clock'>;

/** The company of a secret test key. @throws Refusal `test_key_required` */
export function companyOfTestKey({ scope, kind }: Caller): string {
  if (kind !== 'sk' || scope.partition !== 'test') throw new Refusal('test_key_required');
  return scope.companyId;
}

const toClock = (ms: number): TestClock => ({ advanced_seconds: Math.round(ms / 1_000) });

export const showTestClock = async (db: SqlReader, companyId: string): Promise<TestClock> =>
  toClock(await readTestClock(db, { companyId, partition: 'test' }));

/**
 * Lets time pass for the company's test data, and for nothing else. Clearing it sets the clock back.
 * @throws Refusal `test_clock_at_end`, `test_data_too_large`
 */
export function advanceTestClock(
  { db, clock }: Deps,
  companyId: string,
  { seconds, actor }: { seconds: number; actor: Actor },
  keep: KeepReply<TestClock> | null = null,
): Promise<TestClock> {
  const at = clock.now();
  const ms = seconds * 1_000;
  const scope = { companyId, partition: 'test' } as const;
  // Days have no time of day: today's become those of the day that it was that long ago.
  const daysMs = Date.parse(utcDay(at)) - Date.parse(utcDay(at - ms));
  return db.tx(async (tx) => {
    const advancedMs = (await readTestClock(tx, scope)) + ms;
    if (advancedMs > MAX_TEST_CLOCK_S * 1_000) throw new Refusal('test_clock_at_end');
    if (await hasMoreTestData(tx, companyId, MOST_ROWS)) throw new Refusal('test_data_too_large');
    const open = await listOpenTestSessions(tx, companyId);
    await ageTestData(tx, companyId, { ms, days: (day) => utcDay(Date.parse(day) - daysMs) });
    await setTestClock(tx, companyId, advancedMs);
    const reply = toClock(advancedMs);
    await appendAudit(tx, {
      ...scope,
      at,
      actor,
      action: 'test_clock.advance',
      subject: companyId,
      details: { seconds, ...reply },
    });
    for (const topic of ['session', 'case', 'usage', 'webhooks'] as const) tx.afterCommit(topic, companyId);
    for (const topic of ['codes', 'decisions'] as const) tx.afterCommit(topic);
    for (const id of open) tx.afterCommit('session', id);
    await keep?.(tx, reply, companyId);
    return reply;
  }, scope);
}
