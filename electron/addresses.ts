/** Which addresses a window may show, and which open in the user's own browser. */
import type { ServerAddresses } from './service/ready-line.ts';

/** The kiosk’s page, on the service’s public address. */
export const KIOSK_PATH = '/kiosk';

/** The link on the error page: a web address, because other schemes skip the window's checks; it leads nowhere. */
export const RETRY_URL = 'https://retry.gatehouse.invalid/';

type Destination = 'here' | 'browser' | 'kiosk' | 'retry' | 'refused';

/**
 * The target of a link in the console. The console itself is shown in the window; the service's own pages (such as a
 * hosted link) open in a browser; the kiosk page opens the kiosk window. Nothing else is opened, whatever a page asks
 * for.
 */
export function destinationOf(url: string, addresses: ServerAddresses | null): Destination {
  if (url === RETRY_URL) return 'retry';
  if (!addresses || !URL.canParse(url)) return 'refused';
  if (isConsole(url, addresses)) return 'here';
  const { origin } = new URL(url);
  const own = [addresses.baseUrl, addresses.connectUrl].map((address) => new URL(address).origin);
  if (!own.includes(origin)) return 'refused';
  return pairingCodeOf(url) === null ? 'browser' : 'kiosk';
}

/** The code in an address that turns a device into a kiosk; null for any other address. */
export function pairingCodeOf(url: string): string | null {
  const { pathname, hash } = new URL(url);
  return pathname === KIOSK_PATH ? new URLSearchParams(hash.slice(1)).get('code') : null;
}

/** Whether an address is the console's own, the only page that may talk to the shell. */
export function isConsole(url: string, addresses: ServerAddresses | null): boolean {
  return (
    addresses !== null && URL.canParse(url) && new URL(url).origin === new URL(addresses.consoleUrl).origin
  );
}

/** Whether a frame may talk to the shell: only the console's own top frame may. */
export type Sender = { url: string; isTopFrame: boolean };

export function isSenderAllowed(sender: Sender | null, addresses: ServerAddresses | null): boolean {
  return sender?.isTopFrame === true && isConsole(sender.url, addresses);
}

/** The console copies keys to the clipboard when its button is pressed. It needs nothing else. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Denied unless it is on the list and the console itself requests it. */
export function isPermissionAllowed(
  permission: string,
  requestingUrl: string,
  addresses: ServerAddresses | null,
): boolean {
  return ALLOWED.has(permission) && isConsole(requestingUrl, addresses);
}
