/** What a visit of the soak needs, and how callers behave while the server is down: they wait and ask again. */
import type { Clips } from '../../testing/camera/clips.ts';
import type { Ledger } from './ledger.ts';
import type { Site } from './site.ts';

export type Venue = {
  readonly gatehouse: Pick<Site, 'baseUrl' | 'company' | 'running'>;
  readonly ledger: Ledger;
  /** The people who can be at the camera. */
  readonly people: readonly Clips[];
};

/** More outages than this in one call are no longer the soak's kills. */
const MOST_OUTAGES = 5;

/** `fetch` rejects with a TypeError where the connection failed, and with nothing else. */
export const isOutage = (error: unknown): boolean => error instanceof TypeError;

/** Counts an outage and waits for its end. @throws the error itself where it is none */
export async function sitOut({ ledger, gatehouse }: Venue, error: unknown): Promise<void> {
  if (!isOutage(error)) throw error;
  ledger.interrupted += 1;
  await gatehouse.running();
}

/** Makes a call that may be repeated until it is answered. */
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
