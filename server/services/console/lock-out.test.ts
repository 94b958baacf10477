import { describe, expect, it } from 'vitest';
import { openTestService } from '../../testing/temp-service.ts';
import { openTempStore, tempDir } from '../../testing/temp-store.ts';
import { changePin } from './account.ts';
import { ConsoleError } from './errors.ts';
import { claimAttempt, LOCK_OUT_MS, lockLeftMs, MAX_FAILURES } from './lock-out.ts';
import { createOperator } from './operators.ts';
import { checkQuickPin } from './quick-pin.ts';
import { signIn } from './sign-in.ts';

const HERE = { address: '127.0.0.1', device: 'test', previousToken: null };
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'fine';
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
    return error.code;
  }
};

describe('five failures close a name', () => {
  it('for two processes on one database together', async () => {
    const dir = tempDir();
    const [one, two] = [await openTempStore(dir), await openTempStore(dir)];
    const now = Date.UTC(2030, 0, 1);
    const claims = [];
    for (let n = 0; n < 8; n += 1)
      claims.push(await codeOf(claimAttempt(n % 2 === 0 ? one : two, 'Ada', now)));
    expect(claims.filter((code) => code === 'fine')).toHaveLength(MAX_FAILURES);
    expect(claims.slice(MAX_FAILURES)).toEqual(['locked_out', 'locked_out', 'locked_out']);
    expect(await codeOf(claimAttempt(two, ' ADA ', now + LOCK_OUT_MS - 1))).toBe('locked_out');
    expect(await codeOf(claimAttempt(two, 'ada', now + LOCK_OUT_MS))).toBe('fine');
  });

  it('and a good sign-in before that forgets them', async () => {
    const { deps } = await openTestService();
    const made = await createOperator(deps, { name: 'Ada', role: 'staff', origin: 'cli', actor: 'cli' });
    const good = { name: 'ada', passphrase: made.passphrase ?? '' };
    for (let round = 0; round < 3; round += 1) {
      for (let n = 1; n < MAX_FAILURES; n += 1) {
        expect(await codeOf(signIn(deps, { ...good, passphrase: 'wrong' }, HERE))).toBe('sign_in_failed');
      }
      expect(await codeOf(signIn(deps, good, HERE))).toBe('fine');
    }
  });
});

it('a clock set back never lengthens a lock', () => {
  expect(lockLeftMs(10 * LOCK_OUT_MS, 0)).toBe(LOCK_OUT_MS);
});

it('a PIN unlocks a kiosk, locks by itself, and leaves sign-in open', async () => {
  const { deps, clock } = await openTestService();
  const made = await createOperator(deps, { name: 'Ada', role: 'staff', origin: 'cli', actor: 'cli' });
  const passphrase = made.passphrase ?? '';
  const operatorId = made.operator.operator_id;
  const check = (pin: string) => checkQuickPin(deps, { operatorId, pin, place: 'kiosk:1' });
  expect(await codeOf(check('123456'))).toBe('wrong_pin');
  const { signedIn } = await signIn(deps, { name: 'Ada', passphrase }, HERE);
  expect(await codeOf(changePin(deps, signedIn, { passphrase: 'wrong', pin: '123456' }))).toBe(
    'wrong_passphrase',
  );
  await changePin(deps, signedIn, { passphrase, pin: '123456' });
  expect(await check('123456')).toMatchObject({ id: operatorId, role: 'staff' });
  for (let n = 0; n < MAX_FAILURES; n += 1) expect(await codeOf(check('000000'))).toBe('wrong_pin');
  expect(await codeOf(check('123456'))).toBe('locked_out');
  expect(await codeOf(signIn(deps, { name: 'Ada', passphrase }, HERE))).toBe('fine');
  clock.advance(LOCK_OUT_MS);
  expect(await codeOf(check('123456'))).toBe('fine');
});
