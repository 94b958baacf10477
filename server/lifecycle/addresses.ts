/** Where this server is reached. Nothing is known of it before the listeners listen and network mode runs. */
import { LAN_OFF, type LanService } from '../services/network/service.ts';
import type { Ports } from '../services/ports/ports.ts';
import type { ServerConfig } from '../config.ts';

export type Addresses = Pick<Ports, 'baseUrl' | 'connectUrl' | 'trustPage' | 'consoleUrl'> & {
  /** All addresses that this process listens on; empty until it does. */
  listed: () => string[];
  /** Network mode; off until it is joined. */
  lan: LanService;
  onMoved: (listener: (baseUrl: string) => void) => void;
  /** Network mode has another origin. */
  moved: () => void;
  /** Its address with the assigned port, set once, before it answers a request that needs it. */
  listens: (listener: 'service' | 'console', url: string) => void;
  /** Set once. */
  joins: (lan: LanService) => void;
};

export function createAddresses({
  publicUrl,
  host,
  consoleHost,
}: Pick<ServerConfig, 'publicUrl' | 'host' | 'consoleHost'>): Addresses {
  const own = { service: '', console: '' };
  let joined: LanService | null = null;
  let listener: (baseUrl: string) => void = () => undefined;
  const state = () => joined?.state() ?? LAN_OFF;
  const baseUrl = () => publicUrl ?? state().origin ?? own.service;
  return {
    baseUrl,
    // For this machine's own windows, which need no certificate of network mode and trust none.
    connectUrl: () => publicUrl ?? own.service,
    consoleUrl: () => own.console,
    trustPage() {
      const { trustUrl: url, fingerprint } = state();
      return url === null || fingerprint === null ? null : { url, fingerprint };
    },
    listed() {
      const { origins, consoleOrigin, trustUrl } = state();
      return [
        ...listeningAt(host, own.service),
        ...listeningAt(consoleHost, own.console),
        ...origins,
        ...(consoleOrigin === null ? [] : [consoleOrigin]),
        ...(trustUrl === null ? [] : [new URL(trustUrl).origin]),
      ];
    },
    lan: {
      state,
      apply: async () => (await joined?.apply()) ?? LAN_OFF,
      close: async () => joined?.close(),
    },
    onMoved(next) {
      listener = next;
    },
    moved: () => listener(baseUrl()),
    listens(who, url) {
      own[who] = url;
    },
    joins(lan) {
      joined = lan;
    },
  };
}

/** The requested host, such as 0.0.0.0, with the assigned port. */
const listeningAt = (host: string, url: string): string[] =>
  url === '' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${new URL(url).port}`];
