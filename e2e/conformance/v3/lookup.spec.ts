/** Contract, "v3: lookup by identity" and rule 5 of the confirmation endpoints; decisions §3.12. */
import { expect } from '@playwright/test';
import {
  findingsOf,
  fresh,
  freshEmail,
  freshPhone,
  NO_SKIP,
  openVenue,
  sharedVenue,
  test,
} from '../support.ts';
import type { Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const code = async (body: Record<string, unknown>, key?: string) => {
  const reply = await venue.lookup<{ detail: string }>(body, key);
  return `${reply.status} ${reply.body.detail}`;
};

for (const [field, make] of [
  ['email', freshEmail],
  ['phone', freshPhone],
] as const) {
  test(`5: "Lookup returns the person’s latest settled pass with the company, found by the credential": ${field}`, async () => {
    const [face, identity, external_id] = [fresh('face'), { [field]: make() }, fresh('account')];
    const request = { ...identity, external_id, config: NO_SKIP };
    const first = await venue.settle(face, request);
    expect((await venue.lookup(identity)).body).toEqual(first.confirmation);
    const second = await venue.settle(face, request);
    expect(second.confirmation.id).not.toBe(first.confirmation.id);
    expect((await venue.lookup(identity)).body).toEqual(second.confirmation);
  });
}

test('email: "as sent to initialize", in any notation; phone: as E.164', async () => {
  const [email, phone] = [freshEmail(), freshPhone()];
  await venue.settle(fresh('face'), { email });
  await venue.settle(fresh('face'), { phone });
  expect((await venue.lookup({ email: `  ${email.toUpperCase()}` })).status).toBe(200);
  expect((await venue.lookup({ phone: `${phone.slice(0, 6)} ${phone.slice(6)}` })).status).toBe(200);
});

test('a denied pass is found as well: the latest, whatever its outcome', async () => {
  const email = freshEmail();
  await venue.settle('spoof', { email });
  expect((await venue.lookup({ email })).body).toMatchObject({ verified: false, status: 'denied' });
});

test('5: "scoped to the company and the key’s test/live partition"', async () => {
  const email = freshEmail();
  await venue.settle(fresh('face'), { email });
  const other = await openVenue(venue.gatehouse, 'Other company');
  expect(await code({ email }, venue.keys.sk_live)).toBe('404 no_settled_pass');
  expect(await code({ email }, other.keys.sk_test)).toBe('404 no_settled_pass');
});

test('5: "It answers 404 when that credential has never settled a pass"', async () => {
  const email = freshEmail();
  expect(await code({ email })).toBe('404 no_settled_pass');
  await venue.begin({ email });
  expect(await code({ email })).toBe('404 no_settled_pass');
});

test('verification_id: "Narrow to one verification. Omit to read across all"', async () => {
  const email = freshEmail();
  const { verification_id } = await venue.verification();
  await venue.settle(fresh('face'), { email, verification_id });
  expect((await venue.lookup({ email, verification_id })).status).toBe(200);
  expect((await venue.lookup({ email })).status).toBe(200);
  expect(await code({ email, verification_id: venue.defaultVerificationId })).toBe('404 no_settled_pass');
});

test('group: "Narrow to one group. Omit to read across every group, including runs with none"', async () => {
  const [grouped, ungrouped] = [freshEmail(), freshEmail()];
  await venue.settle(fresh('face'), { email: grouped, group: 'friday' });
  await venue.settle(fresh('face'), { email: ungrouped });
  expect((await venue.lookup({ email: grouped, group: 'friday' })).body.group).toBe('friday');
  expect(await code({ email: grouped, group: 'saturday' })).toBe('404 no_settled_pass');
  expect((await venue.lookup({ email: grouped })).status).toBe(200);
  expect((await venue.lookup({ email: ungrouped })).body.group).toBeNull();
  expect(await code({ email: ungrouped, group: 'friday' })).toBe('404 no_settled_pass');
});

test('exactly one of email and phone; invalid ones have their own error (decisions §3.12)', async () => {
  expect(await code({})).toBe('400 one_identifier_only');
  expect(await code({ email: null, phone: null })).toBe('400 one_identifier_only');
  expect(await code({ email: 'a@example.com', phone: '+999011234567' })).toBe('400 one_identifier_only');
  expect(await code({ email: 'nobody' })).toBe('400 identifier_unrecognized');
  expect(await code({ phone: '0171 1234567' })).toBe('400 identifier_unrecognized');
});

test('types and limits of the request', async () => {
  const reply = await venue.lookup({ email: 5, phone: [], verification_id: 'x', group: '' });
  expect(findingsOf(reply)).toEqual([
    'string_type at body.email',
    'string_type at body.phone',
    'uuid_parsing at body.verification_id',
    'string_too_short at body.group',
  ]);
  expect(findingsOf(await venue.lookup({ email: 'a@b.de', group: 'x'.repeat(256) }))).toEqual([
    'string_too_long at body.group',
  ]);
  expect(findingsOf(await venue.call('/v3/confirmations', { method: 'POST' }))).toEqual(['missing at body']);
});

test('key: secret only', async () => {
  expect(await code({ email: 'a@example.com' }, venue.keys.pk_test)).toBe('401 invalid_key_type');
});
