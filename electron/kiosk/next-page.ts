/** What the kiosk's window shows: the kiosk's page for as long as it lives, else how far its server is. */
import { KIOSK_PATH } from '../addresses.ts';
import { statusPage } from '../status-page.ts';
import type { ServerState } from '../supervisor.ts';

export type Shown = {
  /** Where the kiosk's page comes from now; null while there is no server. */
  origin: string | null;
  /** Of this machine's server. */
  state: ServerState;
  /** The address that was loaded last. */
  shown: string;
  /** What was loaded last is not there any more: it failed, or its process ended. */
  isGone: boolean;
  /** Of what is said while there is no server. */
  language: string;
};

/**
 * The address to load; null where the window stays as it is. The kiosk's page itself says when its server is gone, and goes
 * on when it is back. One that is not there cannot: the next server has to find another page in its place.
 */
export function nextPage({ origin, state, shown, isGone, language }: Shown): string | null {
  if (origin !== null) {
    const page = `${origin}${KIOSK_PATH}`;
    return isGone || shown !== page ? page : null;
  }
  if (state.kind === 'ready' || (!isGone && shown.endsWith(KIOSK_PATH))) return null;
  return statusPage(state, language);
}
