/** Sends the webhook calls in the outbox: prepare, send, record. */
import { listWebhookSecrets } from '../../store/webhooks/configs.ts';
import { claimDueCalls, listClaims, listDueDestinations, pullForward } from '../../store/webhooks/outbox.ts';
import { failureText } from './failure-message.ts';
import { createOutbox, type OutboxOptions, type OutboxScheduler } from './outbox.ts';
import { recordEnd, recordInterruption } from './record.ts';
import { mayBeLoopback } from './refusals.ts';
import type { SendRequest, SendResult } from './send.ts';
import { signatureHeaders } from './sign.ts';

export type SchedulerOptions = OutboxOptions & {
  /** One attempt; never rejects. */
  send: (request: SendRequest, signal: AbortSignal) => Promise<SendResult>;
  /** Uniform in [0, 1). */
  random?: () => number;
};

export function createWebhookScheduler({
  send,
  random = Math.random,
  ...options
}: SchedulerOptions): OutboxScheduler {
  const { db, clock } = options;
  return createOutbox(options, {
    topic: 'webhooks',
    listDue: listDueDestinations,
    claimDue: claimDueCalls,
    listClaims,
    pullForward,
    async attempt(claim, signal) {
      const secrets = await listWebhookSecrets(db, claim.scope, claim.lineageId);
      const request = {
        url: claim.destinationUrl,
        body: claim.body,
        headers: signatureHeaders(claim, secrets, clock.now()),
        mayBeLoopback: mayBeLoopback(claim),
      };
      const result = await send(request, signal);
      await db.tx(
        (tx) =>
          signal.aborted && result.httpStatus === null
            ? recordInterruption(tx, claim, result, clock.now())
            : recordEnd(tx, claim, result, { at: clock.now(), random: random() }),
        claim.scope,
      );
    },
    recordInterruption: (tx, claim, at) =>
      recordInterruption(tx, claim, { networkFailure: failureText('STOPPED'), durationMs: 0 }, at),
  });
}
