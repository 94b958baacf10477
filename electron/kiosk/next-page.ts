/** What the kiosk's window shows: the kiosk's page while it is running, else the state of its server. */
import { KIOSK_PATH } from '../addresses.ts';
import { statusPage } from '../status-page.ts';
import type { ServerState } from '../supervisor.ts';

export type Shown = {
  /** Current origin of the kiosk's page; null without a server. */
  origin: string | null;
  /** Of this machine's server. */
  state: ServerState;
  /** The last loaded address. */
  shown: string;
  /** The last loaded page is gone: it failed, or its process ended. */
  isGone: boolean;
  /** Language of the messages shown without a server. */
  language: string;
};

/**
 * The address to load; null if the window stays unchanged. A loaded kiosk page reports a lost server and recovers. If
 * no page is loaded, the next server has to load one.
 */
export function nextPage({ origin, state, shown, isGone, language }: Shown): string | null {
  if (origin !== null) {
    const page = `${origin}${KIOSK_PATH}`;
    return isGone || shown !== page ? page : null;
  }
  if (state.kind === 'ready' || (!isGone && shown.endsWith(KIOSK_PATH))) return null;
  return statusPage(state, language);
}
