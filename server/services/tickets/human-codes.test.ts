import { expect, test } from 'vitest';
import { venueEvent } from '../../../testing/store/rows.ts';
import { passOf, run } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { tableNames } from '../../../testing/store/temp-store.ts';
import type { DeletionTime } from '../../domain/clock.ts';
import { readHumanCode, signHumanCode } from '../../domain/tickets/human-code.ts';
import { lockPass } from '../../store/passes/passes.ts';
import { insertEvent, updateEvent } from '../../store/venue/events.ts';
import { settleTestPass } from '../passes/test-token.ts';
import { eraseOnePerson } from '../people/erasure.ts';
import { runRetention } from '../people/retention-run.ts';
import { clearTestData } from '../people/test-data.ts';
import { makeCode, makeCodeOfPass, readCodeKeys, redeemCode, rotateCodeKey } from './human-codes.ts';

const HOUR_MS = 3_600_000;

async function openEvent() {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const eventOf = (id: string, group: string) =>
    venueEvent(scope, company.default_verification_id, id, {
      group,
      startsAt: clock.now() - HOUR_MS,
      endsAt: clock.now() + 8 * HOUR_MS,
    });
  const event = eventOf('event-1', 'friday');
  await deps.db.tx(async (tx) => {
    await insertEvent(tx, event);
    await insertEvent(tx, eventOf('event-2', 'saturday'));
  });
  const caller = await service.caller('sk_test');
  /** Somebody passes the check of an event. */
  const passed = async (face: string, group = 'friday') =>
    passOf(service, await run(service, face, { group }));
  const make = (passId: string) => makeCodeOfPass(deps, scope, { passId, actor: 'cli' });
  const redeem = (code: string) => redeemCode(deps, { scope }, code);
  return { service, deps, clock, scope, event, caller, passed, make, redeem };
}

test('who passed gets a code of the event’s key, until its end, and the same one each time', async () => {
  const { service, deps, caller, event, passed, make } = await openEvent();
  const pass = await passed('alice');
  const token = deps.tokens.mint({ passId: pass.id, mintedAt: service.clock.now() }, pass.id);
  const made = await makeCode(deps, caller, token);
  expect(made).toMatchObject({
    event_id: event.id,
    expires_at: new Date(Math.floor(event.endsAt / 1_000) * 1_000).toISOString(),
  });
  const [key, ...others] = (await readCodeKeys(deps, service.scope('test'), event.id)).items;
  expect([key, others]).toMatchObject([{ key_id: made.key_id, codes: 1, redeemed: 0 }, []]);
  expect(await make(pass.id)).toEqual(made);
  expect(await Promise.all([make(pass.id), make(pass.id)])).toEqual([made, made]);
});

test('codes asked for at once are one code', async () => {
  const { deps, scope, event, passed, make } = await openEvent();
  const { id } = await passed('alice');
  const made = await Promise.all([make(id), make(id), make(id)]);
  expect(new Set(made.map(({ code }) => code)).size).toBe(1);
  expect((await readCodeKeys(deps, scope, event.id)).items).toMatchObject([{ codes: 1 }]);
});

test('a later end of the event gives the same code with the new end', async () => {
  const { deps, event, passed, make } = await openEvent();
  const { id } = await passed('alice');
  const before = readHumanCode((await make(id)).code);
  await deps.db.tx((tx) => updateEvent(tx, { ...event, endsAt: event.endsAt + HOUR_MS }));
  const after = readHumanCode((await make(id)).code);
  expect(after?.serial).toBe(before?.serial);
  expect((after?.expiresAt ?? 0) - (before?.expiresAt ?? 0)).toBe(HOUR_MS);
});

test('who did not pass, was locked, or passed for no event has no code', async () => {
  const { deps, clock, caller, scope, passed, make } = await openEvent();
  const { token } = await settleTestPass(deps, caller, { status: 'denied' });
  expect(await refusalOf(makeCode(deps, caller, token))).toBe('pass_not_verified');
  const locked = await passed('bob');
  await deps.db.tx((tx) => lockPass(tx, scope, locked.id, clock.now()));
  expect(await refusalOf(make(locked.id))).toBe('pass_not_verified');
  expect(await refusalOf(make((await passed('carol', 'no-event')).id))).toBe('no_event_of_group');
  expect(await refusalOf(make('unknown'))).toBe('not_found');
  clock.advance(9 * HOUR_MS);
  expect(await refusalOf(make((await passed('dave')).id))).toBe('event_over');
});

test('the codes of two events have nothing in common', async () => {
  const { passed, make } = await openEvent();
  const codes = [await make((await passed('alice')).id), await make((await passed('alice', 'saturday')).id)];
  const [one, other] = codes.map(({ code }) => readHumanCode(code));
  expect(one?.keyId).not.toBe(other?.keyId);
  expect(one?.serial).not.toBe(other?.serial);
});

test('of many that redeem a code at once, one does; then its pass gets none', async () => {
  const { clock, passed, make, redeem, event, deps, scope } = await openEvent();
  const { id } = await passed('alice');
  const { code } = await make(id);
  const results = await Promise.all(
    Array.from({ length: 8 }, () =>
      redeem(code).then(
        () => 'redeemed',
        () => 'refused',
      ),
    ),
  );
  expect(results.filter((result) => result === 'redeemed')).toHaveLength(1);
  await expect(redeem(` ${code}\n`)).rejects.toMatchObject({
    code: 'code_redeemed',
    facts: { extra: { redeemed_at: new Date(clock.now()).toISOString() } },
  });
  expect(await refusalOf(make(id))).toBe('code_redeemed');
  expect((await readCodeKeys(deps, scope, event.id)).items).toMatchObject([{ codes: 1, redeemed: 1 }]);
});

test('only a code of the own company and partition that was not changed can be redeemed, until the event ends', async () => {
  const { service, deps, clock, passed, make, redeem } = await openEvent();
  const { code } = await make((await passed('alice')).id);
  const other = await service.otherCompany();
  for (const caller of [await service.caller('sk_live'), await other.caller('sk_test')])
    expect(await refusalOf(redeemCode(deps, caller, code))).toBe('invalid_code');
  const { serial = '', expiresAt = 0 } = readHumanCode(code) ?? {};
  const forged = signHumanCode(new Uint8Array(32), { serial, expiresAt });
  expect(await refusalOf(redeem(forged))).toBe('invalid_code');
  expect(await refusalOf(redeem('hc_'))).toBe('invalid_code');
  clock.set(expiresAt);
  expect(await refusalOf(redeem(code))).toBe('code_expired');
});

test('a new key signs new codes; older ones stay good, and are told apart by their key', async () => {
  const { deps, scope, event, passed, make, redeem } = await openEvent();
  const alice = await passed('alice');
  const old = await make(alice.id);
  const rotation = { eventId: event.id, endsCodes: false, reason: 'New staff', actor: 'cli' } as const;
  const { items } = await rotateCodeKey(deps, scope, rotation);
  expect(items.map(({ key_id: id, codes }) => [id === old.key_id, codes])).toEqual([
    [false, 0],
    [true, 1],
  ]);
  expect(await make(alice.id)).toEqual(old);
  expect((await make((await passed('bob')).id)).key_id).toBe(items[0]?.key_id);
  expect(await redeem(old.code)).toMatchObject({ event_id: event.id });
});

test('after a leak, a rotation ends the codes that nobody redeemed, and their passes get new ones', async () => {
  const { deps, scope, event, passed, make, redeem } = await openEvent();
  const [alice, bob] = [await passed('alice'), await passed('bob')];
  const [used, old] = [await make(alice.id), await make(bob.id)];
  await redeem(used.code);
  const rotation = { eventId: event.id, endsCodes: true, reason: 'Leaked', actor: 'cli' } as const;
  await rotateCodeKey(deps, scope, rotation);
  expect(await refusalOf(redeem(old.code))).toBe('invalid_code');
  expect(await refusalOf(redeem(used.code))).toBe('code_redeemed');
  const renewed = await make(bob.id);
  expect(renewed.key_id).not.toBe(old.key_id);
  expect(await redeem(renewed.code)).toMatchObject({ event_id: event.id });
});

test('erasing a person forgets which code they got; the code stays good, and the pass gets no second one', async () => {
  const { deps, scope, passed, make, redeem } = await openEvent();
  const pass = await passed('alice');
  const { code } = await make(pass.id);
  await eraseOnePerson(deps, scope, pass.personId ?? '', 'cli');
  expect(await deps.db.all('SELECT pass_id AS pass, serial FROM human_codes')).toEqual([
    { pass: null, serial: null },
  ]);
  expect(await refusalOf(make(pass.id))).toBe('pass_not_verified');
  expect(await redeem(code)).toMatchObject({ serial: readHumanCode(code)?.serial });
});

test('whose code it was ends with the event’s retention', async () => {
  const { deps, clock, event, passed, make } = await openEvent();
  await make((await passed('alice')).id);
  await runRetention(deps.db, clock, event.endsAt as DeletionTime, 'cli');
  const linked = 'SELECT COUNT(pass_id) AS linked, COUNT(serial) AS known FROM human_codes';
  expect(await deps.db.one(linked)).toEqual({ linked: 1, known: 1 });
  await runRetention(deps.db, clock, (event.endsAt + 31 * 24 * HOUR_MS) as DeletionTime, 'cli');
  expect(await deps.db.one(linked)).toEqual({ linked: 0, known: 0 });
});

test('no table has a code, and none but its own the serial', async () => {
  const { deps, passed, make, redeem } = await openEvent();
  const { code } = await make((await passed('alice')).id);
  await redeem(code);
  const { serial = '' } = readHumanCode(code) ?? {};
  const tablesWith = async (text: string) => {
    const found: string[] = [];
    for (const name of await tableNames(deps.db)) {
      const rows = await deps.db.all<object>(`SELECT * FROM "${name}"`);
      if (rows.some((row) => Object.values(row).some((value) => textOf(value).includes(text))))
        found.push(name);
    }
    return found;
  };
  expect(await tablesWith(code.slice('hc_'.length))).toEqual([]);
  expect((await tablesWith(serial)).filter((name) => name !== 'human_codes')).toEqual([]);
});

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);

test('clearing the test data removes its codes', async () => {
  const { service, deps, passed, make } = await openEvent();
  await make((await passed('alice')).id);
  const request = { companyId: service.company.company_id, before: null, actor: 'cli' } as const;
  await clearTestData(deps.db, service.clock, request);
  expect(await deps.db.all('SELECT id FROM human_codes')).toEqual([]);
});
