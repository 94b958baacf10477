import { expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createOperator } from './operators.ts';
import { openSession, resumeSession } from './operator-session.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function signedIn() {
  const { deps, clock } = await openTestService();
  const request = { name: 'Ada', role: 'staff', origin: 'cli', actor: 'cli' } as const;
  const { operator } = await createOperator(deps, request);
  const origin = { address: '192.0.2.10', device: 'test' };
  const token = await deps.db.tx((tx) => openSession(tx, operator.operator_id, origin, clock.now()));
  const call = (isActivity: boolean) => refusalOf(resumeSession(deps, token, { isActivity }));
  return { clock, deps, call };
}

it('a session becomes idle after 15 minutes without the operator, even if the page keeps polling', async () => {
  const { clock, call } = await signedIn();
  clock.advance(10 * MINUTE_MS);
  expect(await call(true)).toBe('(not refused)');
  clock.advance(10 * MINUTE_MS);
  expect(await call(false)).toBe('(not refused)');
  clock.advance(6 * MINUTE_MS);
  expect(await call(true)).toBe('session_idle');
});

it('a session ends after 12 hours of work', async () => {
  const { clock, call } = await signedIn();
  for (let worked = 0; worked < 12 * HOUR_MS - 14 * MINUTE_MS; worked += 14 * MINUTE_MS) {
    clock.advance(14 * MINUTE_MS);
    expect(await call(true)).toBe('(not refused)');
  }
  clock.advance(14 * MINUTE_MS);
  expect(await call(true)).toBe('session_over');
});

it('a token that was never issued gives no access', async () => {
  const { deps } = await signedIn();
  for (const token of [null, 'x'.repeat(43)]) {
    expect(await refusalOf(resumeSession(deps, token, { isActivity: true }))).toBe('sign_in_required');
  }
});
