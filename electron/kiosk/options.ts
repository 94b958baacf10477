/** How the app is told to be a kiosk: switches on its command line, as a shortcut or an autostart entry gives them. */

export type KioskOptions = {
  /** Which screen, counted from 1 in the order of the system; null for the main one. */
  display: number | null;
  /** Another machine's server (its origin); null for this machine's own. */
  server: string | null;
};

/**
 * `--kiosk`, with `--kiosk-display=2` and `--kiosk-server=https://host:port` where wanted. Another machine is asked over
 * HTTPS only: a page from plain HTTP gets no camera, and its words could be anybody's.
 * @returns null where the app is not to be a kiosk @throws Error with what is wrong, for the log
 */
export function kioskOptionsOf(argv: readonly string[]): KioskOptions | null {
  if (!argv.includes('--kiosk')) return null;
  const display = valueOf(argv, '--kiosk-display');
  const server = valueOf(argv, '--kiosk-server');
  if (display !== null && !/^[1-9]\d?$/.test(display)) {
    throw new Error('--kiosk-display takes the number of a screen, from 1');
  }
  if (server !== null && (!URL.canParse(server) || new URL(server).protocol !== 'https:')) {
    throw new Error('--kiosk-server takes an address that begins with https://');
  }
  return {
    display: display === null ? null : Number(display),
    server: server === null ? null : new URL(server).origin,
  };
}

function valueOf(argv: readonly string[], name: string): string | null {
  const found = argv.find((word) => word.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
