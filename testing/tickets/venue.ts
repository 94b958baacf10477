/** An event with a source of tickets that is another system, and guests who enter. */
import { randomBytes } from 'node:crypto';
import type { Ask } from '../../server/services/tickets/ask.ts';
import { createTeller } from '../../server/services/tickets/teller.ts';
import type { TicketSource } from '../../server/store/tickets/sources.ts';
import { insertSource } from '../../server/store/tickets/sources.ts';
import { insertTicketCall, type TicketCall } from '../../server/store/tickets/calls.ts';
import { insertEntry } from '../../server/store/tickets/entries.ts';
import { listSourced } from '../../server/store/tickets/lists.ts';
import { insertEvent } from '../../server/store/venue/events.ts';
import type { Database } from '../../server/store/sql/port.ts';
import { openTestService, type TestClock, testClock } from '../service/temp-service.ts';
import { NOW, venueEvent } from '../store/rows.ts';

export const EVENT = 'e';
export const SOURCE = 's';

export async function openTicketVenue(source: Pick<TicketSource, 'kind' | 'config'>, ask: Ask, dir?: string) {
  const service = await openTestService(dir);
  const scope = service.scope('live');
  const { db } = service.deps;
  const verificationId = await service.verification('v');
  await db.tx(async (tx) => {
    await insertEvent(tx, venueEvent(scope, verificationId, EVENT));
    const times = { createdAt: NOW, updatedAt: NOW };
    await insertSource(tx, scope, {
      ...source,
      ...times,
      id: SOURCE,
      eventId: EVENT,
      name: 'Shop',
      state: {},
    });
  });
  const deps = { ...service.deps, ask };
  const tickets = () => listSourced(db, scope, EVENT);
  /** A guest passes a gate, and the source has to be told: one transaction, as at the door. */
  const pass = async (ticketId: string, kind: TicketCall['kind'], at: number, ofEntry?: number) =>
    db.tx(async (tx) => {
      const entrySeq =
        ofEntry ??
        (await insertEntry(tx, scope, {
          ...{ eventId: EVENT, ticketId, personId: null, sessionId: null, gate: 'k', gateName: 'North' },
          ...{
            direction: kind === 'out' ? 'out' : 'in',
            people: 1,
            at,
            actor: 'system',
            how: 'check',
            reason: null,
          },
        }));
      const nonce = randomBytes(17).toString('base64url');
      await insertTicketCall(tx, scope, {
        eventId: EVENT,
        sourceId: SOURCE,
        ticketId,
        entrySeq,
        kind,
        nonce,
        at,
      });
      return entrySeq;
    });
  const calls = () =>
    db.all<{ seq: number; status: string; attempts: number }>(
      'SELECT seq, status, attempts FROM ticket_calls ORDER BY seq',
    );
  return { ...service, deps, db, live: scope, tickets, pass, calls };
}

/** Polls only when asked to. */
export function testTeller(db: Database, clock: TestClock, ask: Ask, steady = testClock(0)) {
  const errors: unknown[] = [];
  const teller = createTeller({
    ...{ db, clock, ask, isManual: true },
    steadyNowMs: () => steady.now(),
    onError: (error) => errors.push(error),
  });
  /** Until nothing is due. */
  const drain = async (most = 10_000) => {
    for (let at = 0; at < most; at += 1) {
      await teller.poll();
      await teller.idle();
      const due = await db.one<{ n: number }>(
        `SELECT COUNT(*) AS n FROM ticket_calls WHERE seq = (SELECT MIN(seq) FROM ticket_calls WHERE status = 'waiting')
           AND next_attempt_at <= ?`,
        clock.now(),
      );
      if ((due?.n ?? 0) === 0) return;
    }
  };
  return { ...teller, drain, errors, steady };
}
