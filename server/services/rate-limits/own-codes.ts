/** Limits of codes requested without a session (decisions §6, "Codes"). */
import { periodStart } from '../../domain/days.ts';
import { isTestNumber } from '../../domain/identity.ts';
import { placeOf } from '../../domain/address.ts';
import {
  OWN_CODES_PER_ADDRESS,
  OWN_CODES_PER_NUMBER,
  OWN_CODES_PER_PREFIX,
  prefixOfNumber,
} from '../../domain/phone/code.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';
import { countHits } from '../../store/rate-limits/hits.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readLimits } from './limits.ts';
import { keyOf, type Limited, limited, recordHit, waitMsOf } from './rate-limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Request = { number: string; address: string; nowMs: number };

const ofAll = limited('own-codes', 'all', { limit: 0, windowMs: DAY_MS });

/**
 * Counts one more code against the address, the number, its prefix and the day, in the transaction that creates the
 * code. The refusal does not reveal which limit was reached, because that would expose other people's requests.
 * @throws Refusal `too_many_codes`
 */
export async function countOwnCode(tx: SqlTx, request: Request): Promise<void> {
  const { number, nowMs } = request;
  const limits = hourlyLimits(request);
  const waits = [];
  for (const of of limits) waits.push(await waitMsOf(tx, of, nowMs));
  // Nothing is sent to a test number, so it does not count against the day.
  const isSent = !isTestNumber(number);
  if (isSent) waits.push(await waitForDay(tx, nowMs));
  const waitMs = Math.max(0, ...waits.filter((wait) => wait !== null));
  if (waitMs > 0) throw new Refusal('too_many_codes', { retryAfterS: waitMs / 1_000 });
  for (const of of limits) await recordHit(tx, of, nowMs);
  if (isSent) await recordHit(tx, ofAll, nowMs);
}

/** What `countOwnCode` counts against, for the lock of its transaction. */
export const ownCodeKeys = (request: Request): string[] => [...hourlyLimits(request), ofAll].map(keyOf);

/** Codes of the current UTC day that count against the daily limit. */
export function ownCodesToday(db: SqlReader, nowMs: number): Promise<number> {
  const today = periodStart('day', nowMs);
  return countHits(db, ofAll.subject, { after: today - 1, until: today + DAY_MS - 1 });
}

function hourlyLimits({ number, address }: Request): Limited[] {
  const hourly = (kind: string, who: string, limit: number) =>
    limited(kind, who, { limit, windowMs: HOUR_MS });
  const ofAddress = hourly('own-codes-address', placeOf(address), OWN_CODES_PER_ADDRESS);
  if (isTestNumber(number)) return [ofAddress];
  return [
    ofAddress,
    hourly('own-codes-number', number, OWN_CODES_PER_NUMBER),
    hourly('own-codes-prefix', prefixOfNumber(number), OWN_CODES_PER_PREFIX),
  ];
}

async function waitForDay(db: SqlReader, nowMs: number): Promise<number | null> {
  const { ownCodesPerDay } = await readLimits(db);
  if ((await ownCodesToday(db, nowMs)) < ownCodesPerDay) return null;
  return periodStart('day', nowMs) + DAY_MS - nowMs;
}
