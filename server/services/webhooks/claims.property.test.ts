/** The states of a claim, whatever the order of events. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../testing/tier.ts';
import { MAX_ATTEMPTS } from '../../domain/webhooks/backoff.ts';
import type { Scope } from '../../domain/scope.ts';
import { findWebhookCall } from '../../store/webhooks/calls.ts';
import { listWebhookEvents } from '../../store/webhooks/events.ts';
import { type Claim, claimDueCalls, listClaims } from '../../store/webhooks/outbox.ts';
import { NOW, seedCompany } from '../../../testing/store/rows.ts';
import { openTempStore } from '../../../testing/store/temp-store.ts';
import { answered, queueCall, seedWebhook } from '../../../testing/service/webhooks.ts';
import { recordEnd, recordInterruption } from './record.ts';

const scope: Scope = { companyId: 'acme', partition: 'test' };

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), owner: fc.constantFrom('a', 'b') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      // Every claim ever made, including those that were taken over or ended.
      which: fc.nat(),
      status: fc.constantFrom(200, 500, null),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeOver' as const) }) },
);

it('an attempt is claimed by one process, recorded once, and a call ends once, with at most sixteen', async () => {
  const db = await openTempStore();
  await seedCompany(db, 'acme');
  let line = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const lineId = `line-${(line += 1)}`;
      const origin = `https://r${line}.example`;
      await seedWebhook(db, scope, lineId, `${origin}/`);
      const id = await queueCall(db, scope, lineId);
      const claims: Claim[] = [];
      let at = NOW;
      let recorded = 0;
      let endings = 0;
      for (const taken of steps) {
        at += 7 * 3_600_000;
        await db.tx(async (tx) => {
          if (taken.kind === 'claim') {
            const claim = { owner: taken.owner, nowMs: at, leaseUntil: at, limit: 4 };
            const made = await claimDueCalls(tx, { ...scope, origin }, claim);
            expect(made.every(({ attempts }) => attempts === recorded)).toBe(true);
            claims.push(...made);
          } else if (taken.kind === 'end') {
            const claim = claims[taken.which % Math.max(claims.length, 1)];
            if (claim && (await recordEnd(tx, claim, answered(taken.status), { at, random: 0.5 })))
              recorded += 1;
          } else {
            for (const claim of await listClaims(tx)) {
              const interruption = { networkFailure: 'gone', durationMs: 0 };
              if (claim.lineageId === lineId && (await recordInterruption(tx, claim, interruption, at)))
                recorded += 1;
            }
          }
        });
        const call = await findWebhookCall(db, scope, lineId, id);
        expect(call).toMatchObject({ transactionId: id, attempts: recorded });
        if (call?.status !== 'PENDING') endings += 1;
        else expect(endings).toBe(0);
      }
      const events = await listWebhookEvents(db, scope, lineId, {
        limit: 100,
        beforeSeq: null,
        transactionId: id,
      });
      expect(events.map(({ attempt }) => attempt)).toEqual(
        Array.from({ length: recorded }, (_, index) => recorded - index),
      );
      expect(recorded).toBeLessThanOrEqual(MAX_ATTEMPTS);
    }),
    { numRuns: sized(20, 60) },
  );
});
