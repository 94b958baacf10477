/** Tests of the soak's own checks: each kind of loss is detected, and nothing else. */
import { expect, it } from 'vitest';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { demoCaller, listen, runConnected } from '../../testing/service/connect-runs.ts';
import { passOf, run } from '../../testing/service/runs.ts';
import { openTestService } from '../../testing/service/temp-service.ts';
import { findings, stillReadable } from './checks.ts';
import { newLedger, type Ledger } from './ledger.ts';

type Call = { id: string; body: Uint8Array };

/** A service with one settled v3 run and one announced approval, and a matching ledger. */
async function settled() {
  const service = await openTestService();
  const { db } = service.deps;
  await listen(service);
  const snapshot = await run(service, 'alice');
  const pass = await passOf(service, snapshot);
  await runConnected(service, 'bob', { external_id: 'guest-1' });
  await db.tx((tx) => tx.run("UPDATE webhook_calls SET status = 'COMPLETED', next_attempt_at = NULL"));
  const calls = await db.all<Call>('SELECT transaction_id AS id, body FROM webhook_calls');
  const ledger: Ledger = newLedger();
  ledger.sessions.add(snapshot.session_id);
  ledger.verdicts.push({
    sessionId: snapshot.session_id,
    key: (await demoCaller(service)).keyId,
    vyt: 'unused here',
    settledAtMs: 0,
    status: pass.status,
    reasons: pass.reasons,
    locked: false,
  });
  ledger.approvals.add('guest-1');
  const delivered = calls.map(({ body }) => Buffer.from(body));
  const lost = async () => {
    const receiver = { delivered: delivered.map((raw) => ({ raw })) } as unknown as WebhookReceiver;
    const found = await findings(db, ledger, receiver);
    return found.flatMap(({ what, lost: of }) => of.map(() => what));
  };
  return { db, ledger, delivered, lost };
}

it('reports no loss if everything is there', async () => {
  const { ledger, lost } = await settled();
  expect(ledger.approvals.size).toBe(1);
  expect(await lost()).toEqual([]);
});

it('a missing session', async () => {
  const { ledger, lost } = await settled();
  ledger.sessions.add('gone');
  expect(await lost()).toEqual(['sessions']);
});

it('a verdict that is missing, changed, or has lost its lock', async () => {
  const { ledger, lost } = await settled();
  const [verdict] = ledger.verdicts;
  ledger.verdicts.push({ ...verdict!, sessionId: 'gone' });
  ledger.verdicts.push({ ...verdict!, status: 'denied' });
  ledger.verdicts.push({ ...verdict!, locked: true });
  expect(await lost()).toEqual(['verdicts', 'verdicts', 'verdicts', 'locks']);
});

it('a pool that admitted two', async () => {
  const { db, lost } = await settled();
  await db.tx((tx) => tx.run("UPDATE passes SET status = 'approved', group_id = 'pool'"));
  expect(await lost()).toEqual(['admitted once']);
});

it('an approval that was not announced', async () => {
  const { ledger, lost } = await settled();
  ledger.approvals.add('guest-2');
  expect(await lost()).toEqual(['webhooks']);
});

it('an approval that was announced under two IDs, of which the server knows one', async () => {
  const { delivered, lost } = await settled();
  delivered.push(Buffer.from(delivered[0]!.toString().replace(/ewh:[^"]+/, 'ewh:another')));
  expect(await lost()).toEqual(['webhooks', 'webhooks']);
});

it('a call whose bytes changed, and one that never ended', async () => {
  const { db, delivered, lost } = await settled();
  delivered.push(Buffer.from(`${delivered[0]!.toString()} `));
  await db.tx((tx) => tx.run("UPDATE webhook_calls SET status = 'PENDING', next_attempt_at = 0"));
  expect(await lost()).toEqual(['webhooks', 'webhooks']);
});

it('an expired token is no longer checked: the number of announcements does not matter', async () => {
  const { ledger } = await settled();
  const [verdict] = ledger.verdicts;
  const settledAt = (minutes: number) => ({ ...verdict!, settledAtMs: minutes * 60_000 });
  const verdicts = [settledAt(0), settledAt(14), settledAt(17), settledAt(44)];
  expect(stillReadable(verdicts, 45 * 60_000)).toEqual(verdicts.slice(2));
});
