import type { SqlReader } from '../../store/sql/port.ts';
import { type Caller, callerBehind } from '../keys/keys.ts';
import { Refusal } from '../../refusals/refusal.ts';

const PREFIX = /^ak_(live|test)_/;

/**
 * The caller with an `API-KEY` header; null without a header and for any key that does not work here, including those
 * of v3.
 */
export async function findConnectCaller(
  db: SqlReader,
  key: string | null,
  nowMs: number,
): Promise<Caller | null> {
  return key !== null && PREFIX.test(key) ? callerBehind(db, key, nowMs) : null;
}

/** The error for a caller without a working key. */
export function refuseKey(key: string | null): Refusal {
  return new Refusal('INVALID_API_KEY', {
    message:
      key === null
        ? 'The API-KEY header is missing.'
        : 'The API key is unknown or revoked. See Keys in the console.',
  });
}
