/** Acknowledged results survive, and work in progress is finished. Each test ends its own server. */
import { expect, test } from '@playwright/test';
import { send } from '../support/http.ts';
import { confirmation, consentedRun, initialize, openRun } from '../support/run.ts';
import { startGatehouse } from '../support/service/server.ts';

test('kill −9 loses no acknowledged session and no acknowledged verdict', async () => {
  await using gatehouse = await startGatehouse();
  const key = gatehouse.company.keys.sk_test;
  const runs = await Promise.all(Array.from({ length: 12 }, () => consentedRun(gatehouse, key)));
  const acknowledged: string[] = [];
  const tokens: string[] = [];
  // Sent continuously while the server is killed; only answered calls count.
  let dying = false;
  const untilDeath = async (ask: () => Promise<unknown>) => {
    while (!dying) await ask().catch(() => undefined);
  };
  const asking = Array.from({ length: 4 }, () =>
    untilDeath(async () => acknowledged.push((await initialize(gatehouse, key)).session_id)),
  );
  const settling = runs.map(async (run, index) => {
    const { body } = await run.flow('/test-capture', { face: `person-${index}` });
    if (body.result) tokens.push(body.result.vyt);
    if (tokens.length === runs.length / 2) {
      dying = true;
      await gatehouse.kill9();
    }
  });
  await Promise.allSettled([...asking, ...settling]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(tokens.length).toBeGreaterThanOrEqual(runs.length / 2);

  await gatehouse.restart();
  const opened = await Promise.all(
    acknowledged.map((sessionId) =>
      send(`${gatehouse.baseUrl}/flow/sessions/${sessionId}/open`, { body: { device: 'mobile' } }),
    ),
  );
  expect(opened.filter(({ status }) => status !== 200)).toEqual([]);
  for (const token of tokens) {
    expect(await confirmation(gatehouse, key, token)).toMatchObject({ verified: true });
  }
  // Each run settled or did not: none is in between, none settled twice.
  for (const run of runs) {
    const { state } = await run.snapshot();
    expect(['open', 'settled']).toContain(state);
    const again = await run.flow('/test-capture', { face: `again-${run.sessionId}` });
    expect(again.status).toBe(state === 'open' ? 200 : 409);
  }
});

test('SIGTERM ends event streams, finishes work in progress, accepts nothing new, and exits with 0', async () => {
  await using gatehouse = await startGatehouse();
  const key = gatehouse.company.keys.sk_test;
  const { baseUrl } = gatehouse;
  const watched = await openRun(gatehouse, key);
  const stream = await fetch(`${baseUrl}/flow/sessions/${watched.sessionId}/events`, {
    headers: { 'x-flow-token': watched.flowToken },
  });
  const streamed = stream.text();

  // A body whose last bytes are sent only after the signal.
  let finish = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(sending) {
      sending.enqueue(new TextEncoder().encode('{"auto_return":'));
      finish = () => {
        sending.enqueue(new TextEncoder().encode('true}'));
        sending.close();
      };
    },
  });
  const underWay = fetch(`${baseUrl}/v3/initialize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit);
  // The request has arrived once another one on a later connection was answered.
  await initialize(gatehouse, key);

  const stopped = gatehouse.stop();
  expect(await streamed).toContain('event: snapshot');
  finish();
  const reply = await underWay;
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({ invite_id: null });
  // Rejects if the exit code is not 0.
  await stopped;
  await expect(fetch(`${baseUrl}/healthz`)).rejects.toThrow();
});
