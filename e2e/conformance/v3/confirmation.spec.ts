/** Contract, "v3: confirmation": each field; "Rules for the confirmation endpoints", 1 to 3. */
import { expect } from '@playwright/test';
import {
  FLAGGING,
  fresh,
  freshEmail,
  freshPhone,
  ISO_TIME,
  NO_SKIP,
  openVenue,
  sharedVenue,
  resultOf,
  test,
  UUID,
  type Venue,
} from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const confirmed = async (face: string, request = {}) => (await venue.settle(face, request)).confirmation;

/** A person who was here before with another account, so that the next run has a finding. */
async function known(group?: string): Promise<string> {
  const face = fresh('face');
  await confirmed(face, { external_id: fresh('account'), ...(group !== undefined && { group }) });
  return face;
}

test.describe('fields', () => {
  test('exactly those that the contract names, including deprecated ones', async () => {
    expect(Object.keys(await confirmed(fresh('face'))).sort()).toEqual(
      [
        'verified status reasons declined group groups id confirmed_at locked is_test score band external_id',
        'identity verification',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    );
  });

  test('verified: "True only if the verification passed and the pass is unlocked"', async () => {
    const { confirmation, vyt } = await venue.settle(fresh('face'));
    expect(confirmation.verified).toBe(true);
    await venue.lock(vyt);
    expect((await venue.confirm(vyt)).body).toMatchObject({ verified: false, status: 'approved' });
    expect((await confirmed('spoof')).verified).toBe(false);
  });

  test('status: "approved, denied"; an approval with reasons is approved on the wire (decisions §3.10)', async () => {
    expect((await confirmed(fresh('face'))).status).toBe('approved');
    expect((await confirmed('spoof')).status).toBe('denied');
    const flagged = await venue.settle(await known(), { external_id: fresh('account'), config: FLAGGING });
    expect(flagged.confirmation.status).toBe('approved');
    expect(resultOf(flagged.snapshot).presented).toBe('flagged');
  });

  test('reasons: "A denied pass always has at least one. … Empty on a clean pass"', async () => {
    expect((await confirmed(fresh('face'))).reasons).toEqual([]);
    expect((await confirmed('spoof')).reasons).toEqual(['spoof_suspected']);
    expect((await confirmed('blurred')).reasons).toEqual(['liveness_failed']);
  });

  test('declined: "The person chose not to scan. A denied pass, but not a failed one"', async () => {
    const run = await venue.begin();
    const { body } = await run.flow('/decline', {});
    expect(resultOf(body)).toMatchObject({ presented: 'declined', verified: false, vyc: 0 });
    const confirmation = await venue.confirm(resultOf(body).vyt);
    expect(confirmation).toMatchObject({
      status: 200,
      body: { verified: false, status: 'denied', declined: true, reasons: ['declined'], score: null },
    });
    expect((await confirmed('spoof')).declined).toBe(false);
  });

  test('group: "The group the run was judged in and settled into. Null when the run carried none"', async () => {
    expect((await confirmed(fresh('face'))).group).toBeNull();
    expect((await confirmed(fresh('face'), { group: 'friday' })).group).toBe('friday');
  });

  test('groups: "Groups whose prior history produced the findings …. Filled for flagged passes too"', async () => {
    const friday = fresh('friday');
    const flagged = await confirmed(await known(friday), {
      group: friday,
      external_id: fresh('account'),
      config: FLAGGING,
    });
    expect(flagged).toMatchObject({ status: 'approved', reasons: expect.any(Array), groups: [friday] });
  });

  test('groups: "Empty when nothing hit or the offending history was ungrouped"', async () => {
    expect((await confirmed(fresh('face'))).groups).toEqual([]);
    const hit = await confirmed(await known(), { external_id: fresh('account'), config: NO_SKIP });
    expect(hit).toMatchObject({ reasons: ['collision_company', 'duplicate_account'], groups: [] });
  });

  test('id: "Deprecated. Pass id"; confirmed_at: "When the verdict settled"', async () => {
    const { id, confirmed_at } = await confirmed(fresh('face'));
    expect(id).toMatch(UUID);
    expect(confirmed_at).toMatch(ISO_TIME);
  });

  test('locked: "True after the lock operation; a locked pass reads as not passed"', async () => {
    const { confirmation, vyt } = await venue.settle(fresh('face'));
    expect(confirmation.locked).toBe(false);
    await venue.lock(vyt);
    expect((await venue.confirm(vyt)).body).toMatchObject({ locked: true, verified: false });
  });

  test('is_test: "Settled by a test run"', async () => {
    expect((await confirmed(fresh('face'))).is_test).toBe(true);
    const live = await venue.begin({}, venue.keys.pk_live);
    const { vyt } = resultOf((await live.flow('/decline', {})).body);
    expect((await venue.confirm(vyt, venue.keys.sk_live)).body.is_test).toBe(false);
  });

  test('score: "0 to 100; higher means riskier"; band: its band (decisions §3.15)', async () => {
    const [good, bad] = [await confirmed(fresh('face')), await confirmed('spoof')];
    for (const { score } of [good, bad]) {
      expect(Number.isInteger(score)).toBe(true);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
    }
    expect(bad.score!).toBeGreaterThan(good.score!);
    expect([good.band, bad.band]).toEqual(['low', 'high']);
  });

  test('external_id: "The customer’s id for the run, if initialize had one"', async () => {
    const external_id = fresh('account');
    expect((await confirmed(fresh('face'), { external_id })).external_id).toBe(external_id);
    expect((await confirmed(fresh('face'))).external_id).toBeNull();
  });

  test('verification: "external_id … and external_tenant_id" of the owning verification', async () => {
    const { verification_id } = await venue.verification({
      'external-id': 'bar',
      'external-tenant-id': 'tenant-7',
    });
    expect((await confirmed(fresh('face'), { verification_id })).verification).toEqual({
      external_id: 'bar',
      external_tenant_id: 'tenant-7',
    });
    expect((await confirmed(fresh('face'))).verification).toEqual({
      external_id: null,
      external_tenant_id: null,
    });
  });
});

test.describe('identity: "Filled only when the verification’s config enables … sharing and the run proved a credential"', () => {
  const SHARING = { identity: { share: true } };

  test('"null when absent": neither shared nor verified', async () => {
    expect((await confirmed(fresh('face'))).identity).toBeNull();
    expect((await confirmed(fresh('face'), { email: freshEmail() })).identity).toBeNull();
    expect((await confirmed(fresh('face'), { config: SHARING })).identity).toBeNull();
  });

  for (const [provider, make] of [
    ['email', freshEmail],
    ['phone', freshPhone],
  ] as const) {
    test(`"Shape: provider (${provider}) and identifier"`, async () => {
      const identifier = make();
      const request = { [provider]: identifier, config: SHARING };
      expect((await confirmed(fresh('face'), request)).identity).toEqual({ provider, identifier });
    });
  }

  test('a stored config shares, too; a denied run proved nothing', async () => {
    const { verification_id } = await venue.verification({ config: SHARING });
    const email = freshEmail();
    expect((await confirmed(fresh('face'), { email, verification_id })).identity).toEqual({
      provider: 'email',
      identifier: email,
    });
    const denied = await confirmed('spoof', { email: freshEmail(), verification_id });
    expect(denied.identity).toBeNull();
  });
});

test.describe('rules', () => {
  test('1: "GET exchanges the vyt token for the verdict"', async () => {
    const { vyt } = await venue.settle(fresh('face'));
    const { status, headers } = await venue.confirm(vyt);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  test('1: "A token minted for another company, or in the other test/live partition, reads as nonexistent"', async () => {
    const { vyt } = await venue.settle(fresh('face'));
    const stranger = await openVenue(venue.gatehouse, 'Stranger');
    for (const key of [venue.keys.sk_live, stranger.keys.sk_test, stranger.keys.sk_live]) {
      const { status, body } = await venue.confirm(vyt, key);
      expect([status, body]).toEqual([404, { detail: 'not found' }]);
    }
  });

  test('2: "A declined or locked pass is not an error: answer 200 with verified false"', async () => {
    const { vyt } = await venue.settle(fresh('face'));
    await venue.lock(vyt);
    expect(await venue.confirm(vyt)).toMatchObject({ status: 200, body: { verified: false } });
  });

  test('3: "Each token should be confirmed once": a second reading returns the same (decisions §3.9)', async () => {
    const { vyt, confirmation } = await venue.settle(fresh('face'));
    expect((await venue.confirm(vyt)).body).toEqual(confirmation);
  });
});

test.describe('errors', () => {
  test('401 invalid_confirmation_token: "Token malformed or cannot be verified"', async () => {
    const { vyt } = await venue.settle(fresh('face'));
    const flipped = vyt.slice(0, -4) + (vyt.at(-4) === 'A' ? 'B' : 'A') + vyt.slice(-3);
    for (const token of ['x', 'vyt_', `${vyt}x`, flipped, vyt.toUpperCase(), '%00', 'a'.repeat(2_000)]) {
      const { status, body } = await venue.confirm(token);
      expect([status, body]).toEqual([401, { detail: 'invalid_confirmation_token' }]);
    }
  });

  test('401 invalid_key_type: "on confirmations, not a secret key"', async () => {
    const { vyt } = await venue.settle(fresh('face'));
    for (const key of [venue.keys.pk_test, venue.keys.pk_live, venue.keys.ak_test]) {
      const { status, body } = await venue.confirm(vyt, key);
      expect([status, body]).toEqual([401, { detail: 'invalid_key_type' }]);
    }
  });

  test('404 not found: a run in review is no confirmation yet (decisions §3.9, §3.10)', async () => {
    const face = await known();
    const config = { ...NO_SKIP, collision: { action: 'review' } };
    const run = await venue.begin({ external_id: fresh('account'), config });
    const { body: waiting } = await run.flow('/test-capture', { face });
    const { vyt, presented } = resultOf(waiting);
    expect([waiting.state, presented]).toEqual(['in_review', 'pending']);
    const { status, body } = await venue.confirm(vyt);
    expect([status, body]).toEqual([404, { detail: 'not found', state: 'in_review' }]);
    await run.flow('/test-review', { decision: 'approve' });
    expect(await venue.confirm(vyt)).toMatchObject({ status: 200, body: { verified: true } });
  });
});
