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
  /** Language of the messages shown while there is no server. */
  language: string;
};

/**
 * The address to load; null if the window stays as it is. A kiosk page that is loaded reports a lost server and
 * recovers. If no page is loaded, the next server has to load one.
 */
export function nextPage({ origin, state, shown, isGone, language }: Shown): string | null {
  if (origin !== null) {
    const page = `${origin}${KIOSK_PATH}`;
    return isGone || shown !== page ? page : null;
  }
  if (state.kind === 'ready' || (!isGone && shown.endsWith(KIOSK_PATH))) return null;
  return statusPage(state, language);
}
