/** Webhook calls to working receivers, with and without dead receivers, in one run. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../server/data/folder.ts';
import type { Scope } from '../server/domain/scope.ts';
import { systemClock } from '../server/services/ports/clock.ts';
import { createCompany } from '../server/services/companies/companies.ts';
import { createWebhookService } from '../server/services/webhooks/service.ts';
import { queueWebhookCall } from '../server/services/webhooks/queue.ts';
import { signingSecret } from '../server/services/webhooks/secrets.ts';
import type { Database } from '../server/store/sql/port.ts';
import { saveWebhookConfig } from '../server/store/webhooks/configs.ts';
import type { BenchResult } from './support/report.ts';

const HOST = '127.0.0.1';
const TYPE = 'USER_VERIFICATION_COMPLETED';
const ANSWERING = 18;
const DEAD = 2;
const CALLS_EACH = 50;
const WARM_UP_CALLS_EACH = 5;
const MOST_RATIO = 1.2;
/** The sides alternate in going first, so that a change of the machine's speed affects both; the median counts. */
const ROUNDS = 7;
const LIMIT_MS = 60_000;
const POLL_MS = 5;

type Receiver = { server: Server; url: string; requests: number };

export async function run(): Promise<BenchResult[]> {
  const deadline = AbortSignal.timeout(LIMIT_MS);
  const answering = await receivers(ANSWERING, (request, response) => {
    request.resume();
    request.on('end', () => response.end());
  });
  const dead = await receivers(DEAD, () => undefined);
  try {
    await deliver({ answering, dead: [], callsEach: WARM_UP_CALLS_EACH, deadline });
    const rounds: { value: number; baseline: number; ratio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = () => deliver({ answering, dead: [], callsEach: CALLS_EACH, deadline });
      const beside = () => deliver({ answering, dead, callsEach: CALLS_EACH, deadline });
      const early = round % 2 === 0 ? await alone() : await beside();
      const late = round % 2 === 0 ? await beside() : await alone();
      const [baseline, value] = round % 2 === 0 ? [early, late] : [late, early];
      rounds.push({ value, baseline, ratio: value / baseline });
    }
    const median = rounds.sort((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)];
    if (!median) throw new Error('No round was run.');
    const name = `webhooks: ${ANSWERING * CALLS_EACH} calls to ${ANSWERING} receivers, with ${DEAD} dead ones beside`;
    return [{ name, ...median, unit: 'ms', hold: `≤ ${MOST_RATIO}`, ok: median.ratio <= MOST_RATIO }];
  } finally {
    for (const { server } of [...answering, ...dead]) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function receivers(count: number, answer: RequestListener): Promise<Receiver[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer(answer).listen(0, HOST);
      await once(server, 'listening');
      const receiver = {
        server,
        url: `http://${HOST}:${(server.address() as AddressInfo).port}/hooks`,
        requests: 0,
      };
      server.on('request', () => (receiver.requests += 1));
      return receiver;
    }),
  );
}

type Delivery = { answering: Receiver[]; dead: Receiver[]; callsEach: number; deadline: AbortSignal };

/** On a separate database: milliseconds from the commit of all calls until the answered ones are completed. */
async function deliver({ answering, dead, callsEach, deadline }: Delivery): Promise<number> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'gatehouse-bench-'));
  const db = await openDatabase(dataDir);
  const errors: unknown[] = [];
  const webhooks = createWebhookService({
    db,
    clock: systemClock,
    allowHosts: [HOST],
    baseUrl: () => `http://${HOST}`,
    listed: () => [],
    onError: (error) => errors.push(error),
  });
  const requestsBefore = dead.map(({ requests }) => requests);
  try {
    await queueCalls(db, [...dead, ...answering], callsEach);
    const startedMs = performance.now();
    while ((await completedCalls(db)) < answering.length * callsEach) {
      if (errors.length > 0) throw errors[0];
      if (deadline.aborted) throw new Error(`The webhook calls were not done within ${LIMIT_MS / 1_000} s.`);
      await sleep(POLL_MS);
    }
    const tookMs = performance.now() - startedMs;
    if (dead.some(({ requests }, index) => requests === requestsBefore[index])) {
      throw new Error('A dead receiver was never called: nothing was measured.');
    }
    return tookMs;
  } finally {
    const closed = webhooks.close();
    // Otherwise it would wait for the hanging calls.
    for (const { server } of dead) server.closeAllConnections();
    await closed;
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A key family for each receiver, and its calls; the calls of all receivers alternate. */
async function queueCalls(db: Database, to: readonly Receiver[], callsEach: number): Promise<void> {
  const company = await createCompany(db, systemClock, { name: 'Bench', actor: 'cli' });
  const scope: Scope = { companyId: company.company_id, partition: 'live' };
  const at = systemClock.now();
  await db.tx(async (tx) => {
    for (const [index, { url }] of to.entries()) {
      const lineageId = `line-${index}`;
      const config = {
        id: `config-${index}`,
        lineageId,
        type: TYPE,
        destinationUrl: url,
        changedAt: at,
      } as const;
      await saveWebhookConfig(tx, scope, config);
      await signingSecret(tx, scope, lineageId, at);
    }
    for (let call = 0; call < callsEach; call++) {
      for (const index of to.keys()) {
        const user = { userId: `bcu_${call}`, referenceUserId: `guest-${call}` };
        await queueWebhookCall(tx, { scope, lineageId: `line-${index}`, ...user, type: TYPE, at });
      }
    }
  });
}

async function completedCalls(db: Database): Promise<number> {
  const row = await db.one<{ calls: number }>(
    `SELECT COUNT(*) AS calls FROM webhook_calls WHERE status = 'COMPLETED'`,
  );
  return row?.calls ?? 0;
}
