/** A kiosk with a synthetic environment, for tests. */
import { vi } from 'vitest';
import type { OpenResponse } from '../../../server/contract/flow.ts';
import type { KioskConfig, KioskEvent, KioskOrders } from '../../../server/contract/kiosk.ts';
import { EVERY_LANGUAGE, languageFor } from '../../../server/contract/languages.ts';
import type { ConnectionHooks } from './connection.ts';
import { createKiosk } from './kiosk.ts';
import type { KioskApi } from './kiosk-api.ts';
import type { Visit } from './visit.ts';

export const EVENT: KioskEvent = {
  event_id: 'ev_1',
  name: 'Night of Museums',
  state: 'running',
  starts_at: '2026-11-21T18:00:00.000Z',
  ends_at: '2026-11-21T23:00:00.000Z',
  is_test: false,
  takes_tickets: false,
  ticket_first: false,
  verification_id: 'ver_1',
  languages: ['en', 'de'],
  words: {},
  colour: null,
  logo_url: null,
  picture: null,
};

export const CONFIG: KioskConfig = {
  kiosk_id: 'ki_1',
  name: 'North door',
  organiser: 'Venue',
  event: EVENT,
  languages: EVERY_LANGUAGE,
  retention_days: 30,
  config_version: 'v1',
};

export const ORDERS: KioskOrders = {
  badges: 0,
  config_version: 'v1',
  command: null,
  maintenance: false,
  server_time: '2026-11-21T19:00:00.000Z',
};

/** Waits for all pending replies. */
export const idle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

export function testKiosk({
  token = 'kt_1',
  config = CONFIG,
}: { token?: string | null; config?: KioskConfig } = {}) {
  let kept: string | null = token;
  const memory = {
    token: () => kept,
    keepToken: (next: string | null) => void (kept = next),
    cameraId: () => null,
    keepCameraId: () => undefined,
  };
  const opened = { flow_token: 'ft', snapshot: { session_id: 'vs_1' } } as OpenResponse;
  const api = {
    pair: vi.fn<KioskApi['pair']>(async () => ({
      kiosk_id: 'ki_1',
      name: 'North door',
      device_token: 'kt_2',
    })),
    config: vi.fn<KioskApi['config']>(async () => config),
    heartbeat: vi.fn<KioskApi['heartbeat']>(),
    follow: vi.fn<KioskApi['follow']>(),
    walkUp: vi.fn<KioskApi['walkUp']>(async () => opened),
    scan: vi.fn<KioskApi['scan']>(async () => opened),
    ticket: vi.fn<KioskApi['ticket']>(),
    admission: vi.fn<KioskApi['admission']>(),
    staff: vi.fn<KioskApi['staff']>(),
    unlock: vi.fn<KioskApi['unlock']>(),
    letIn: vi.fn<KioskApi['letIn']>(),
    unpair: vi.fn<KioskApi['unpair']>(async () => ({ kiosk_id: 'ki_1' })),
    chooseEvent: vi.fn<KioskApi['chooseEvent']>(),
  };
  const visit: Visit = {
    sessionId: 'vs_1',
    flow: {} as Visit['flow'],
    api: {} as Visit['api'],
    end: vi.fn(),
  };
  const connection = { beat: vi.fn(), stop: vi.fn() };
  const wipe = vi.fn();
  let hooks: ConnectionHooks | null = null;
  const kiosk = createKiosk({
    newKey: async () => null,
    api,
    memory,
    connect: (given) => {
      hooks = given;
      return connection;
    },
    startVisit: () => visit,
    wipe,
    usualLanguage: (offer) => languageFor(offer, ['en']),
    firstOffer: EVERY_LANGUAGE,
  });
  const server = (): ConnectionHooks => {
    if (hooks === null) throw new Error('not connected');
    return hooks;
  };
  /** Connected, configured, nobody there. */
  const ready = async () => {
    kiosk.start();
    server().onOnline(true);
    await idle();
  };
  return { kiosk, api, memory, visit, connection, wipe, server, ready };
}
