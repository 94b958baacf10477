/**
 * A venue with an event in the test partition: kiosks that are paired like real devices, and test faces that walk up
 * to them.
 */
import type { EventCreate, EventRecord } from '../../server/contract/console/events.ts';
import type { KioskWithCode } from '../../server/contract/console/kiosks.ts';
import type { OpenResponse, Snapshot } from '../../server/contract/flow.ts';
import {
  KIOSK_TOKEN_HEADER,
  type KioskCamera,
  type KioskOrders,
  type KioskPairResponse,
  type KioskScreen,
} from '../../server/contract/kiosk.ts';
import type { Operator } from './pages/console.ts';
import { send, sendOk, type Reply } from './http.ts';
import { runOf, type Run } from './run.ts';

export const TEST = 'partition=test';
const HOUR_MS = 3_600_000;

/** Calls the console’s API without an `Operator`. */
export type ConsoleCall = Pick<Operator, 'ok'>;

/** An event that runs now, one entry per person. */
export function newEvent(admin: ConsoleCall, more: Partial<EventCreate> = {}): Promise<EventRecord> {
  const now = Date.now();
  const body: EventCreate = {
    name: 'Night run',
    starts_at: new Date(now - HOUR_MS).toISOString(),
    ends_at: new Date(now + 8 * HOUR_MS).toISOString(),
    limit: { kind: 'total', max: 1 },
    ...more,
  };
  return admin.ok<EventRecord>(`/events?${TEST}`, { body });
}

export type PairedKiosk = {
  readonly id: string;
  readonly token: string;
  /** A call below `/kiosk` with the device's token; without a body it is a GET. */
  call<T>(path: string, body?: unknown): Promise<Reply<T>>;
  heartbeat(screen: KioskScreen, camera?: KioskCamera, more?: object): Promise<KioskOrders>;
  /** Starts a walk-up and leaves it open. */
  start(): Promise<Run>;
  /** A complete walk-up of a test face. */
  pass(face: string): Promise<Snapshot>;
};

/** Pairs a device with the code from the console. */
export async function pairDevice(baseUrl: string, code: string): Promise<PairedKiosk> {
  const paired = await sendOk<KioskPairResponse>(`${baseUrl}/kiosk/pair`, { body: { code } });
  const headers = { [KIOSK_TOKEN_HEADER]: paired.device_token };
  const call = <T>(path: string, body?: unknown) =>
    send<T>(`${baseUrl}/kiosk${path}`, { headers, ...(body !== undefined && { body }) });
  const start = async () => {
    const { flow_token: flowToken, snapshot } = await sendOk<OpenResponse>(`${baseUrl}/kiosk/sessions`, {
      headers,
      body: {},
    });
    return runOf({ baseUrl }, { sessionId: snapshot.session_id, url: '', flowToken });
  };
  return {
    id: paired.kiosk_id,
    token: paired.device_token,
    call,
    heartbeat: async (screen, camera = 'ready', more = {}) =>
      (await call<KioskOrders>('/heartbeat', { screen, camera, ...more })).body,
    start,
    async pass(face) {
      const run = await start();
      await run.flow('/consent', { accepted: true });
      return (await run.flow('/test-capture', { face })).body;
    },
  };
}

/** A kiosk of the event, added and paired. */
export async function newKiosk(
  staff: ConsoleCall,
  baseUrl: string,
  name: string,
  eventId: string | null,
): Promise<PairedKiosk> {
  const { code } = await staff.ok<KioskWithCode>(`/kiosks?${TEST}`, { body: { name, event_id: eventId } });
  return pairDevice(baseUrl, code);
}
