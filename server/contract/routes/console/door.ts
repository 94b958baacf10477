import { Type } from 'typebox';
import { DoorAgain, DoorCodes, DoorView, FirstSteps } from '../../console/door.ts';
import { Done, WithReason } from '../../console/common.ts';
import type { ConsoleRoutes } from '../route.ts';

export const door = {
  read: {
    method: 'GET',
    path: '/door',
    role: 'staff',
    summary: 'Read the door: numbers, latest results, checks in progress and kiosks',
    query: { event_id: Type.Optional(Type.String({ maxLength: 64 })) },
    reply: DoorView,
  },
  codes: {
    method: 'GET',
    path: '/door/codes',
    role: 'staff',
    summary: 'List phone codes to read out',
    reply: DoorCodes,
  },
  firstSteps: {
    method: 'GET',
    path: '/door/first-steps',
    role: 'admin',
    summary: 'Read the checklist of the first steps',
    reply: FirstSteps,
  },
  release: {
    method: 'POST',
    path: '/door/sessions/:session_id/release',
    role: 'staff',
    summary: 'Release a run from its device',
    body: WithReason,
    reply: Done,
  },
  cancel: {
    method: 'POST',
    path: '/door/sessions/:session_id/cancel',
    role: 'staff',
    summary: 'Cancel a run without a result',
    body: WithReason,
    reply: Done,
  },
  letIn: {
    method: 'POST',
    path: '/door/sessions/:session_id/let-in',
    role: 'reviewer',
    summary: 'Let in a guest who was denied',
    body: WithReason,
    reply: Done,
  },
  review: {
    method: 'POST',
    path: '/door/sessions/:session_id/review',
    role: 'staff',
    summary: 'Ask a reviewer about a guest who was denied',
    body: WithReason,
    reply: Done,
  },
  again: {
    method: 'POST',
    path: '/door/sessions/:session_id/again',
    role: 'staff',
    summary: 'Create a new check with the request of one that ended',
    body: WithReason,
    reply: DoorAgain,
  },
} as const satisfies ConsoleRoutes;
