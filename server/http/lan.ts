/**
 * Network mode: https on every address of this machine for guests, kiosks and integrations, with the installation’s
 * own certificate, and a plain page that helps devices trust it. The console stays on this machine unless it is opened
 * explicitly. Off by default; the listeners on loopback are not affected.
 */
import type { FastifyInstance } from 'fastify';
import { type LanServer, openPlain, openTls } from './lan-server.ts';
import type { TrustShown } from '../routes/trust/index.ts';
import type { Clock } from '../services/ports/clock.ts';
import {
  chainOf,
  fingerprintOf,
  type LanCertificates,
  lanCertificates,
} from '../services/network/certificates.ts';
import {
  announcedSubjects,
  firstReachable,
  inUrl,
  LAN_OFF,
  type LanService,
  type LanState,
  ownSubjects,
} from '../services/network/service.ts';
import { readLanSetting } from '../services/network/setting.ts';
import type { Subjects } from '../services/network/authority.ts';
import { onAnnouncement } from '../services/ports/turns.ts';
import { type Database, INSTALLATION } from '../store/sql/port.ts';

type LanOptions = {
  db: Database;
  clock: Clock;
  /** Turned on by the command line or the environment. */
  isForced: boolean;
  /** Port of the service; the trust page and the console use the next two. 0 picks free ones. */
  port: number;
  app: FastifyInstance;
  consoleApp: FastifyInstance;
  /** Creates the plain application with the trust page; its content can change while it runs. */
  trustApp: (shown: () => TrustShown) => Promise<FastifyInstance>;
  subjects?: () => Subjects;
  /** The advertised origin has changed. */
  moved: () => void;
  onError: (error: unknown) => void;
};

type Open = { service: LanServer; trust: LanServer; trustApp: FastifyInstance; console: LanServer | null };

export function createLanService(options: LanOptions): LanService {
  const { db, clock, isForced, port, app, consoleApp, subjects = ownSubjects, moved, onError } = options;
  let open: Open | null = null;
  let state: LanState = { ...LAN_OFF, isForced };
  let certificates: LanCertificates | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const portOf = (n: number): number => (port === 0 ? 0 : port + n);
  const shown = (): TrustShown => ({
    certificate: certificates?.authority.certificate ?? '',
    fingerprint: state.fingerprint ?? '',
    origins: state.origins,
  });

  async function follow(): Promise<void> {
    const setting = await readLanSetting(db);
    const isOn = isForced || setting.isOn;
    if (!isOn) {
      await shut();
      state = { ...LAN_OFF, isForced };
      return;
    }
    const own = subjects();
    const made = await lanCertificates(db, own, clock.now());
    const isNew = made.leaf.certificate !== certificates?.leaf.certificate;
    certificates = made;
    open ??= await openAll(made);
    if (isNew) for (const server of [open.service, open.console]) server?.use(chainOf(made));
    if (setting.isConsoleOpen) open.console ??= await openTls(consoleApp, portOf(2), chainOf(made));
    else if (open.console) {
      const closing = open.console;
      open.console = null;
      await closing.close();
    }
    state = stateOf(open, announcedSubjects(own), made);
  }

  async function openAll(made: LanCertificates): Promise<Open> {
    const service = await openTls(app, portOf(0), chainOf(made), { believesProxies: false });
    try {
      const trustApp = await options.trustApp(shown);
      await trustApp.ready();
      return { service, trust: await openPlain(trustApp, portOf(1)), trustApp, console: null };
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  function stateOf(now: Open, own: Subjects, { authority, expiresAt }: LanCertificates): LanState {
    const first = firstReachable(own);
    const all = [...(first === null ? [] : [first]), ...own.addresses, ...own.names];
    const reachable = [...new Set(all)].filter(
      (name) => name !== '127.0.0.1' && name !== '::1' && name !== 'localhost',
    );
    // Without a network, only the `.local` name remains, or nothing: then links use this machine’s own address.
    const host = first ?? reachable[0] ?? null;
    const at = (scheme: string, name: string, { port: itsPort }: LanServer) =>
      `${scheme}://${inUrl(name)}:${itsPort}`;
    return {
      isOn: true,
      isConsoleOpen: now.console !== null,
      isForced,
      origin: first === null ? null : at('https', first, now.service),
      origins: reachable.map((name) => at('https', name, now.service)),
      consoleOrigin: host === null || !now.console ? null : at('https', host, now.console),
      trustUrl: host === null ? null : `${at('http', host, now.trust)}/trust`,
      fingerprint: fingerprintOf(authority.certificate),
      expiresAt,
      failure: first === null ? 'no_network' : null,
    };
  }

  async function shut(): Promise<void> {
    const closing = open;
    open = null;
    if (!closing) return;
    await Promise.all([closing.service.close(), closing.trust.close(), closing.console?.close()]);
    await closing.trustApp.close();
  }

  /** One change at a time, because two would open the same ports. */
  function apply(): Promise<LanState> {
    const next = turn.then(async () => {
      const { origin } = state;
      await follow().catch(async (error: unknown) => {
        if (state.failure === null) onError(error);
        await shut();
        state = { ...LAN_OFF, isForced, isOn: true, failure: isPortInUse(error) ? 'port_in_use' : 'failed' };
      });
      if (state.origin !== origin) moved();
      return state;
    });
    turn = next;
    return next;
  }

  // The machine’s own addresses change without an announcement: the slow look finds it.
  const looking = onAnnouncement(
    db,
    { topic: 'audit', subject: INSTALLATION },
    () => apply().then(() => undefined),
    onError,
  );
  return {
    state: () => state,
    apply,
    async close() {
      await looking.close();
      await turn;
      await shut();
    },
  };
}

const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
