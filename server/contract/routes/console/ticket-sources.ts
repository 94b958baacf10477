import { Type } from 'typebox';
import { Done, WithReason } from '../../console/common.ts';
import {
  MAX_LIST_BYTES,
  TicketListImport,
  TicketListQuery,
  TicketSourceCreate,
  TicketSourceList,
  TicketSourceRecord,
} from '../../console/ticket-sources.ts';
import type { ConsoleRoutes } from '../route.ts';

const event = { event_id: Type.String() };
const source = { ...event, source_id: Type.String() };

export const ticketSources = {
  list: {
    method: 'GET',
    path: '/events/:event_id/ticket-sources',
    role: 'admin',
    summary: 'Where the tickets of an event come from',
    params: event,
    reply: TicketSourceList,
  },
  create: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources',
    role: 'admin',
    summary: 'Add a source of tickets',
    params: event,
    body: TicketSourceCreate,
    reply: TicketSourceRecord,
  },
  importList: {
    method: 'PUT',
    path: '/events/:event_id/ticket-list',
    role: 'admin',
    summary: 'Import a ticket list, or rehearse it; the body is the CSV file',
    params: event,
    query: TicketListQuery,
    reply: TicketListImport,
    bodyLimit: MAX_LIST_BYTES,
  },
  remove: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources/:source_id/remove',
    role: 'admin',
    summary: 'Remove a source with its tickets',
    params: source,
    body: WithReason,
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
