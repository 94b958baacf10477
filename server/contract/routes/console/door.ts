import { Type } from 'typebox';
import { DoorCodes, DoorView, FirstSteps, ForceCloseRequest } from '../../console/door.ts';
import { Done } from '../../console/common.ts';
import type { ConsoleRoutes } from '../route.ts';

const session = { session_id: Type.String() };

export const door = {
  read: {
    method: 'GET',
    path: '/door',
    role: 'staff',
    summary: 'The running event’s numbers, who came through, who is under way, and the kiosks',
    query: { event_id: Type.Optional(Type.String({ maxLength: 64 })) },
    reply: DoorView,
  },
  codes: {
    method: 'GET',
    path: '/door/codes',
    role: 'staff',
    summary: 'Phone codes that wait to be read out',
    reply: DoorCodes,
  },
  firstSteps: {
    method: 'GET',
    path: '/door/first-steps',
    role: 'admin',
    summary: 'What is left to do before the first evening',
    reply: FirstSteps,
  },
  release: {
    method: 'POST',
    path: '/door/sessions/:session_id/release',
    role: 'staff',
    summary: 'Take a run from the device that holds it',
    params: session,
    body: ForceCloseRequest,
    reply: Done,
  },
  cancel: {
    method: 'POST',
    path: '/door/sessions/:session_id/cancel',
    role: 'staff',
    summary: 'End a run without a verdict',
    params: session,
    body: ForceCloseRequest,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
