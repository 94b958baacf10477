import { Type } from 'typebox';
import {
  EventCreate,
  EventListQuery,
  EventOptions,
  EventPage,
  EventRecord,
  EventReport,
  EventUpdate,
  MAX_LOGO_BYTES,
} from '../../console/events.ts';
import type { ConsoleRoutes } from '../route.ts';

const event = { event_id: Type.String() };

export const events = {
  list: {
    method: 'GET',
    path: '/events',
    role: 'staff',
    summary: 'Events, latest start first',
    query: EventListQuery,
    reply: EventPage,
  },
  options: {
    method: 'GET',
    path: '/events/options',
    role: 'admin',
    summary: 'What an event can run',
    reply: EventOptions,
  },
  read: {
    method: 'GET',
    path: '/events/:event_id',
    role: 'staff',
    summary: 'One event',
    params: event,
    reply: EventRecord,
  },
  create: {
    method: 'POST',
    path: '/events',
    role: 'admin',
    summary: 'Make an event',
    body: EventCreate,
    reply: EventRecord,
  },
  change: {
    method: 'PATCH',
    path: '/events/:event_id',
    role: 'admin',
    summary: 'Change an event',
    params: event,
    body: EventUpdate,
    reply: EventRecord,
  },
  report: {
    method: 'GET',
    path: '/events/:event_id/report',
    role: 'staff',
    summary: 'An event’s report, live and afterwards',
    params: event,
    reply: EventReport,
  },
  reportCsv: {
    method: 'GET',
    path: '/events/:event_id/report.csv',
    role: 'staff',
    summary: 'The report as a table',
    params: event,
  },
  changeLogo: {
    method: 'PUT',
    path: '/events/:event_id/logo',
    role: 'admin',
    summary: 'The logo on the event’s kiosks: the picture itself as body',
    params: event,
    reply: EventRecord,
    bodyLimit: MAX_LOGO_BYTES,
  },
  logo: {
    method: 'GET',
    path: '/events/:event_id/logo',
    role: 'staff',
    background: true,
    summary: 'The logo, a WebP picture',
    params: event,
  },
  removeLogo: {
    method: 'DELETE',
    path: '/events/:event_id/logo',
    role: 'admin',
    summary: 'Take the logo away',
    params: event,
    reply: EventRecord,
  },
} as const satisfies ConsoleRoutes;
