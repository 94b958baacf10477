/** Decisions §6, "Codes": 6 digits, 10 minutes, 5 tries, resend after 30 s, 5 a session, 10 a number and day. */
import { describe, expect, it } from 'vitest';
import type { InitializeRequest } from '../../contract/v3.ts';
import { findLatestCode, listReadableCodes } from '../../store/phone/codes.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { NOW, verification } from '../../../testing/store/rows.ts';
import { insertVerification } from '../../store/companies/verifications.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { giveConsent, readSnapshot } from './flow.ts';
import { initialize } from './initialize.ts';
import { confirmCode, requestCode } from './phone-step.ts';
import { captureTestFace } from '../capture/test-capture.ts';

const PHONE_CONFIG = { config: { phone: { required: true } } };
const TEST_NUMBER = '+12105550123';
const REAL_NUMBER = '+14155552671';
const LIVE_VERIFICATION = '01a1fd74-0fe9-71f1-a527-419a33965f8c';
const RESEND_MS = 30_000;
const SHOWN = { nowMs: NOW, ownPages: false };

/** A test session whose next step is the phone. */
async function start(service: TestService, body: InitializeRequest = {}): Promise<Session> {
  const request = { ...PHONE_CONFIG, ...body };
  const { session_id: id } = await initialize(service.deps, await service.caller('sk_test'), request);
  await giveConsent(service.deps, await sessionOf(service, id ?? ''), { accepted: true });
  return sessionOf(service, id ?? '');
}

/** Live sessions whose next step is the phone. */
async function liveStarter(service: TestService): Promise<() => Promise<Session>> {
  await service.verification(LIVE_VERIFICATION, { config: PHONE_CONFIG.config });
  return liveStarterOf(service, LIVE_VERIFICATION, (key) => service.caller(key));
}

function liveStarterOf(service: TestService, verificationId: string, caller: TestService['caller']) {
  return async (): Promise<Session> => {
    const request = { verification_id: verificationId };
    const { session_id: id } = await initialize(service.deps, await caller('sk_live'), request);
    await giveConsent(service.deps, await sessionOf(service, id ?? ''), { accepted: true });
    return sessionOf(service, id ?? '');
  };
}

const codeOf = async ({ deps }: TestService, session: Session) =>
  (await findLatestCode(deps.db, session.scope, session.id))?.code ?? null;

async function triesLeftAfter(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Refusal) || error.code !== 'wrong_code') throw error;
  return error.facts.extra?.['tries_left'];
}

it('a page learns whether staff read its code out or a message brings it', async () => {
  const service = await openTestService();
  const session = await (await liveStarter(service))();
  const shown = (sends: boolean) =>
    readSnapshot({ ...service.deps, codes: { ...service.deps.codes, sends } }, session.id);
  expect((await shown(false)).phone).toMatchObject({ read_out: true });
  expect((await shown(true)).phone).not.toHaveProperty('read_out');
  // Test sessions show what guests of a live one would read.
  const { id } = await start(service);
  expect((await readSnapshot(service.deps, id)).phone).not.toHaveProperty('read_out');
});

describe('a code', () => {
  it('verifies the number, and the run continues with the capture', async () => {
    const service = await openTestService();
    const session = await start(service);
    expect((await requestCode(service.deps, session, '+1 (210) 555-0123')).step).toBe('phone');
    const snapshot = await confirmCode(service.deps, session, '550123');
    expect(snapshot.step).toBe('capture');
    const proven = await sessionOf(service, session.id);
    expect((await captureTestFace(service.deps, proven, 'alice')).result?.verified).toBe(true);
    const owner = await service.deps.db.one('SELECT provider, identifier FROM person_identities');
    expect(owner).toEqual({ provider: 'phone', identifier: TEST_NUMBER });
  });

  it('of a test number is its last six digits, in any spacing, and is never sent', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, '+999 01 1234567');
    expect(await codeOf(service, session)).toBe('234567');
    expect(await findLatestCode(service.deps.db, session.scope, session.id)).toMatchObject({
      delivery: 'none',
    });
    expect((await confirmCode(service.deps, session, ' 234-567 ')).step).toBe('capture');
  });

  it('is deleted once it has been used', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, TEST_NUMBER);
    expect(await listReadableCodes(service.deps.db, service.company.company_id, SHOWN)).toHaveLength(1);
    await confirmCode(service.deps, session, '550123');
    expect(await codeOf(service, session)).toBeNull();
    expect(await listReadableCodes(service.deps.db, service.company.company_id, SHOWN)).toEqual([]);
  });

  it('is valid for 10 minutes', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, TEST_NUMBER);
    service.clock.advance(600_000);
    expect(await refusalOf(confirmCode(service.deps, session, '550123'))).toBe('code_expired');
    service.clock.set(NOW + 599_999);
    expect((await confirmCode(service.deps, session, '550123')).step).toBe('capture');
  });

  it('can be tried 5 times, and the right digits do not help after that', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, TEST_NUMBER);
    for (const left of [4, 3, 2, 1, 0]) {
      expect(await triesLeftAfter(confirmCode(service.deps, session, '000000'))).toBe(left);
    }
    expect(await refusalOf(confirmCode(service.deps, session, '550123'))).toBe('too_many_codes');
  });

  it('guessed many times at once is still limited to 5 tries', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, TEST_NUMBER);
    const guesses = await Promise.all(
      Array.from({ length: 20 }, () => refusalOf(confirmCode(service.deps, session, '000000'))),
    );
    expect(guesses.filter((code) => code === 'wrong_code')).toHaveLength(5);
    expect(guesses.filter((code) => code === 'too_many_codes')).toHaveLength(15);
  });

  it('is required before it can be confirmed', async () => {
    const service = await openTestService();
    expect(await refusalOf(confirmCode(service.deps, await start(service), '550123'))).toBe('code_required');
  });
});

describe('sending again', () => {
  it('is possible after 30 s, and only the newer code counts', async () => {
    const service = await openTestService();
    const session = await start(service);
    await requestCode(service.deps, session, TEST_NUMBER);
    service.clock.advance(RESEND_MS - 1);
    expect(await refusalOf(requestCode(service.deps, session, TEST_NUMBER))).toBe('resend_too_soon');
    service.clock.advance(1);
    await requestCode(service.deps, session, '+12105550199');
    expect(await refusalOf(confirmCode(service.deps, session, '550123'))).toBe('wrong_code');
    expect((await confirmCode(service.deps, session, '550199')).step).toBe('capture');
  });

  it('ends after 5 codes of a session', async () => {
    const service = await openTestService();
    const session = await start(service);
    for (let n = 0; n < 5; n++) {
      await requestCode(service.deps, session, TEST_NUMBER);
      service.clock.advance(RESEND_MS);
    }
    expect(await refusalOf(requestCode(service.deps, session, TEST_NUMBER))).toBe('too_many_codes');
  });

  it('ends after 10 codes to a number in a day, over all sessions, until the next day', async () => {
    const service = await openTestService();
    const startLive = await liveStarter(service);
    for (let n = 0; n < 10; n++) await requestCode(service.deps, await startLive(), REAL_NUMBER);
    expect(await refusalOf(requestCode(service.deps, await startLive(), REAL_NUMBER))).toBe('too_many_codes');
    expect((await requestCode(service.deps, await startLive(), '+14155552672')).step).toBe('phone');
    service.clock.set(Date.UTC(2030, 4, 16));
    expect((await requestCode(service.deps, await startLive(), REAL_NUMBER)).step).toBe('phone');
  });

  it('sends the last of 10 to a number once when two companies are asked at the same time', async () => {
    const service = await openTestService();
    const { db } = service.deps;
    const { company, caller } = await service.otherCompany();
    const id = '01a1fd74-0fe9-71f1-a527-419a33965f8d';
    await db.tx((tx) => insertVerification(tx, verification(company.company_id, id, PHONE_CONFIG)));
    const own = await liveStarter(service);
    const other = liveStarterOf(service, id, caller);
    for (let n = 0; n < 9; n++) await requestCode(service.deps, await own(), REAL_NUMBER);
    // Without their common lock, both can find nine codes and send the tenth.
    for (let round = 0; round < 6; round++) {
      const sessions = [await own(), await other()];
      const answers = await Promise.all(
        sessions.map((session) => refusalOf(requestCode(service.deps, session, REAL_NUMBER))),
      );
      expect(answers.toSorted()).toEqual(['(not refused)', 'too_many_codes']);
      for (const session of sessions)
        await db.write('DELETE FROM phone_codes WHERE session_id = ?', session.id);
    }
  });

  it('is unlimited for a test number, because nothing is sent', async () => {
    const service = await openTestService();
    for (let n = 0; n < 11; n++) {
      expect((await requestCode(service.deps, await start(service), TEST_NUMBER)).step).toBe('phone');
    }
  });

  it('requested many times at once sends one', async () => {
    const service = await openTestService();
    const session = await start(service);
    const asked = await Promise.all(
      Array.from({ length: 10 }, () => refusalOf(requestCode(service.deps, session, TEST_NUMBER))),
    );
    expect(asked.filter((code) => code === 'resend_too_soon')).toHaveLength(9);
  });
});

describe('the number', () => {
  it.each(['', 'x', '123', '0301234'])(
    'that cannot be parsed is identifier_unrecognized: %j',
    async (phone) => {
      const service = await openTestService();
      expect(await refusalOf(requestCode(service.deps, await start(service), phone))).toBe(
        'identifier_unrecognized',
      );
    },
  );

  it('of a test session is a test number', async () => {
    const service = await openTestService();
    expect(await refusalOf(requestCode(service.deps, await start(service), '+442079460958'))).toBe(
      'test_number_required',
    );
  });

  it('that a backend sent follows the same rule: no code leaves a test session', async () => {
    const service = await openTestService();
    const session = await start(service, { phone: REAL_NUMBER });
    expect(await refusalOf(requestCode(service.deps, session, undefined))).toBe('test_number_required');
    await service.verification(LIVE_VERIFICATION, { config: PHONE_CONFIG.config });
    const live = await initialize(service.deps, await service.caller('sk_live'), {
      verification_id: LIVE_VERIFICATION,
      phone: TEST_NUMBER,
    });
    const opened = await sessionOf(service, live.session_id ?? '');
    await giveConsent(service.deps, opened, { accepted: true });
    const consented = await sessionOf(service, opened.id);
    expect(await refusalOf(requestCode(service.deps, consented, undefined))).toBe('identifier_unrecognized');
  });

  it('of a live session cannot be one, because everyone knows its code', async () => {
    const service = await openTestService();
    const id = await service.verification('019b0000-0000-7000-8000-000000000001', PHONE_CONFIG);
    const { session_id: sessionId } = await initialize(service.deps, await service.caller('sk_live'), {
      verification_id: id,
    });
    await giveConsent(service.deps, await sessionOf(service, sessionId ?? ''), { accepted: true });
    const live = await sessionOf(service, sessionId ?? '');
    expect(await refusalOf(requestCode(service.deps, live, TEST_NUMBER))).toBe('identifier_unrecognized');
    await requestCode(service.deps, live, '+442079460958');
    expect(await codeOf(service, live)).toMatch(/^\d{6}$/);
  });

  it('that belongs to someone else ends as identity_mismatch', async () => {
    const service = await openTestService();
    for (const face of ['alice', 'mallory']) {
      const session = await start(service, { external_id: face });
      await requestCode(service.deps, session, TEST_NUMBER);
      await confirmCode(service.deps, session, '550123');
      await captureTestFace(service.deps, await sessionOf(service, session.id), face);
    }
    const rows = await service.deps.db.all('SELECT status, reasons FROM passes ORDER BY settled_at, status');
    expect(rows).toEqual([
      { status: 'approved', reasons: '[]' },
      { status: 'denied', reasons: '["identity_mismatch"]' },
    ]);
  });
});
