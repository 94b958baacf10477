/** What the rest of the service knows of the network mode of a running server. */

export type LanState = {
  isOn: boolean;
  isConsoleOpen: boolean;
  /** The environment or the command line has switched it on; settings cannot switch it off. */
  isForced: boolean;
  /** Advertised origin while on: the service at its first address; null while off or on no network. */
  origin: string | null;
  /** All origins that devices may use. */
  origins: readonly string[];
  consoleOrigin: string | null;
  /** Plain http: how a device comes to trust the certificate. */
  trustUrl: string | null;
  /** Of the authority, SHA-256; what a person compares. */
  fingerprint: string | null;
  /** End of the server's certificate, epoch milliseconds. It is renewed long before. */
  expiresAt: number | null;
  /** Why it is not running although it is on. */
  failure: 'port_in_use' | 'no_network' | 'failed' | null;
};

export type LanService = {
  state(): LanState;
  /** Follows the setting and this machine's addresses at once. */
  apply(): Promise<LanState>;
  close(): Promise<void>;
};

export const LAN_OFF: LanState = {
  isOn: false,
  isConsoleOpen: false,
  isForced: false,
  origin: null,
  origins: [],
  consoleOrigin: null,
  trustUrl: null,
  fingerprint: null,
  expiresAt: null,
  failure: null,
};
