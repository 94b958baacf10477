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
    summary: 'Read the options of an event',
    reply: EventOptions,
  },
  read: {
    method: 'GET',
    path: '/events/:event_id',
    role: 'staff',
    summary: 'Read an event',
    params: event,
    reply: EventRecord,
  },
  create: {
    method: 'POST',
    path: '/events',
    role: 'admin',
    summary: 'Create an event',
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
    summary: 'Read the report of an event, during and after it',
    params: event,
    reply: EventReport,
  },
  reportCsv: {
    method: 'GET',
    path: '/events/:event_id/report.csv',
    role: 'staff',
    summary: 'Download the report as CSV',
    params: event,
  },
  changeLogo: {
    method: 'PUT',
    path: '/events/:event_id/logo',
    role: 'admin',
    summary: 'Set the logo of an event; the body is the picture',
    params: event,
    reply: EventRecord,
    bodyLimit: MAX_LOGO_BYTES,
  },
  logo: {
    method: 'GET',
    path: '/events/:event_id/logo',
    role: 'staff',
    background: true,
    summary: 'Get the logo, as WebP',
    params: event,
  },
  removeLogo: {
    method: 'DELETE',
    path: '/events/:event_id/logo',
    role: 'admin',
    summary: 'Remove the logo',
    params: event,
    reply: EventRecord,
  },
} as const satisfies ConsoleRoutes;
