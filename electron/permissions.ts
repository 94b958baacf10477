/** What a page in the window may ask of the machine: next to nothing. */
import { isConsole } from './addresses.ts';
import type { ServerAddresses } from './ready-line.ts';

/** The console copies keys to the clipboard when its button is pressed. Nothing else is needed. */
const ALLOWED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/** Denied unless it is on the list and the console itself asks. */
export function isPermissionAllowed(
  permission: string,
  requestingUrl: string,
  addresses: ServerAddresses | null,
): boolean {
  return ALLOWED.has(permission) && isConsole(requestingUrl, addresses);
}
