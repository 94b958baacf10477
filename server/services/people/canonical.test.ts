/** §3.18: identities are canonical before they are compared or stored; earlier ones are rewritten once. */
import { expect, it } from 'vitest';
import { run, passOf, NO_SKIP } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { readSetting } from '../../store/settings.ts';
import { lookUpByIdentity } from '../passes/confirmations.ts';
import { canonicaliseIdentities, listTwins } from './canonical.ts';
import { erasePersonInConsole } from './erasure.ts';
import { listPersonItems, shortId } from './people.ts';
import { readPersonProfile } from './profile.ts';

const nobody = async () => false;
const SENT = 'Zoë@MÜNCHEN.example';
const CANONICAL = 'zoë@xn--mnchen-3ya.example';

async function person(service: TestService, face: string, email: string): Promise<string> {
  const pass = await passOf(service, await run(service, face, { email, ...NO_SKIP }));
  service.clock.advance(1_000);
  return pass.personId ?? '';
}

/** As the version before stored it: trimmed and in lower case only. */
async function asBefore({ deps: { db } }: TestService, from: string, to: string): Promise<void> {
  await db.write('UPDATE person_identities SET identifier = ?, given = NULL WHERE identifier = ?', to, from);
  await db.write('UPDATE passes SET identity_identifier = ? WHERE identity_identifier = ?', to, from);
  await db.write(
    'UPDATE sessions SET identity_identifier = ?, identity_given = NULL WHERE identity_identifier = ?',
    to,
    from,
  );
}

it('one address in several forms is one person, and staff read what was sent', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const scope = service.scope('test');
  const zoe = await person(service, 'zoe', `\u200b ${SENT}`);
  for (const email of [
    SENT,
    CANONICAL,
    'zoe\u0308@mu\u0308nchen.example',
    '\u202azoë@münchen.example\u202c',
  ]) {
    await expect(run(service, 'zoe', { email })).rejects.toMatchObject({ code: 'identity_already_claimed' });
    const found = await lookUpByIdentity(service.deps, await service.caller('sk_test'), { email });
    expect(found.verified).toBe(true);
    const [item] = (await listPersonItems(db, scope, { q: email })).items;
    expect(item).toMatchObject({ person_id: zoe, identity: { provider: 'email', identifier: SENT } });
  }
  expect((await readPersonProfile(service.deps, scope, zoe)).identities).toMatchObject([
    { identifier: SENT },
  ]);
});

it('rows from before are rewritten once, also after an interruption', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const scope = service.scope('test');
  const zoe = await person(service, 'zoe', SENT);
  await asBefore(service, CANONICAL, 'zoë@münchen.example');
  const lookUp = async () => lookUpByIdentity(service.deps, await service.caller('sk_test'), { email: SENT });
  await expect(lookUp()).rejects.toMatchObject({ code: 'no_settled_pass' });
  // An older node may still write such rows.
  expect(await canonicaliseIdentities(service.deps, async () => true)).toBe(false);
  expect(await readSetting(db, 'identities.canonical')).toBeNull();
  expect((await lookUp()).verified).toBe(true);
  expect(await canonicaliseIdentities(service.deps, nobody)).toBe(true);
  expect(await readSetting(db, 'identities.canonical')).not.toBeNull();
  const [item] = (await listPersonItems(db, scope, { q: CANONICAL })).items;
  expect(item).toMatchObject({ person_id: zoe, identity: { identifier: 'zoë@münchen.example' } });
  expect((await listTwins(db, scope)).items).toEqual([]);
});

it('two people who turn out to be one stay two, and an admin sees both', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  const scope = service.scope('test');
  const old = await person(service, 'zoe', SENT);
  await asBefore(service, CANONICAL, 'zoë@münchen.example');
  const other = await person(service, 'yan', CANONICAL);
  expect(await canonicaliseIdentities(service.deps, nobody)).toBe(true);
  expect((await listTwins(db, scope)).items).toEqual([
    { identifier: 'zoë@münchen.example', person_id: old, same_as: CANONICAL, other_person_id: other },
  ]);
  const confirm = { confirm: shortId(other), reason: 'asked for' };
  await erasePersonInConsole(service.deps, scope, other, confirm, 'operator:1');
  expect((await listTwins(db, scope)).items).toEqual([]);
});

it('an erasure takes what was sent with it, also on a node that does not know the column', async () => {
  const service = await openTestService();
  const { db } = service.deps;
  await person(service, 'zoe', SENT);
  await db.write('UPDATE sessions SET identity_provider = NULL, identity_identifier = NULL');
  expect(await db.all('SELECT id FROM sessions WHERE identity_given IS NOT NULL')).toEqual([]);
});
