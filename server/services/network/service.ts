/** The network mode of a running server, as the rest of the service sees it. */

export type LanState = {
  isOn: boolean;
  isConsoleOpen: boolean;
  /** The environment or the command line turned it on; settings cannot turn it off. */
  isForced: boolean;
  /** Advertised origin while on: the service at its first address; null while off or without a network. */
  origin: string | null;
  /** All origins that devices may use. */
  origins: readonly string[];
  consoleOrigin: string | null;
  /** Plain http, where a device gets the certificate to trust. */
  trustUrl: string | null;
  /** SHA-256 of the authority, for people to compare. */
  fingerprint: string | null;
  /** End of the server's certificate, epoch milliseconds. It is renewed long before. */
  expiresAt: number | null;
  /** Why it is not running although it is on. */
  failure: 'port_in_use' | 'no_network' | 'failed' | null;
};

export type LanService = {
  state(): LanState;
  /** Applies the setting and this machine's addresses immediately. */
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
