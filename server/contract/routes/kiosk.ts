/** The kiosk API: calls of a kiosk on the public listener. The caller sends its device token in `X-Kiosk-Token`. */
import {
  KioskConfig,
  KioskEventRequest,
  KioskEventResponse,
  KioskHeartbeat,
  KioskLetInRequest,
  KioskLetInResponse,
  KioskOrders,
  KioskPairRequest,
  KioskPairResponse,
  KioskScanRequest,
  KioskSessionResponse,
  KioskStaff,
  KioskUnlockRequest,
  KioskUnlockResponse,
  KioskUnpairRequest,
  KioskUnpairResponse,
} from '../kiosk.ts';
import {
  KioskAdmissionRequest,
  KioskTicketRequest,
  KioskTicketResponse,
  TicketDecision,
} from '../tickets.ts';
import type { Routes } from './route.ts';

const post = { method: 'POST', bodyLimit: 8 * 1024 } as const;

export const kiosk = {
  pair: {
    ...post,
    path: '/kiosk/pair',
    body: KioskPairRequest,
    reply: KioskPairResponse,
  },
  config: {
    method: 'GET',
    path: '/kiosk/config',
    reply: KioskConfig,
  },
  heartbeat: {
    ...post,
    path: '/kiosk/heartbeat',
    body: KioskHeartbeat,
    reply: KioskOrders,
  },
  /** Server-sent events: orders, and the end of the token. */
  events: {
    method: 'GET',
    path: '/kiosk/events',
    stream: true,
  },
  walkUp: {
    ...post,
    path: '/kiosk/sessions',
    reply: KioskSessionResponse,
  },
  scan: {
    ...post,
    path: '/kiosk/scan',
    body: KioskScanRequest,
    reply: KioskSessionResponse,
  },
  ticket: {
    ...post,
    path: '/kiosk/tickets',
    body: KioskTicketRequest,
    reply: KioskTicketResponse,
  },
  admission: {
    ...post,
    path: '/kiosk/admissions',
    body: KioskAdmissionRequest,
    reply: TicketDecision,
  },
  staff: {
    method: 'GET',
    path: '/kiosk/staff',
    reply: KioskStaff,
  },
  unlock: {
    ...post,
    path: '/kiosk/unlock',
    body: KioskUnlockRequest,
    reply: KioskUnlockResponse,
  },
  unpair: {
    ...post,
    path: '/kiosk/unpair',
    body: KioskUnpairRequest,
    reply: KioskUnpairResponse,
  },
  chooseEvent: {
    ...post,
    path: '/kiosk/event',
    body: KioskEventRequest,
    reply: KioskEventResponse,
  },
  letIn: {
    ...post,
    path: '/kiosk/let-in',
    body: KioskLetInRequest,
    reply: KioskLetInResponse,
  },
  /** A WebP picture, without a token, because image tags cannot send one. */
  logo: {
    method: 'GET',
    path: '/kiosk/logos/:logo_id',
  },
} as const satisfies Routes;
