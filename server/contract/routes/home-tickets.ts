/** The check at home for a ticket, by its code: a file of its own, which the page of a check does not load. */
import { HomeTicketRequest, HomeTicketResponse } from '../tickets.ts';
import type { Routes } from './route.ts';

export const homeTickets = {
  open: {
    method: 'POST',
    path: '/flow/tickets',
    body: HomeTicketRequest,
    reply: HomeTicketResponse,
    bodyLimit: 8 * 1024,
  },
} as const satisfies Routes;
