import { FileLanguage } from '../../languages.ts';
import {
  SessionDetail,
  SessionOverride,
  SessionPage,
  SessionQuery,
  VerificationChoices,
} from '../../console/sessions.ts';
import type { ConsoleRoutes } from '../route.ts';
import { WithReason } from '../../console/common.ts';

export const sessions = {
  list: {
    method: 'GET',
    path: '/sessions',
    role: 'staff',
    summary: 'List sessions, newest first',
    query: SessionQuery.properties,
    reply: SessionPage,
  },
  export: {
    method: 'GET',
    path: '/sessions/export',
    role: 'reviewer',
    summary: 'Download the sessions that match as CSV',
    query: { ...SessionQuery.properties, ...FileLanguage },
  },
  verifications: {
    method: 'GET',
    path: '/sessions/verifications',
    role: 'staff',
    summary: 'List verifications to filter sessions by',
    reply: VerificationChoices,
  },
  read: {
    method: 'GET',
    path: '/sessions/:session_id',
    role: 'staff',
    summary: 'Read a session with its pass and timeline',
    reply: SessionDetail,
  },
  cancel: {
    method: 'POST',
    path: '/sessions/:session_id/cancel',
    role: 'staff',
    summary: 'End an open session',
    body: WithReason,
    reply: SessionDetail,
  },
  reopen: {
    method: 'POST',
    path: '/sessions/:session_id/reopen',
    role: 'staff',
    summary: 'Release an open session from its device',
    body: WithReason,
    reply: SessionDetail,
  },
  lock: {
    method: 'POST',
    path: '/sessions/:session_id/lock',
    role: 'reviewer',
    summary: 'Lock a pass',
    body: WithReason,
    reply: SessionDetail,
  },
  unlock: {
    method: 'POST',
    path: '/sessions/:session_id/unlock',
    role: 'reviewer',
    summary: 'Unlock a pass',
    body: WithReason,
    reply: SessionDetail,
  },
  override: {
    method: 'POST',
    path: '/sessions/:session_id/override',
    role: 'admin',
    summary: 'Override the result',
    body: SessionOverride,
    reply: SessionDetail,
  },
} as const satisfies ConsoleRoutes;
