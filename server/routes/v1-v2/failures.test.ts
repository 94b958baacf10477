/** Answers of v1 and v2 when the service itself fails (contract, "v2 and v1 body"; decisions §4.1). */
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFastify } from '../../http/public-app.ts';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { v1Routes } from '../v1/index.ts';
import { v2Routes } from '../v2/index.ts';

const CALLS = [
  { url: '/v1/business_connect_user/register', payload: { reference_user_id: 'guest-1' } },
  { url: '/v2/verification/create', payload: { external_id: 'guest-1' } },
] as const;

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Both generations on a real store; `log` collects the log lines. */
async function connectApp() {
  const dir = tempDir();
  const service = await openTestService(dir);
  const log: Record<string, unknown>[] = [];
  const app = createFastify(
    pino({}, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) }),
    0,
  );
  await app.register(v2Routes, { deps: service.deps, prefix: '/v2' });
  await app.register(v1Routes, { deps: service.deps, prefix: '/v1' });
  onTestFinished(() => app.close());
  const apiKey = Object.entries(service.company.keys).find(([kind]) => kind.startsWith('ak_'))?.[1] ?? '';
  const call = ({ url, payload }: (typeof CALLS)[number]) =>
    app.inject({ method: 'POST', url, headers: { 'api-key': apiKey }, payload });
  return { dir, deps: service.deps, log, call };
}

describe('a failure of the service itself', () => {
  test.each(CALLS)('$url: 500 INTERNAL_ERROR with the ID that its log line repeats', async (what) => {
    const { deps, log, call } = await connectApp();
    deps.clock.now = () => {
      throw new Error('secret inner words');
    };
    const answer = await call(what);
    expect(answer.statusCode).toBe(500);
    const body = answer.json<Record<string, string>>();
    expect(Object.keys(body)).toEqual(['status', 'failure_code', 'failure_reason']);
    expect(body).toMatchObject({ status: 'failure', failure_code: 'INTERNAL_ERROR' });
    const [errorId] = UUID.exec(body['failure_reason'] ?? '') ?? [];
    expect(errorId).toBeDefined();
    expect(log.map((line) => line['error_id'])).toContain(errorId);
    expect(answer.body).not.toContain('secret inner words');
  });

  test('a database locked by another process: 503 with Retry-After, and the call works once it is released', async () => {
    const { dir, call } = await connectApp();
    const other = await openTempStore(dir);
    const { promise: untilLetGo, resolve: letGo } = Promise.withResolvers<null>();
    const held = other.tx(() => untilLetGo, undefined, 'may-wait');
    // Each turn of the event loop counts as a second, so that the calls give up soon.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let isAnswered = false;
    const answering = Promise.all(CALLS.map(call)).finally(() => (isAnswered = true));
    while (!isAnswered) {
      await setImmediate();
      vi.setSystemTime(Date.now() + 1_000);
    }
    vi.useRealTimers();
    const answers = await answering;
    letGo(null);
    await held;
    for (const answer of answers) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.json()).toMatchObject({
        status: 'failure',
        failure_code: 'SERVICE_TEMPORARILY_UNAVAILABLE',
      });
    }
    for (const what of CALLS) expect((await call(what)).statusCode).toBe(200);
  });
});
