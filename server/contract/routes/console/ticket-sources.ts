import { Type } from 'typebox';
import { Done, WithReason } from '../../console/common.ts';
import {
  MAX_LIST_BYTES,
  PretixChoice,
  PretixChoices,
  PretixChoicesQuery,
  TicketListImport,
  TicketListQuery,
  TicketSourceCreate,
  TicketSourceList,
  TicketSourceRecord,
  UntoldList,
} from '../../console/ticket-sources.ts';
import { CodeKeys } from '../../v3-codes.ts';
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
  choices: {
    method: 'GET',
    path: '/events/:event_id/ticket-sources/:source_id/choices',
    role: 'admin',
    summary: 'Events of a paired pretix, and the check-in lists of one',
    params: source,
    query: PretixChoicesQuery,
    reply: PretixChoices,
  },
  choose: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources/:source_id/choose',
    role: 'admin',
    summary: 'Choose the event and the check-in list of a paired pretix',
    params: source,
    body: PretixChoice,
    reply: TicketSourceRecord,
  },
  roll: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources/:source_id/roll',
    role: 'admin',
    summary: 'Replace the token of a paired pretix',
    params: source,
    reply: TicketSourceRecord,
  },
  read: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources/:source_id/read',
    role: 'staff',
    summary: 'Read a source now',
    params: source,
    reply: TicketSourceRecord,
  },
  untold: {
    method: 'GET',
    path: '/events/:event_id/ticket-sources/:source_id/untold',
    role: 'staff',
    summary: 'Entries that a source refused, or whose tickets were used there, too',
    params: source,
    reply: UntoldList,
  },
  tellAgain: {
    method: 'POST',
    path: '/events/:event_id/ticket-sources/:source_id/tell-again',
    role: 'admin',
    summary: 'Tell a source the entries that it refused again',
    params: source,
    reply: TicketSourceRecord,
  },
  codeKeys: {
    method: 'GET',
    path: '/events/:event_id/code-keys',
    role: 'admin',
    summary: 'Public keys of the event’s humans-only codes, and how many they signed',
    params: event,
    reply: CodeKeys,
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
