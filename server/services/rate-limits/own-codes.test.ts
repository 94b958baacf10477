/** Decisions §6, "Codes": how many codes can be requested on a person's own page, without a session. */
import { describe, expect, it } from 'vitest';
import { openTempStore, tempDir } from '../../../testing/store/temp-store.ts';
import { liveSessionAtPhone } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { readLimits } from './limits.ts';
import { changeLimitSettings } from './settings.ts';
import { requestOwnCode } from '../runs/my-verifications.ts';
import { requestCode } from '../runs/phone-step.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NUMBER = '+14155552671';

/** A British mobile number; those with the same `prefix` share their first seven digits. */
const mobile = (prefix: number, n = 0): string => `+447${String(400 + prefix)}${String(345_678 + n)}`;
const address = (n: number): string => `198.51.100.${n}`;

const ask = ({ deps }: TestService, phone: string, from: string) =>
  refusalOf(requestOwnCode(deps, { phone }, from));

const allowed = (answers: readonly string[]) => answers.filter((answer) => answer === '(not refused)').length;

async function retryAfterOf(work: Promise<unknown>): Promise<number | undefined> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Refusal)) throw error;
  return error.facts.retryAfterS;
}

describe('codes without a session', () => {
  it('do not count against the number’s owner in an open session', async () => {
    const service = await openTestService();
    for (let n = 0; n < 10; n++) {
      expect(await ask(service, NUMBER, address(n))).toBe('(not refused)');
      service.clock.advance(20 * MINUTE_MS + 1_000);
    }
    expect(await ask(service, NUMBER, address(10))).toBe('too_many_codes');
    const session = await liveSessionAtPhone(service);
    expect(await refusalOf(requestCode(service.deps, session, NUMBER))).toBe('(not refused)');
  });

  it('20 per hour and address, even for concurrent requests, and then the time to wait', async () => {
    const service = await openTestService();
    const answers = await Promise.all(
      Array.from({ length: 26 }, (_, n) => ask(service, mobile(n), address(1))),
    );
    expect(allowed(answers)).toBe(20);
    expect(new Set(answers)).toEqual(new Set(['(not refused)', 'too_many_codes']));
    const refused = requestOwnCode(service.deps, { phone: mobile(90) }, address(1));
    expect(await retryAfterOf(refused)).toBe(3_600);
    // The same IPv4 address written as IPv6 is the same caller.
    expect(await ask(service, mobile(91), `::ffff:${address(1)}`)).toBe('too_many_codes');
    expect(await ask(service, mobile(92), address(2))).toBe('(not refused)');
    service.clock.advance(HOUR_MS);
    expect(await ask(service, mobile(93), address(1))).toBe('(not refused)');
  });

  it('of test numbers count only for the address, because nothing is sent', async () => {
    const service = await openTestService();
    const answers: string[] = [];
    for (let n = 0; n < 25; n++) answers.push(await ask(service, `+99901${1_000_000 + n}`, address(1)));
    expect(allowed(answers)).toBe(20);
    for (let n = 2; n < 8; n++) {
      expect(await ask(service, '+999017654321', address(n))).toBe('(not refused)');
      service.clock.advance(30_000);
    }
  });

  it('3 per hour and number, from any address', async () => {
    const service = await openTestService();
    for (let n = 0; n < 3; n++) {
      expect(await ask(service, NUMBER, address(n))).toBe('(not refused)');
      service.clock.advance(MINUTE_MS);
    }
    expect(await retryAfterOf(requestOwnCode(service.deps, { phone: NUMBER }, address(9)))).toBe(57 * 60);
    service.clock.advance(57 * MINUTE_MS);
    expect(await ask(service, NUMBER, address(9))).toBe('(not refused)');
  });

  it('30 per hour and number prefix of 7 digits', async () => {
    const service = await openTestService();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => ask(service, mobile(1, n), address(n))),
    );
    expect(allowed(answers)).toBe(30);
    expect(await ask(service, mobile(2), address(1))).toBe('(not refused)');
  });

  it('at most the admin’s daily limit, 500 at first; the next day starts again', async () => {
    const service = await openTestService();
    const { db, clock } = service.deps;
    expect(await readLimits(db)).toMatchObject({ ownCodesPerDay: 500, sessionsPerHour: 1_200 });
    await changeLimitSettings({ db, clock }, { own_codes_per_day: 5 }, 'operator:a');
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => ask(service, mobile(n), address(n))),
    );
    expect(allowed(answers)).toBe(5);
    // The clock of these tests starts at noon.
    expect(await retryAfterOf(requestOwnCode(service.deps, { phone: mobile(90) }, address(90)))).toBe(
      12 * 3_600,
    );
    const session = await liveSessionAtPhone(service);
    expect(await refusalOf(requestCode(service.deps, session, NUMBER))).toBe('(not refused)');
    service.clock.advance(12 * HOUR_MS);
    expect(await ask(service, mobile(90), address(90))).toBe('(not refused)');
    const audited = await db.all<{ details: string }>(
      `SELECT details FROM audit_entries WHERE action = 'limits.change'`,
    );
    expect(audited.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
      {
        own_codes_per_day: [500, 5],
        sessions_per_hour: [1_200, 1_200],
        changed: ['own_codes_per_day'],
      },
    ]);
  });

  it('stay counted when the server restarts', async () => {
    const dir = tempDir();
    const before = await openTestService(dir);
    for (let n = 0; n < 20; n++) await ask(before, mobile(n), address(1));
    const db = await openTempStore(dir);
    const after = { ...before, deps: { ...before.deps, db } };
    expect(await ask(after, mobile(50), address(1))).toBe('too_many_codes');
  });

  it('requested with a clock far ahead block nobody once it is corrected', async () => {
    const service = await openTestService();
    service.clock.advance(4 * 365 * 24 * HOUR_MS);
    for (let n = 0; n < 20; n++) await ask(service, mobile(n), address(1));
    service.clock.advance(-4 * 365 * 24 * HOUR_MS);
    expect(await ask(service, mobile(50), address(1))).toBe('(not refused)');
  });
});
