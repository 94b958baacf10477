/** Tells the sources of tickets who entered, in order, from a queue that outlives outages and kills. */
import type { Told } from '../../domain/tickets/answers.ts';
import {
  claimDueCall,
  listDueSources,
  listEarlierCalls,
  listTicketClaims,
  pullTicketCallsForward,
  recordTold,
  type TicketClaim,
} from '../../store/tickets/queue.ts';
import { findSource } from '../../store/tickets/sources.ts';
import { findTicket } from '../../store/tickets/tickets.ts';
import { createOutbox, type OutboxOptions, type OutboxScheduler } from '../webhooks/outbox.ts';
import type { Ask, Reply } from './ask.ts';
import { tellHiEvents } from './hi-events.ts';
import { tellPretix } from './pretix.ts';

/** An outage ends sooner than most waits for it would. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** Attempts that a system answered with an error of its own, before the others no longer wait for this one. */
const MAX_FAILED = 12;

export const waitMs = (attempts: number, retryAfterMs: number | null): number =>
  Math.min(Math.max(FIRST_WAIT_MS * 2 ** Math.min(attempts, 10), retryAfterMs ?? 0), LONGEST_WAIT_MS);

export function createTeller(options: OutboxOptions & { ask: Ask }): OutboxScheduler {
  const { db, clock, ask } = options;
  return createOutbox<TicketClaim>(options, {
    topic: 'tickets',
    listDue: listDueSources,
    claimDue: claimDueCall,
    listClaims: listTicketClaims,
    pullForward: pullTicketCallsForward,
    async attempt(claim, signal) {
      let reply: Reply | null = null;
      const told = await tell(claim, async (question) => {
        reply = await ask(question, signal);
        return reply;
      });
      await db.tx((tx) => recordTold(tx, claim, outcomeOf(told, claim, reply, clock.now())), claim.scope);
    },
    // Whether it arrived is unknown: it is told again, and the source's answer says whether it was ours.
    recordInterruption: (tx, claim, at) =>
      recordTold(tx, claim, { status: 'waiting', answer: claim.answer, nextAttemptAt: at, at }),
  });

  async function tell(claim: TicketClaim, asking: Ask): Promise<Told> {
    const source = await findSource(db, claim.scope, claim.sourceId);
    const ticket = await findTicket(db, claim.scope, claim.ticketId);
    // After the event's retention there is no code to tell.
    const code = ticket?.code ?? null;
    if (!source || code === null) return { end: 'refused', answer: { reason: 'too_late' } };
    const call = { ...claim, code, earlier: await listEarlierCalls(db, claim) };
    return source.kind === 'pretix' ? tellPretix(asking, source, call) : tellHiEvents(asking, source, call);
  }
}

function outcomeOf(told: Told, claim: TicketClaim, reply: Reply | null, at: number) {
  if ('end' in told) {
    return { status: told.end, answer: JSON.stringify(told.answer), nextAttemptAt: null, at };
  }
  const reason = told.again;
  // Outages do not count: the first answer after a long one may be an error.
  const { failed: before = 0 } = JSON.parse(claim.answer ?? '{}') as { failed?: number };
  const failed = before + (reason === 'failed' ? 1 : 0);
  const answer = JSON.stringify({ reason, failed });
  if (reason === 'failed' && failed >= MAX_FAILED)
    return { status: 'refused' as const, answer, nextAttemptAt: null, at };
  const wait = waitMs(claim.attempts, reply?.retryAfterMs ?? null);
  return { status: 'waiting' as const, answer, nextAttemptAt: at + wait, at };
}
