/** Numbers of an event's gates. */
import type { Scope } from '../../domain/scope.ts';
import type { TicketCounts } from '../../contract/tickets.ts';
import { countByGate } from '../../store/tickets/entries.ts';
import { findTicketRules } from '../../store/tickets/rules.ts';
import { countTickets } from '../../store/tickets/tickets.ts';
import type { Ports } from '../ports/ports.ts';

export async function readTicketCounts(
  { db }: Pick<Ports, 'db'>,
  scope: Scope,
  eventId: string,
): Promise<TicketCounts> {
  const gates = await countByGate(db, scope, eventId);
  const { mostInside } = await findTicketRules(db, scope, eventId);
  const inside = gates.reduce((sum, { entered, left }) => sum + entered - left, 0);
  return {
    tickets: await countTickets(db, scope, eventId),
    inside,
    most_inside: mostInside,
    is_full: mostInside !== null && inside >= mostInside,
    gates: gates.map(({ gate, gateName, entered, left }) => ({ gate, name: gateName, entered, left })),
  };
}
