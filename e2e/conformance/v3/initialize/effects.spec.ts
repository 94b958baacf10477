/** Contract, "v3: initialize request" and "response": the effect of each field, and the response. */
import { expect } from '@playwright/test';
import {
  captured,
  fresh,
  freshEmail,
  freshPhone,
  openVenue,
  returnUrl,
  test,
  UUID,
  type Venue,
} from '../../support.ts';

let venue: Venue;
let shop: Awaited<ReturnType<Venue['verification']>>;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Initialize, effects');
  shop = await venue.verification({ origin: 'https://shop.example', 'external-id': 'shop' });
});

test.describe('the effect of each field', () => {
  const chosen = async (request: object) =>
    (await venue.settle(fresh('face'), request)).confirmation.verification.external_id;

  test('origin: "Used to find which verification to run when verification_id is absent"', async () => {
    expect(await chosen({ origin: 'shop.example' })).toBe('shop');
    expect(await chosen({ origin: 'HTTPS://SHOP.example:443' })).toBe('shop');
    expect(await chosen({ origin: 'shop.example', verification_id: venue.defaultVerificationId })).toBeNull();
  });

  test('origin and return_path: "the return destination when the verification has no saved redirect URL"', async () => {
    const { snapshot } = await venue.settle(fresh('face'), {
      origin: 'https://door.example',
      return_path: '/in?a=1',
    });
    const { origin, pathname, searchParams } = returnUrl(snapshot);
    expect([origin, pathname, searchParams.get('a')]).toEqual(['https://door.example', '/in', '1']);
  });

  test('start_path: "Lets one domain host several flows"', async () => {
    await venue.verification({
      origin: 'https://many.example',
      'start-path': '/bar',
      'external-id': 'many-bar',
    });
    await venue.verification({
      origin: 'https://many.example',
      'start-path': '/bar/vip',
      'external-id': 'many-vip',
    });
    expect(await chosen({ origin: 'many.example', start_path: '/bar/5' })).toBe('many-bar');
    expect(await chosen({ origin: 'many.example', start_path: '/bar/vip' })).toBe('many-vip');
    expect(await chosen({ origin: 'many.example', start_path: '/barn' })).toBeNull();
  });

  test('verification_id: "Targets a verification directly instead of the company’s default"', async () => {
    expect(await chosen({ verification_id: shop.verification_id })).toBe('shop');
    expect(await chosen({ verification_id: shop.verification_id.toUpperCase() })).toBe('shop');
    expect(await chosen({})).toBeNull();
  });

  test('verification_external_id: "Targets a verification by the customer’s own id for it"', async () => {
    expect(await chosen({ verification_external_id: 'shop' })).toBe('shop');
  });

  test('email: "Seeds the run with an identity. … Fails if the identity is already claimed"', async () => {
    const email = freshEmail();
    await venue.settle(fresh('face'), { email: ` ${email.toUpperCase()} ` });
    expect((await venue.lookup({ email })).body).toMatchObject({ verified: true });
    expect(await venue.refusal({ email })).toBe('409 identity_already_claimed');
  });

  test('phone: "Seeds the run with a phone identity. Fails if already in use"; the flow is locked to it', async () => {
    const phone = freshPhone();
    const run = await venue.begin({ phone, config: { phone: { required: true } } });
    expect((await run.snapshot()).phone).toMatchObject({ locked: true, hint: expect.stringContaining('•') });
    await run.flow('/phone', { phone: freshPhone() });
    const proven = await run.flow('/phone/confirm', { code: phone.slice(-6) });
    expect(proven.body.step).toBe('capture');
    await captured(run, fresh('face'));
    expect((await venue.lookup({ phone })).body).toMatchObject({ verified: true });
    expect(await venue.refusal({ phone })).toBe('409 identity_already_claimed');
  });

  test('external_id: "Carried through the flow and returned on the confirmation"', async () => {
    const external_id = fresh('account');
    const { confirmation } = await venue.settle(fresh('face'), { external_id });
    expect(confirmation.external_id).toBe(external_id);
  });

  test('external_tracker: "Accepted for wire compatibility; not recorded"', async () => {
    const tracker = fresh('tracker-nobody-keeps');
    const settled = await venue.settle(fresh('face'), { external_tracker: tracker });
    expect(JSON.stringify([settled.snapshot, settled.confirmation])).not.toContain(tracker);
  });

  test('group: "Needs no registration; any id that arrives is the pool"', async () => {
    const { confirmation } = await venue.settle(fresh('face'), { group: 'Saal 3 – Süd' });
    expect(confirmation).toMatchObject({ verified: true, group: 'Saal 3 – Süd' });
  });

  test('redirect_url: "Where the person lands when the run ends"', async () => {
    const { snapshot } = await venue.settle(fresh('face'), { redirect_url: 'https://venue.example/x#part' });
    expect(returnUrl(snapshot).href).toMatch(/^https:\/\/venue\.example\/x\?vyt=.+&vyc=1#part$/);
  });

  test('pass_params: "Keys reserved for the service (prefix vy) are ignored"', async () => {
    const { snapshot } = await venue.settle(fresh('face'), {
      redirect_url: 'https://venue.example/',
      pass_params: { order: 'a&b=ü', vyt: 'forged', VYC: '1', vy_more: 'x', vip: 'yes' },
    });
    const { searchParams } = returnUrl(snapshot);
    expect([...searchParams.keys()]).toEqual(['order', 'vip', 'vyt', 'vyc']);
    expect(searchParams.get('order')).toBe('a&b=ü');
  });

  test('unknown fields are ignored (decisions §1.4)', async () => {
    expect((await venue.initialize({ not_a_field: [1], __proto__x: {} })).status).toBe(200);
  });
});

test.describe('response', () => {
  test('"url … Hosted verification link"; "session_id … The minted session"; no invite', async () => {
    const { body, headers } = await venue.initialize({});
    expect(Object.keys(body).sort()).toEqual(['invite_id', 'session_id', 'url']);
    expect(body.url).toBe(`${venue.baseUrl}/verification?vys=${String(body.session_id)}`);
    expect(body.invite_id).toBeNull();
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('"session_id … Null when expire_in_days was set"; "invite_id (uuid)"', async () => {
    const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 1 });
    expect(body).toMatchObject({ session_id: null, invite_id: expect.stringMatching(UUID) });
    expect(body.url).toMatch(new RegExp(`^${venue.baseUrl}/invite/[\\w-]{22,}$`));
  });
});
