/** Decisions §6: verifying a phone by code, with test numbers; and the order of the flow around it. */
import { expect } from '@playwright/test';
import { CAPTURE_PROTOCOL } from '../../../server/contract/capture.ts';
import { captured, fresh, freshPhone, sharedVenue, resultOf, test, type Venue } from '../support.ts';
import { refused } from '../../support/http.ts';

const PHONE = { phone: { required: true } };

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const begin = (request = {}) => venue.begin({ config: PHONE, ...request });

test('consent, phone, capture, result; each other step is wrong_step until its turn', async () => {
  const run = await begin();
  expect((await run.snapshot()).step).toBe('phone');
  const hello = { type: 'hello', protocol: CAPTURE_PROTOCOL, mode: 'coached' };
  for (const [path, body] of [
    ['/test-capture', { face: 'x' }],
    ['/capture/messages', hello],
  ] as const) {
    expect(await run.flow(path, body)).toMatchObject(refused(409, 'wrong_step'));
  }
  const number = freshPhone();
  const sent = await run.flow('/phone', { phone: number });
  expect(sent.body.phone).toMatchObject({ locked: false, tries_left: 5, code_sent_at: expect.any(String) });
  expect((await run.flow('/phone/confirm', { code: number.slice(-6) })).body.step).toBe('capture');
  expect(await run.flow('/phone', { phone: number })).toMatchObject(refused(409, 'wrong_step'));
  expect(await captured(run, fresh('face'))).toMatchObject({ state: 'settled', step: 'result' });
});

test('a phone verified by code counts as the person’s identity once the run is approved', async () => {
  const [run, number] = [await begin({ config: { ...PHONE, identity: { share: true } } }), freshPhone()];
  await run.flow('/phone', { phone: number });
  await run.flow('/phone/confirm', { code: number.slice(-6) });
  const { vyt } = resultOf(await captured(run, fresh('face')));
  expect((await venue.confirm(vyt)).body.identity).toEqual({ provider: 'phone', identifier: number });
  expect(await venue.refusal({ phone: number })).toBe('409 identity_already_claimed');
});

test('the code of a test number is its last six digits, typed with a gap or without', async () => {
  const [run, number] = [await begin(), '+14155550123'];
  await run.flow('/phone', { phone: '+1 (415) 555-0123' });
  expect((await run.snapshot()).phone?.hint).not.toContain('5550');
  const code = `${number.slice(-6, -3)} ${number.slice(-3)}`;
  expect((await run.flow('/phone/confirm', { code })).body.step).toBe('capture');
});

test('"5 tries": each wrong code says how many are left, then too_many_codes, even for the right one', async () => {
  const [run, number] = [await begin(), freshPhone()];
  await run.flow('/phone', { phone: number });
  for (const left of [4, 3, 2, 1, 0]) {
    expect(await run.flow('/phone/confirm', { code: '000000' })).toMatchObject(
      refused(400, 'wrong_code', { tries_left: left }),
    );
  }
  expect(await run.flow('/phone/confirm', { code: number.slice(-6) })).toMatchObject(
    refused(429, 'too_many_codes'),
  );
});

test('concurrent guesses use up a try each', async () => {
  const [run, number] = [await begin(), freshPhone()];
  await run.flow('/phone', { phone: number });
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => run.flow('/phone/confirm', { code: '000000' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
});

test('"resend after 30 s": sooner is resend_too_soon, with Retry-After', async () => {
  const [run, number] = [await begin(), freshPhone()];
  await run.flow('/phone', { phone: number });
  const again = await run.flow('/phone', { phone: number });
  expect(again).toMatchObject(refused(429, 'resend_too_soon'));
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(30);
});

test('a code before one was requested: code_required', async () => {
  expect(await (await begin()).flow('/phone/confirm', { code: '123456' })).toMatchObject(
    refused(409, 'code_required'),
  );
});

test('invalid numbers, real ones on a test session, and test ones on a live session', async () => {
  const run = await begin();
  for (const phone of ['', '12345', 'hello', '0171 1234567']) {
    const { status } = await run.flow('/phone', { phone });
    expect([phone, [400, 422].includes(status)]).toEqual([phone, true]);
  }
  expect(await run.flow('/phone', {})).toMatchObject(refused(400, 'identifier_unrecognized'));
  expect(await run.flow('/phone', { phone: '+4915123456789' })).toMatchObject(
    refused(400, 'test_number_required'),
  );
  const { verification_id } = await venue.verification({ config: PHONE });
  const live = await venue.begin({ verification_id }, venue.keys.sk_live);
  expect(await live.flow('/phone', { phone: freshPhone() })).toMatchObject(
    refused(400, 'identifier_unrecognized'),
  );
});

test('a number seeded by the backend cannot be changed', async () => {
  const [own, foreign] = [freshPhone(), freshPhone()];
  const run = await begin({ phone: own });
  await run.flow('/phone', { phone: foreign });
  expect(await run.flow('/phone/confirm', { code: foreign.slice(-6) })).toMatchObject({ status: 400 });
  expect((await run.flow('/phone/confirm', { code: own.slice(-6) })).status).toBe(200);
});

test('a known identity ends the run before the capture, if a skip applies (decisions §5.2)', async () => {
  const [number, face] = [freshPhone(), fresh('face')];
  const prove = async () => {
    const run = await begin();
    await run.flow('/phone', { phone: number });
    return { run, after: (await run.flow('/phone/confirm', { code: number.slice(-6) })).body };
  };
  const first = await prove();
  const { vyt } = resultOf(await captured(first.run, face));
  const { after } = await prove();
  expect(after.state).toBe('settled');
  expect((await venue.confirm(resultOf(after).vyt)).body).toEqual((await venue.confirm(vyt)).body);
});
