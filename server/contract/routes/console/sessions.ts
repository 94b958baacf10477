import { Type } from 'typebox';
import {
  SessionDetail,
  SessionOverride,
  SessionPage,
  SessionQuery,
  SessionReason,
  VerificationChoices,
} from '../../console/sessions.ts';
import type { ConsoleRoutes } from '../route.ts';

const session = { session_id: Type.String() };

export const sessions = {
  list: {
    method: 'GET',
    path: '/sessions',
    role: 'staff',
    summary: 'Sessions, newest first',
    query: SessionQuery.properties,
    reply: SessionPage,
  },
  verifications: {
    method: 'GET',
    path: '/sessions/verifications',
    role: 'staff',
    summary: 'Verifications to filter sessions by',
    reply: VerificationChoices,
  },
  read: {
    method: 'GET',
    path: '/sessions/:session_id',
    role: 'staff',
    summary: 'A session with its pass and its timeline',
    params: session,
    reply: SessionDetail,
  },
  cancel: {
    method: 'POST',
    path: '/sessions/:session_id/cancel',
    role: 'staff',
    summary: 'End an open session',
    params: session,
    body: SessionReason,
    reply: SessionDetail,
  },
  reopen: {
    method: 'POST',
    path: '/sessions/:session_id/reopen',
    role: 'staff',
    summary: 'Take an open session off its device',
    params: session,
    body: SessionReason,
    reply: SessionDetail,
  },
  lock: {
    method: 'POST',
    path: '/sessions/:session_id/lock',
    role: 'reviewer',
    summary: 'Lock the pass',
    params: session,
    body: SessionReason,
    reply: SessionDetail,
  },
  unlock: {
    method: 'POST',
    path: '/sessions/:session_id/unlock',
    role: 'reviewer',
    summary: 'Unlock the pass',
    params: session,
    body: SessionReason,
    reply: SessionDetail,
  },
  override: {
    method: 'POST',
    path: '/sessions/:session_id/override',
    role: 'admin',
    summary: 'Replace the verdict by hand',
    params: session,
    body: SessionOverride,
    reply: SessionDetail,
  },
} as const satisfies ConsoleRoutes;
