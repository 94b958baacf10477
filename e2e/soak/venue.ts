/** The tools of a visit, and how callers behave while the server is down: they wait and retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { UnexpectedAnswer } from '../support/http.ts';
import { STORE_RETRY_S } from '../../server/refusals/judge.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import type { Ledger } from './ledger.ts';
import type { Site } from './site.ts';

export type Venue = {
  readonly gatehouse: Pick<Site, 'baseUrl' | 'company' | 'running'>;
  readonly ledger: Ledger;
  /** The people available at the camera. */
  readonly people: readonly Clips[];
};

/** More outages than this in one call are not caused by the soak's kills. */
const MOST_OUTAGES = 5;

/** `fetch` rejects with a TypeError only if the connection failed. */
const isOutage = (error: unknown): boolean => error instanceof TypeError;

/** The database is busy: a documented answer, with the time to wait. */
const isBusy = (error: unknown): boolean => error instanceof UnexpectedAnswer && error.status === 503;

/**
 * Counts an outage and waits for its end.
 * @throws the error itself if it is not an outage
 */
export async function sitOut({ ledger, gatehouse }: Venue, error: unknown): Promise<void> {
  if (isBusy(error)) await sleep(STORE_RETRY_S * 1_000);
  else if (!isOutage(error)) throw error;
  ledger.interrupted += 1;
  await gatehouse.running();
}

/** Repeats a call until it is answered. */
export async function patiently<T>(venue: Venue, ask: () => Promise<T>): Promise<T> {
  for (let outages = 0; outages < MOST_OUTAGES; outages++) {
    try {
      return await ask();
    } catch (error) {
      await sitOut(venue, error);
    }
  }
  return ask();
}
