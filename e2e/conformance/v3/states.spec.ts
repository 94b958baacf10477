/** Contract, "States and transitions", v3: each row of the confirmation's table; decisions §5 for how a run settles. */
import { expect } from '@playwright/test';
import type { InitializeRequest } from '../../../server/contract/v3.ts';
import {
  captured,
  FLAGGING,
  fresh,
  freshEmail,
  NO_SKIP,
  openVenue,
  sharedVenue,
  resultOf,
  REVIEWING,
  test,
  type Venue,
} from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const account = (config: InitializeRequest['config'] = NO_SKIP) => ({
  external_id: fresh('account'),
  config,
});
const verdict = async (face: string, request: InitializeRequest) =>
  (await venue.settle(face, request)).confirmation;

/** A face that has passed before with another account: its next run has findings. */
async function knownFace(): Promise<string> {
  const face = fresh('face');
  await venue.settle(face, account());
  return face;
}

test('"A pass is born settled. There is no pending row. The run in flight lives on the session"', async () => {
  const email = freshEmail();
  const run = await venue.begin({ email });
  expect(await run.snapshot()).toMatchObject({ state: 'open', result: null });
  expect((await venue.lookup({ email })).status).toBe(404);
});

test('(none) → approved: "Liveness and uniqueness rules pass with no findings", verified true', async () => {
  const { confirmation, snapshot } = await venue.settle(fresh('face'));
  expect(confirmation).toMatchObject({ status: 'approved', verified: true, reasons: [], declined: false });
  expect(resultOf(snapshot)).toMatchObject({ presented: 'approved', verified: true, vyc: 1 });
});

test('(none) → approved with reasons: "Passes with findings", presented as flagged, verified true', async () => {
  const { confirmation, snapshot } = await venue.settle(await knownFace(), account(FLAGGING));
  expect(confirmation).toMatchObject({
    status: 'approved',
    verified: true,
    reasons: ['collision_company', 'duplicate_account'],
  });
  expect(resultOf(snapshot)).toMatchObject({ presented: 'flagged', verified: true, vyc: 1 });
});

test('(none) → denied: "Rules fail", at least one reason', async () => {
  const { confirmation, snapshot } = await venue.settle(await knownFace(), account());
  expect(confirmation).toMatchObject({
    status: 'denied',
    verified: false,
    declined: false,
    reasons: ['collision_company', 'duplicate_account'],
  });
  expect(resultOf(snapshot)).toMatchObject({ presented: 'denied', verified: false, vyc: 0 });
});

test('(none) → denied: "The person chooses not to scan", declined true, at any step', async () => {
  const consented = await venue.begin();
  expect(resultOf((await consented.flow('/decline', {})).body)).toMatchObject({ presented: 'declined' });
  const tried = await venue.begin();
  await tried.flow('/test-capture', { face: 'blurred' });
  const { vyt } = resultOf((await tried.flow('/decline', {})).body);
  expect((await venue.confirm(vyt)).body).toMatchObject({
    status: 'denied',
    declined: true,
    reasons: ['declined'],
  });
});

test('(none) → denied: "A run lands after the daily limit is reached", reasons = usage_cap_exceeded', async () => {
  const capped = await openVenue(venue.gatehouse, 'Capped');
  await capped.cli('limit', 'set', '--daily', '1');
  expect((await capped.settle(fresh('face'))).confirmation.status).toBe('approved');
  expect((await capped.settle(fresh('face'))).confirmation).toMatchObject({
    status: 'denied',
    verified: false,
    reasons: ['usage_cap_exceeded'],
  });
});

test('approved, unlocked → locked: "verified reads false; the person’s later passes on this verification also come back denied"', async () => {
  const [face, request] = [fresh('face'), account()];
  const { vyt } = await venue.settle(face, request);
  expect((await venue.lock(vyt)).body).toMatchObject({ status: 'approved', locked: true, verified: false });
  for (const group of [undefined, fresh('group')]) {
    const later = await verdict(face, { ...request, ...(group !== undefined && { group }) });
    expect(later).toMatchObject({ status: 'denied', verified: false, reasons: ['pass_locked'] });
  }
  const { verification_id } = await venue.verification();
  const elsewhere = await verdict(face, { verification_id, config: FLAGGING });
  expect(elsewhere.verified).toBe(true);
});

test('locked → locked: "Idempotent"', async () => {
  const { vyt } = await venue.settle(fresh('face'));
  const first = (await venue.lock(vyt)).body;
  expect((await venue.lock(vyt)).body).toEqual(first);
  expect((await venue.confirm(vyt)).body).toEqual(first);
});

test.describe('hard denials, all that apply and in this order (decisions §5.5)', () => {
  test('identity_mismatch: someone else claimed the credential during the run', async () => {
    const email = freshEmail();
    const late = await venue.begin({ email, config: NO_SKIP });
    await venue.settle(fresh('face'), { email });
    const { vyt } = resultOf(await captured(late, fresh('face')));
    expect((await venue.confirm(vyt)).body).toMatchObject({
      status: 'denied',
      reasons: ['identity_mismatch'],
      identity: null,
    });
  });

  test('external_identity_mismatch: the external_id belongs to someone else', async () => {
    const request = account();
    await venue.settle(fresh('face'), request);
    expect(await verdict(fresh('face'), request)).toMatchObject({
      status: 'denied',
      reasons: ['external_identity_mismatch'],
    });
  });

  test('several at once', async () => {
    const [owner, visitor] = [fresh('face'), fresh('face')];
    const owned = { email: freshEmail(), external_id: fresh('account') };
    await venue.settle(owner, owned);
    const { vyt } = await venue.settle(visitor, account());
    await venue.lock(vyt);
    const config = { ...NO_SKIP, limit: { kind: 'total', max: 1 } };
    expect((await verdict(visitor, { ...owned, config })).reasons).toEqual([
      'identity_mismatch',
      'external_identity_mismatch',
      'pass_locked',
      'limit_reached',
    ]);
  });
});

test.describe('limit.kind: "Caps such as once per week are set through a verification limit"', () => {
  for (const kind of ['total', 'day', 'week', 'month']) {
    test(`${kind}: max passes, then denied with limit_reached`, async () => {
      const [face, request] = [fresh('face'), account({ ...NO_SKIP, limit: { kind, max: 2 } })];
      expect((await verdict(face, request)).status).toBe('approved');
      expect((await verdict(face, request)).status).toBe('approved');
      expect(await verdict(face, request)).toMatchObject({ status: 'denied', reasons: ['limit_reached'] });
    });
  }

  test('none: as often as the person likes', async () => {
    const [face, request] = [fresh('face'), account({ ...NO_SKIP, limit: { kind: 'none' } })];
    for (let visit = 0; visit < 3; visit += 1) expect((await verdict(face, request)).verified).toBe(true);
  });
});

test.describe('"A run whose face matches an existing verified account can be sent to human review"', () => {
  const DECISIONS = [
    ['approve', { status: 'approved', verified: true, reasons: [], groups: [] }],
    [
      'approve_flagged',
      { status: 'approved', verified: true, reasons: ['collision_company', 'duplicate_account'] },
    ],
    [
      'deny',
      {
        status: 'denied',
        verified: false,
        reasons: ['collision_company', 'duplicate_account', 'reviewer_denied'],
      },
    ],
  ] as const;

  for (const [decision, expected] of DECISIONS) {
    test(`decided as ${decision}; "The person sees no error" meanwhile`, async () => {
      const run = await venue.begin(account(REVIEWING));
      const waiting = (await run.flow('/test-capture', { face: await knownFace() })).body;
      expect(waiting).toMatchObject({ state: 'in_review', step: 'result', findings: [] });
      expect(resultOf(waiting)).toMatchObject({ presented: 'pending', verified: false });
      const decided = (await run.flow('/test-review', { decision })).body;
      expect(decided.state).toBe('settled');
      expect(resultOf(decided).vyt).toBe(resultOf(waiting).vyt);
      expect((await venue.confirm(resultOf(decided).vyt)).body).toMatchObject(expected);
    });
  }

  test('a near match goes to review if the action is review, and otherwise has no effect', async () => {
    const face = await knownFace();
    expect(await verdict(`near:${face}`, account())).toMatchObject({ status: 'approved', reasons: [] });
    const other = await knownFace();
    const run = await venue.begin(account(REVIEWING));
    expect((await run.flow('/test-capture', { face: `near:${other}` })).body.state).toBe('in_review');
  });

  test('a person whom a reviewer has denied keeps that history: linked_denial', async () => {
    const face = await knownFace();
    const run = await venue.begin(account(REVIEWING));
    await run.flow('/test-capture', { face });
    await run.flow('/test-review', { decision: 'deny' });
    expect((await verdict(face, account(FLAGGING))).reasons).toContain('linked_denial');
  });
});

test.describe('attempts (decisions §5.4)', () => {
  test('another attempt while the session has any, three in all; findings are about the picture', async () => {
    const run = await venue.begin();
    for (const attempts_left of [2, 1]) {
      expect((await run.flow('/test-capture', { face: 'blurred' })).body).toMatchObject({
        state: 'open',
        attempts_left,
        findings: ['blurred'],
        result: null,
      });
    }
    const last = (await run.flow('/test-capture', { face: 'blurred' })).body;
    expect(last).toMatchObject({ state: 'settled', result: { presented: 'denied' } });
  });

  test('a failed attempt is forgiven when the next one passes', async () => {
    const run = await venue.begin();
    await run.flow('/test-capture', { face: 'spoof' });
    const { vyt } = resultOf((await run.flow('/test-capture', { face: fresh('face') })).body);
    expect((await venue.confirm(vyt)).body).toMatchObject({ verified: true, reasons: [] });
  });

  for (const [face, reason] of [
    ['blurred', 'liveness_failed'],
    ['spoof', 'spoof_suspected'],
  ] as const) {
    test(`used up: ${reason}`, async () => {
      expect((await verdict(face, {})).reasons).toEqual([reason]);
    });
  }
});
