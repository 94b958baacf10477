/**
 * What a page can find out about a service that it does not reach. Browsers ask a person before a public page may call
 * an address of the local network, and tell the page only whether they may ask.
 */

/** Of addresses that a browser counts as local, those that show it by their form. */
const LOCAL_HOST =
  /^([^.:]+|.*\.(localhost|local|lan|internal|home\.arpa)|((127|10)\.\d+|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+|\[(::1|f[cd].*|fe[89ab].*)\])$/;
/** http of these is as good as https for browsers. */
const OWN_HOST = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Chromium's names: the newer two, and the one for both before them. */
const PERMISSIONS = ['local-network', 'loopback-network', 'local-network-access'];

/** What a frame of the service needs, for whichever address it has. */
export const FRAME_PERMISSIONS = ['camera', 'clipboard-write', ...PERMISSIONS].join('; ');

const REACH_WITHIN_MS = 10_000;

export const isLocal = (base: string): boolean => LOCAL_HOST.test(new URL(base).hostname);

/** A page with https may not show a frame without it, but it may lead there, and call it if it says that it is local. */
export const isMixed = (base: string): boolean =>
  base.startsWith('http:') && location.protocol === 'https:' && !OWN_HOST.test(new URL(base).hostname);

/** Whether the browser kept this page from the network of a service that gave no answer. */
export async function isKeptFrom(base: string): Promise<boolean> {
  const states = await Promise.all(
    PERMISSIONS.map(async (name) => {
      try {
        return (await navigator.permissions.query({ name: name as PermissionName })).state;
      } catch {
        // The browser has no such permission.
        return null;
      }
    }),
  );
  // Put away without an answer, it stays at `prompt`, as for every page whose service is merely down. A page that is local
  // itself is never asked about.
  return states.includes('denied') || (states.includes('prompt') && isLocal(base) && !isLocal(location.href));
}

/** Why a frame of the service shows nothing. `kept`: a page of its own can still show it. */
export async function whyBlank(base: string): Promise<'kept' | 'blocked' | 'unreachable'> {
  if (isMixed(base)) return 'kept';
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), REACH_WITHIN_MS);
  const answers = await fetch(`${base}/sdk/gatehouse.js`, {
    method: 'HEAD',
    credentials: 'omit',
    cache: 'no-store',
    signal: limit.signal,
  }).then(
    () => true,
    () => false,
  );
  clearTimeout(timer);
  if (answers) return 'blocked';
  return (await isKeptFrom(base)) ? 'kept' : 'unreachable';
}
