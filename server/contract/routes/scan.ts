/** Calls of the door team's phones on the public listener. */
import { Type } from 'typebox';
import {
  PhoneCallRequest,
  PhoneChildrenRequest,
  PhoneChildrenResponse,
  PhoneLetInRequest,
  PhoneScanRequest,
  PhoneSearchRequest,
  PhoneSearchResponse,
  PhoneUndoRequest,
  ShiftJoinRequest,
  ShiftJoinResponse,
  ShiftStatus,
  TicketDecision,
} from '../tickets.ts';
import type { Routes } from './route.ts';

const post = { method: 'POST', bodyLimit: 8 * 1024 } as const;

export const scan = {
  join: { ...post, path: '/scan/join', body: ShiftJoinRequest, reply: ShiftJoinResponse },
  shift: { method: 'GET', path: '/scan/shift', reply: ShiftStatus },
  ticket: { ...post, path: '/scan/tickets', body: PhoneScanRequest, reply: TicketDecision },
  letIn: { ...post, path: '/scan/let-in', body: PhoneLetInRequest, reply: TicketDecision },
  children: { ...post, path: '/scan/children', body: PhoneChildrenRequest, reply: PhoneChildrenResponse },
  undo: { ...post, path: '/scan/undo', body: PhoneUndoRequest, reply: Type.Object({}) },
  search: { ...post, path: '/scan/search', body: PhoneSearchRequest, reply: PhoneSearchResponse },
  call: { ...post, path: '/scan/call', body: PhoneCallRequest, reply: Type.Object({}) },
} as const satisfies Routes;
