/** The pure rules of the kiosk's window: its keys, its permissions, and what it shows. */
import { KIOSK_PATH } from '../addresses.ts';
import { statusPage } from '../status-page.ts';
import type { ServerState } from '../service/supervisor.ts';

// Which keys a held kiosk accepts: those that type into a field or move between controls, and no shortcut of any
// system.

type KeyInput = { key: string; control: boolean; alt: boolean; meta: boolean };

const MOVING: ReadonlySet<string> = new Set([
  'Tab',
  'Enter',
  'Backspace',
  'Delete',
  'Escape',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Shift',
]);

/** AltGr, which types @ on many keyboards, is reported as Control with Alt; Chromium has no shortcut with both. */
export function isKeyHeard({ key, control, alt, meta }: KeyInput): boolean {
  if (meta || control !== alt) return false;
  if (control) return key.length === 1 && !/[a-z0-9]/i.test(key);
  return MOVING.has(key) || key.length === 1;
}

// Permissions of the kiosk's page: the camera's picture, and nothing else.

/** `mediaTypes` or `mediaType`, from Electron's handlers. */
type Asked = { permission: string; url: string; media: readonly (string | undefined)[] };

/** @param origin of the kiosk's page; null if there is none */
export function isKioskPermissionAllowed({ permission, url, media }: Asked, origin: string | null): boolean {
  if (origin === null || permission !== 'media' || !URL.canParse(url) || new URL(url).origin !== origin)
    return false;
  return media.length > 0 && media.every((kind) => kind === 'video');
}

/**
 * Whether a held kiosk takes the keyboard back from another window. A console on another screen keeps it, because staff
 * work there; a console behind the kiosk does not.
 * @param display of the kiosk @param others displays of the app's other visible windows
 */
export const isFocusTakenBack = (display: number, others: readonly number[]): boolean =>
  others.every((other) => other === display);

// What the kiosk's window shows: the kiosk's page while it is running, else the state of its server.

type Shown = {
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
