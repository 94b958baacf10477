import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { changePin } from './account.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { createOperator } from './operators.ts';
import { checkQuickPin } from './quick-pin.ts';
import { signIn } from './sign-in.ts';

const MINUTE_MS = 60_000;
const from = (address: string) => ({ address, device: 'test', previousToken: null });
const OFFICE = from('192.0.2.10');
const ATTACKER = from('198.51.100.7');

async function withAda(): Promise<TestService & { ada: { name: string; passphrase: string }; id: string }> {
  const service = await openTestService();
  const request = { name: 'Ada', role: 'admin', origin: 'cli', actor: 'cli' } as const;
  const made = await createOperator(service.deps, request);
  return {
    ...service,
    ada: { name: 'Ada', passphrase: made.passphrase ?? '' },
    id: made.operator.operator_id,
  };
}

const wrong = (name: string) => ({ name, passphrase: 'not the right one' });

describe('sign-in', () => {
  it('is locked for a name at a place after five failures there, even all at once, known or not', async () => {
    const { deps, ada } = await withAda();
    for (const name of ['Ada', 'Nobody']) {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => refusalOf(signIn(deps, wrong(name), ATTACKER))),
      );
      expect(outcomes.filter((code) => code === 'sign_in_failed')).toHaveLength(5);
      expect(outcomes.filter((code) => code === 'locked_out')).toHaveLength(3);
    }
    expect(await refusalOf(signIn(deps, { ...ada, name: ' ADA ' }, ATTACKER))).toBe('locked_out');
  });

  it('stays open for that name in other places', async () => {
    const { deps, ada } = await withAda();
    for (let n = 0; n < 6; n += 1) await refusalOf(signIn(deps, wrong('Ada'), ATTACKER));
    expect(await refusalOf(signIn(deps, ada, ATTACKER))).toBe('locked_out');
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
  });

  it('stays open where the name signed in before while it is attacked from many places', async () => {
    const { deps, ada } = await withAda();
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
    for (let place = 0; place < 30; place += 1) {
      await refusalOf(signIn(deps, wrong('Ada'), from(`198.51.100.${place}`)));
    }
    expect(await refusalOf(signIn(deps, ada, from('203.0.113.5')))).toBe('locked_out');
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
  });

  it('is locked for a place that tries many names; an IPv6 network of 64 bits is one place', async () => {
    const { deps, ada } = await withAda();
    for (let n = 0; n < 40; n += 1) {
      await refusalOf(signIn(deps, wrong(`Name ${n}`), from(`2001:db8::${(n + 1).toString(16)}`)));
    }
    expect(await refusalOf(signIn(deps, ada, from('2001:db8::ffff')))).toBe('locked_out');
    expect(await refusalOf(signIn(deps, ada, from('2001:db8:0:1::1')))).toBe('(not refused)');
  });

  it('costs a place nothing if people mistype and then succeed', async () => {
    const { deps, ada } = await withAda();
    for (let round = 0; round < 11; round += 1) {
      for (let n = 0; n < 4; n += 1) await refusalOf(signIn(deps, wrong('Ada'), OFFICE));
      expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
    }
  });

  it('is locked longer in each further round, and a successful sign-in resets it', async () => {
    const { deps, clock, ada } = await withAda();
    const fail = async () => {
      for (let n = 0; n < 5; n += 1) await refusalOf(signIn(deps, wrong('Ada'), OFFICE));
    };
    for (const minutes of [5, 10]) {
      await fail();
      clock.advance(minutes * MINUTE_MS - 1);
      expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('locked_out');
      clock.advance(1);
    }
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
    await fail();
    clock.advance(5 * MINUTE_MS);
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
  });

  it('is not locked for longer if the clock is set back', async () => {
    const { deps, clock, ada } = await withAda();
    for (let n = 0; n < 5; n += 1) await refusalOf(signIn(deps, wrong('Ada'), OFFICE));
    clock.advance(-30 * 24 * 60 * MINUTE_MS);
    const refused = await signIn(deps, ada, OFFICE).catch((error: unknown) => error as Refusal);
    expect(refused).toMatchObject({ code: 'locked_out', facts: { retryAfterS: 300 } });
  });
});

describe('a kiosk PIN', () => {
  const withPin = async () => {
    const service = await withAda();
    const { signedIn } = await signIn(service.deps, service.ada, OFFICE);
    await changePin(service.deps, signedIn, { passphrase: service.ada.passphrase, pin: '123456' });
    const check = (pin: string, kioskId = '1', operatorId: string | null = null) =>
      refusalOf(
        checkQuickPin(service.deps, { operatorId, pin, kioskId, companyId: service.company.company_id }),
      );
    return { ...service, check };
  };

  it('locks its kiosk for longer in each round of five failures until one is right, and leaves sign-in open', async () => {
    const { deps, clock, ada, check } = await withPin();
    const round = async (minutes: number) => {
      const outcomes = await Promise.all(Array.from({ length: 7 }, () => check('000000')));
      expect(outcomes.sort()).toEqual([
        ...Array<string>(2).fill('locked_out'),
        ...Array<string>(5).fill('wrong_pin'),
      ]);
      clock.advance(minutes * MINUTE_MS - 1);
      expect(await check('123456')).toBe('locked_out');
      clock.advance(1);
    };
    for (const minutes of [5, 10]) await round(minutes);
    expect(await refusalOf(signIn(deps, ada, OFFICE))).toBe('(not refused)');
    expect(await check('123456')).toBe('(not refused)');
    await round(5);
  });

  it('counts against the kiosk for any named operator, and leaves other kiosks open', async () => {
    const { check, id } = await withPin();
    for (const named of [id, null, 'nobody', id, null]) await check('000000', '1', named);
    expect(await check('123456')).toBe('locked_out');
    expect(await check('123456', '1', id)).toBe('locked_out');
    expect(await check('123456', '2')).toBe('(not refused)');
  });

  it('locks every kiosk of the company after 25 failures at any of them', async () => {
    const { check, clock } = await withPin();
    for (let n = 0; n < 25; n += 1) expect(await check('000000', `kiosk ${n % 6}`)).toBe('wrong_pin');
    expect(await check('123456', 'a seventh')).toBe('locked_out');
    clock.advance(5 * MINUTE_MS);
    expect(await check('123456', 'a seventh')).toBe('(not refused)');
  });
});
