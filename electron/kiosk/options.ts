/** Kiosk switches on the app's command line, set by a shortcut or an autostart entry. */

export type KioskOptions = {
  /** Number of the screen, counted from 1 in the system's order; null for the main one. */
  display: number | null;
  /** Another machine's server (its origin); null for this machine's own. */
  server: string | null;
  /** Fingerprint of that server's own authority, in the form for `isPinned`; null if the system has to trust it. */
  fingerprint: string | null;
  /** Name of the printer for badges, as the system knows it; null for the only one. */
  printer: string | null;
};

/**
 * `--kiosk`, optionally with `--kiosk-display=2` and `--kiosk-server=https://host:port`, `--kiosk-printer=Name`, and with the latter
 * `--kiosk-fingerprint=…`. Another machine is used over HTTPS only: a page from plain HTTP gets no camera, and anyone
 * on the network could change it.
 * @returns null if the app is not a kiosk @throws Error with the problem, for the log
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
  const fingerprint = valueOf(argv, '--kiosk-fingerprint')?.replace(/[\s:]/g, '').toUpperCase() ?? null;
  if (fingerprint !== null && (server === null || !/^[0-9A-F]{64}$/.test(fingerprint))) {
    throw new Error(
      '--kiosk-fingerprint takes the 32 pairs that Settings, Network shows, with --kiosk-server',
    );
  }
  return {
    display: display === null ? null : Number(display),
    server: server === null ? null : new URL(server).origin,
    fingerprint,
    printer: valueOf(argv, '--kiosk-printer'),
  };
}

/** The switches of these options. */
export const kioskArguments = ({ display, server, fingerprint, printer }: KioskOptions): string[] => [
  '--kiosk',
  ...(display === null ? [] : [`--kiosk-display=${display}`]),
  ...(server === null ? [] : [`--kiosk-server=${server}`]),
  ...(fingerprint === null ? [] : [`--kiosk-fingerprint=${fingerprint}`]),
  ...(printer === null ? [] : [`--kiosk-printer=${printer}`]),
];

function valueOf(argv: readonly string[], name: string): string | null {
  const found = argv.find((word) => word.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
