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

const bodyLimit = 8 * 1024;

export const kiosk = {
  pair: {
    method: 'POST',
    path: '/kiosk/pair',
    body: KioskPairRequest,
    reply: KioskPairResponse,
    bodyLimit,
  },
  config: {
    method: 'GET',
    path: '/kiosk/config',
    reply: KioskConfig,
  },
  heartbeat: {
    method: 'POST',
    path: '/kiosk/heartbeat',
    body: KioskHeartbeat,
    reply: KioskOrders,
    bodyLimit,
  },
  /** Server-sent events: orders, and the end of the token. */
  events: {
    method: 'GET',
    path: '/kiosk/events',
    stream: true,
  },
  walkUp: {
    method: 'POST',
    path: '/kiosk/sessions',
    reply: KioskSessionResponse,
    bodyLimit,
  },
  scan: {
    method: 'POST',
    path: '/kiosk/scan',
    body: KioskScanRequest,
    reply: KioskSessionResponse,
    bodyLimit,
  },
  ticket: {
    method: 'POST',
    path: '/kiosk/tickets',
    body: KioskTicketRequest,
    reply: KioskTicketResponse,
    bodyLimit,
  },
  admission: {
    method: 'POST',
    path: '/kiosk/admissions',
    body: KioskAdmissionRequest,
    reply: TicketDecision,
    bodyLimit,
  },
  staff: {
    method: 'GET',
    path: '/kiosk/staff',
    reply: KioskStaff,
  },
  unlock: {
    method: 'POST',
    path: '/kiosk/unlock',
    body: KioskUnlockRequest,
    reply: KioskUnlockResponse,
    bodyLimit,
  },
  unpair: {
    method: 'POST',
    path: '/kiosk/unpair',
    body: KioskUnpairRequest,
    reply: KioskUnpairResponse,
    bodyLimit,
  },
  chooseEvent: {
    method: 'POST',
    path: '/kiosk/event',
    body: KioskEventRequest,
    reply: KioskEventResponse,
    bodyLimit,
  },
  letIn: {
    method: 'POST',
    path: '/kiosk/let-in',
    body: KioskLetInRequest,
    reply: KioskLetInResponse,
    bodyLimit,
  },
  /** A WebP picture, without a token, because image tags cannot send one. */
  logo: {
    method: 'GET',
    path: '/kiosk/logos/:logo_id',
  },
} as const satisfies Routes;
