/** Calls of the door team's phones on the public listener; the token in `X-Shift-Token` identifies the phone. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scan } from '../../contract/routes/scan.ts';
import {
  type PhoneChildrenResponse,
  SHIFT_TOKEN_HEADER,
  type TicketDecision,
} from '../../contract/tickets.ts';
import { placeOf } from '../../domain/address.ts';
import { replyWithError } from '../../refusals/api.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { KeepReply } from '../../services/keys/idempotency.ts';
import { countOrWait, limited } from '../../services/rate-limits/rate-limits.ts';
import {
  letChildrenIn,
  letInAtPhone,
  scanAtPhone,
  searchAtPhone,
  undoAtPhone,
} from '../../services/tickets/phone-tickets.ts';
import { authorisePhone, callSupervisor, joinShift, readShiftStatus } from '../../services/tickets/shifts.ts';
import type { ServiceDeps } from '../deps.ts';
import { neverStore, tokenIn } from '../headers.ts';
import { repeatable } from '../idempotency.ts';
import { acceptJsonBodies } from '../json-bodies.ts';
import { register } from '../register.ts';

/** Codes tried from one address; phones of a venue share one. With 39 bits, guessing is hopeless anyway. */
const JOINS = { limit: 20, windowMs: 60_000 };
const JOINS_ALTOGETHER = limited('shift-joins-altogether', 'all', { limit: 120, windowMs: 60_000 });

type Phone = Awaited<ReturnType<typeof authorisePhone>>;

export async function scanRoutes(scope: FastifyInstance, { deps }: { deps: ServiceDeps }): Promise<void> {
  scope.setErrorHandler(replyWithError);
  acceptJsonBodies(scope);
  scope.addHook('onRequest', neverStore);
  register(scope, scan.join, async (request) => {
    const ofAddress = limited('shift-joins', placeOf(request.ip), JOINS);
    const waitMs = await countOrWait(deps.db, [JOINS_ALTOGETHER, ofAddress], deps.clock.now());
    if (waitMs !== null) throw new Refusal('too_many_pairings', { retryAfterS: waitMs / 1_000 });
    return joinShift(deps, request.body);
  });

  await scope.register(async (app) => {
    // Before the body is read. The handlers authorise again, because the code can be revoked meanwhile.
    app.addHook('onRequest', async (request) => {
      await phoneOf(request);
    });
    register(app, scan.shift, async (request) => readShiftStatus(deps, await phoneOf(request)));
    register(app, scan.ticket, (request, reply) =>
      act<TicketDecision>(request, reply, (phone, keep) => scanAtPhone(deps, phone, request.body, keep)),
    );
    register(app, scan.letIn, (request, reply) =>
      act<TicketDecision>(request, reply, (phone, keep) => letInAtPhone(deps, phone, request.body, keep)),
    );
    register(app, scan.children, (request, reply) =>
      act<PhoneChildrenResponse>(request, reply, (phone, keep) =>
        letChildrenIn(deps, phone, request.body.ticket_ids, keep),
      ),
    );
    register(app, scan.undo, async (request) => {
      await undoAtPhone(deps, await phoneOf(request), request.body.entry);
      return {};
    });
    register(app, scan.search, async (request) =>
      searchAtPhone(deps, await phoneOf(request), request.body.text),
    );
    register(app, scan.call, async (request) => {
      await callSupervisor(deps, await phoneOf(request), request.body.waits);
      return {};
    });
  });

  /** Has one effect for each `Idempotency-Key`: a reply that was lost on its way must not turn its guest into one who is inside. */
  async function act<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (phone: Phone, keep: KeepReply<T> | null) => Promise<T>,
  ): Promise<T> {
    const phone = await phoneOf(request);
    const { id: lineageId, companyId, partition } = phone;
    const caller = { scope: { companyId, partition }, lineageId, kind: 'phone' } as const;
    return repeatable<T>(deps, { request, reply, caller }, (keep) => work(phone, keep));
  }

  function phoneOf(request: FastifyRequest) {
    return authorisePhone(deps, tokenIn(request, SHIFT_TOKEN_HEADER));
  }
}
