/**
 * Contract, "Rules for POST /v3/initialize", 1 to 6 and 9 to 14; groups (7, 8) and invites (5) have separate files.
 */
import { expect } from '@playwright/test';
import type { OpenResponse } from '../../../../server/contract/flow.ts';
import { sendOk } from '../../../support/http.ts';
import {
  captured,
  FLAGGING,
  fresh,
  freshEmail,
  NO_SKIP,
  openVenue,
  sharedVenue,
  resultOf,
  returnUrl,
  test,
  type Venue,
} from '../../support.ts';

const BACK = 'https://venue.example/back';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

test.describe('rule 1', () => {
  test('"The result appended to the return address is ?vyt=<token>&vyc=<0|1>. Keys from pass_params are appended too"', async () => {
    const request = { redirect_url: `${BACK}?table=4`, pass_params: { order: '17' } };
    const passed = returnUrl((await venue.settle(fresh('face'), request)).snapshot).searchParams;
    expect([...passed.keys()]).toEqual(['table', 'order', 'vyt', 'vyc']);
    expect(passed.get('vyc')).toBe('1');
    const denied = returnUrl((await venue.settle('spoof', request)).snapshot).searchParams;
    expect([...denied.keys()]).toEqual(['table', 'order', 'vyt', 'vyc']);
    expect(denied.get('vyc')).toBe('0');
  });

  test('"The token must be confirmed on the server": the one in the address works for that', async () => {
    const { snapshot } = await venue.settle(fresh('face'), { redirect_url: BACK });
    const vyt = returnUrl(snapshot).searchParams.get('vyt')!;
    expect((await venue.confirm(vyt)).body).toMatchObject({ verified: true });
  });
});

test.describe('rule 2: "redirect_url of the request, then the redirect URL saved on the verification, then origin plus return_path"', () => {
  const target = async (request: object) => {
    const { origin, pathname } = returnUrl((await venue.settle(fresh('face'), request)).snapshot);
    return origin + pathname;
  };

  test('each if the previous one is missing', async () => {
    const origin = { origin: 'door.example', return_path: '/in' };
    const { verification_id } = await venue.verification({ 'redirect-url': 'https://saved.example/ok' });
    expect(await target({ redirect_url: BACK, verification_id, ...origin })).toBe(BACK);
    expect(await target({ verification_id, ...origin })).toBe('https://saved.example/ok');
    expect(await target(origin)).toBe('https://door.example/in');
  });

  test('origin and return_path saved on the verification apply if the request has none', async () => {
    const { verification_id } = await venue.verification({
      origin: 'https://own.example',
      'return-path': '/thanks',
    });
    expect(await target({ verification_id })).toBe('https://own.example/thanks');
  });
});

test.describe('rule 3: "redirect_url must be absolute and https. Plain http is accepted for localhost or a private address"', () => {
  const REFUSED = [
    '',
    '/back',
    'venue.example/back',
    '//venue.example/back',
    'https:venue.example',
    'https:///venue.example',
    'http://venue.example/',
    'http://localhost.venue.example/',
    'http://10.0.0.5.venue.example/',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://venue.example/',
    'vbscript://localhost/',
    'https://',
    'https://[',
    'https://user@venue.example/',
    'https://venue.example@evil.example/',
    'https://user:secret@venue.example/',
    'https://@venue.example/',
  ];
  const ACCEPTED = [
    'https://venue.example',
    'https://venue.example:8443/a?b=c#d',
    'http://localhost:3000/back',
    'http://127.0.0.1/back',
    'http://[::1]:8080/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.0.10:8080/',
    'http://[fd12:3456::1]/',
  ];
  for (const url of REFUSED) {
    test(`refused: ${JSON.stringify(url)}`, async () => {
      expect(await venue.refusal({ redirect_url: url })).toBe('400 invalid_redirect_url');
    });
  }
  test('accepted: https, and http to this machine or a private network', async () => {
    for (const url of ACCEPTED) expect((await venue.initialize({ redirect_url: url })).status, url).toBe(200);
  });
});

test.describe('rule 4: "redirect_url and group need a session. They cannot be combined with expire_in_days"', () => {
  for (const [field, value, code] of [
    ['redirect_url', BACK, 'redirect_url_requires_session'],
    ['group', 'friday', 'group_requires_session'],
    ['include_groups', ['friday'], 'group_requires_session'],
  ] as const) {
    test(field, async () => {
      expect(await venue.refusal({ email: freshEmail(), expire_in_days: 7, [field]: value })).toBe(
        `400 ${code}`,
      );
    });
  }
});

test.describe('rule 6', () => {
  test('"config is used verbatim, never merged with the stored config"', async () => {
    const { verification_id } = await venue.verification({ config: FLAGGING });
    const face = fresh('face');
    await venue.settle(face, { verification_id, external_id: fresh('account') });
    const flagged = await venue.settle(face, { verification_id, external_id: fresh('account') });
    expect(flagged.confirmation.status).toBe('approved');
    // The stored `collision.action` is gone with the rest, so the default, deny, applies.
    const { confirmation } = await venue.settle(face, {
      verification_id,
      external_id: fresh('account'),
      config: NO_SKIP,
    });
    expect(confirmation).toMatchObject({ status: 'denied' });
  });

  test('"… and dies with the run"', async () => {
    const { verification_id } = await venue.verification({ config: NO_SKIP });
    const face = fresh('face');
    const by = (config?: Record<string, unknown>) =>
      venue.settle(face, { verification_id, external_id: fresh('account'), ...(config && { config }) });
    await by(FLAGGING);
    expect((await by(FLAGGING)).confirmation.status).toBe('approved');
    expect((await by()).confirmation.status).toBe('denied');
    const { body } = await venue.call<{ config: object }>('/v3/verifications/lookup', {
      body: { id: verification_id },
    });
    expect(body.config).not.toHaveProperty('collision');
  });

  test('"A live key is refused"', async () => {
    for (const key of [venue.keys.sk_live, venue.keys.pk_live]) {
      expect(await venue.refusal({ config: {} }, key)).toBe('403 config_requires_test_key');
    }
  });
});

test.describe('rule 9', () => {
  const autoReturn = async (request: object) => (await (await venue.begin(request)).snapshot()).auto_return;

  test('auto_return: "when true, an approved or declined check returns … at once"; else it does not', async () => {
    const { snapshot } = await venue.settle(fresh('face'), { auto_return: true, redirect_url: BACK });
    expect(snapshot).toMatchObject({ auto_return: true, result: { return_url: expect.any(String) } });
    expect(await autoReturn({})).toBe(false);
  });

  test('"It overrides the verification’s stored returning.auto_return for this run only"', async () => {
    const { verification_id } = await venue.verification({ config: { returning: { auto_return: true } } });
    expect(await autoReturn({ verification_id })).toBe(true);
    expect(await autoReturn({ verification_id, auto_return: false })).toBe(false);
    expect(await autoReturn({ verification_id })).toBe(true);
  });

  test('"Invite links ignore it"', async () => {
    const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 7, auto_return: true });
    const code = body.url.split('/').at(-1)!;
    const { snapshot } = await sendOk<OpenResponse>(`${venue.baseUrl}/flow/invites/${code}/open`, {
      body: { device: 'mobile' },
    });
    expect(snapshot.auto_return).toBe(false);
  });
});

test.describe('rule 10', () => {
  test('embedded flows: "no redirect_url is needed; the result arrives through the promise"', async () => {
    const { snapshot } = await venue.settle(fresh('face'));
    expect(resultOf(snapshot)).toMatchObject({
      return_url: null,
      requested_url: null,
      vyt: expect.stringMatching(/./),
      vyc: 1,
    });
  });

  test('"A redirect_url that is passed still wins and gets ?vyt=...&vyc=... appended"', async () => {
    const { snapshot } = await venue.settle(fresh('face'), { redirect_url: BACK });
    expect(resultOf(snapshot).requested_url).toMatch(/^https:\/\/venue\.example\/back\?vyt=.+&vyc=1$/);
  });
});

test.describe('rule 12: skip window', () => {
  test('"The same external_id, or no external_id, still skips": the earlier pass is returned', async () => {
    const [face, external_id] = [fresh('face'), fresh('account')];
    const first = await venue.settle(face, { external_id });
    expect((await venue.settle(face, { external_id })).confirmation).toEqual(first.confirmation);
    expect((await venue.settle(face)).confirmation).toEqual(first.confirmation);
  });

  test('"a session whose external_id differs … runs its own check and settles its own confirmation"', async () => {
    const face = fresh('face');
    const first = await venue.settle(face, { external_id: fresh('account') });
    const external_id = fresh('account');
    const { confirmation } = await venue.settle(face, { external_id });
    expect(confirmation.id).not.toBe(first.confirmation.id);
    expect(confirmation.external_id).toBe(external_id);
  });

  for (const [action, verdict] of [
    ['deny', { status: 'denied', verified: false }],
    ['flag', { status: 'approved', verified: true }],
  ] as const) {
    test(`"a repeat in the same group is reported as the collision setting says": ${action}`, async () => {
      const request = { group: fresh('group'), config: { collision: { action } } };
      const face = fresh('face');
      await venue.settle(face, { ...request, external_id: fresh('account') });
      const { confirmation } = await venue.settle(face, { ...request, external_id: fresh('account') });
      expect(confirmation).toMatchObject({
        ...verdict,
        reasons: ['collision', 'duplicate_account'],
        group: request.group,
        groups: [request.group],
      });
    });
  }
});

test.describe('rule 13: "with a publishable key is refused"', () => {
  for (const field of ['external_id', 'email', 'phone', 'verification_id', 'verification_external_id']) {
    test(field, async () => {
      const value = field === 'verification_id' ? venue.defaultVerificationId : 'x';
      for (const key of [venue.keys.pk_test, venue.keys.pk_live]) {
        expect(await venue.refusal({ [field]: value }, key)).toBe('400 identifiers_require_secret_key');
      }
    });
  }
});

test('rule 14: "A session started with a test key yields tokens only the matching test secret key can confirm; likewise for live"', async () => {
  const other = await openVenue(venue.gatehouse, 'Another company');
  for (const [started, own, foreign] of [
    [venue.keys.pk_test, venue.keys.sk_test, [venue.keys.sk_live, other.keys.sk_test]],
    [venue.keys.pk_live, venue.keys.sk_live, [venue.keys.sk_test, other.keys.sk_live]],
  ] as const) {
    const run = await venue.begin({}, started);
    // A live run needs a real camera; declining settles without one.
    const { body } = await run.flow('/decline', {});
    const { vyt } = resultOf(body);
    expect((await venue.confirm(vyt, own)).status).toBe(200);
    for (const key of foreign) {
      const { status, body: error } = await venue.confirm(vyt, key);
      expect([status, error]).toEqual([404, { detail: 'not found' }]);
    }
  }
  const test = await venue.settle(fresh('face'));
  expect((await captured(test.run, fresh('face'))).result?.vyt).toBe(test.vyt);
});
