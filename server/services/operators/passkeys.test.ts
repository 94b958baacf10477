import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { softAuthenticator } from '../../../testing/service/authenticator.ts';
import { MAX_PASSKEYS } from '../../contract/console/access.ts';
import { changeOperator } from './change.ts';
import { createOperator, resetOperator } from './operators.ts';
import { resumeSession } from './operator-session.ts';
import { addPasskey, beginPasskey, readPasskeys, removePasskey, resetPasskeys } from './passkeys.ts';
import { beginPasskeySignIn, signInWithPasskey } from './passkey-sign-in.ts';
import { listOperatorRecords } from './records.ts';
import { signIn } from './sign-in.ts';

const HERE = { address: '192.0.2.10', device: 'test', previousToken: null };
const PARTY = { id: 'console.venue.local', origin: 'https://console.venue.local' };
const LOCAL = { id: 'localhost', origin: 'http://localhost:8081' };
const WHY = { reason: 'laptop lost', actor: 'cli' } as const;
const LIFE_MS = 5 * 60_000;

async function operatorWithPasskey(name = 'Ada') {
  const { deps, clock } = await openTestService();
  return { deps, clock, ...(await added(deps, name)) };
}

/** An operator, signed in, whose authenticator holds a passkey. */
async function added(deps: Awaited<ReturnType<typeof openTestService>>['deps'], name: string) {
  const request = { name, role: 'staff', origin: 'cli', actor: 'cli' } as const;
  const made = await createOperator(deps, request);
  const known = { name, passphrase: made.passphrase ?? '' };
  const { signedIn, token } = await signIn(deps, known, HERE);
  const key = softAuthenticator(PARTY.origin);
  const options = await beginPasskey(deps, signedIn, known, PARTY);
  await addPasskey(deps, signedIn, { name: 'Laptop', ...key.create(options) }, PARTY);
  const begin = () => beginPasskeySignIn(deps, HERE.address, PARTY);
  const enter = async (deviation: Parameters<typeof key.get>[1] = {}) =>
    signInWithPasskey(deps, key.get(await begin(), deviation), HERE, PARTY);
  return { id: made.operator.operator_id, known, signedIn, token, key, begin, enter };
}

describe('a passkey', () => {
  it('signs in without name, passphrase and code, and the audit log names it', async () => {
    const { deps, enter, id } = await operatorWithPasskey();
    const { token, signedIn } = await enter();
    expect(signedIn.operator.id).toBe(id);
    const resumed = await resumeSession(deps, token, { isActivity: false });
    expect(resumed.operator.name).toBe('Ada');
    const entry = await deps.db.one<{ details: string }>(
      "SELECT details FROM audit_entries WHERE action = 'operator.sign_in' ORDER BY seq DESC LIMIT 1",
    );
    const { items } = await readPasskeys(deps, { operator: signedIn.operator }, PARTY);
    expect(JSON.parse(entry?.details ?? '')).toMatchObject({ passkey_id: items[0]?.passkey_id });
    expect(items[0]).toMatchObject({ name: 'Laptop', works_at: PARTY.id });
    expect(items[0]?.last_used_at).not.toBeNull();
  });

  it('is added only after the passphrase', async () => {
    const { deps, signedIn } = await operatorWithPasskey();
    expect(await refusalOf(beginPasskey(deps, signedIn, { passphrase: 'wrong' }, PARTY))).toBe(
      'wrong_passphrase',
    );
  });

  it('answers a challenge once, within five minutes', async () => {
    const { deps, clock, key, begin } = await operatorWithPasskey();
    const options = await begin();
    const answer = key.get(options);
    await signInWithPasskey(deps, answer, HERE, PARTY);
    expect(await refusalOf(signInWithPasskey(deps, answer, HERE, PARTY))).toBe('passkey_refused');
    const late = key.get(await begin());
    clock.advance(LIFE_MS);
    expect(await refusalOf(signInWithPasskey(deps, late, HERE, PARTY))).toBe('passkey_refused');
  });

  it('admits once however many copies of its answer arrive together', async () => {
    const { deps, key, begin } = await operatorWithPasskey();
    const answer = key.get(await begin());
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => refusalOf(signInWithPasskey(deps, answer, HERE, PARTY))),
    );
    expect(outcomes.filter((one) => one === '(not refused)')).toHaveLength(1);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another name', { rpId: 'evil.example' }],
    ['a challenge that nobody made', { challenge: 'bm9ib2R5IG1hZGUgaXQ' }],
    ['no finger and no PIN', { unverified: true }],
    ['a count that went back', { counter: 1 }],
    ['somebody else’s handle', { handle: Buffer.from('0199').toString('base64url') }],
  ])('is refused with %s', async (_, deviation) => {
    const { enter } = await operatorWithPasskey();
    await enter();
    expect(await refusalOf(enter(deviation))).toBe('passkey_refused');
    expect(await refusalOf(enter({ counter: 9 }))).toBe('(not refused)');
  });

  it('is refused with a signature of another key', async () => {
    const { deps, key, begin } = await operatorWithPasskey();
    const answer = key.get(await begin());
    const other = softAuthenticator(PARTY.origin).get(await begin());
    const forged = { ...answer, signature: other.signature };
    expect(await refusalOf(signInWithPasskey(deps, forged, HERE, PARTY))).toBe('passkey_refused');
  });

  it('works only under the name that it was made for', async () => {
    const { deps, key } = await operatorWithPasskey();
    const options = await beginPasskeySignIn(deps, HERE.address, LOCAL);
    const answer = key.get(options, { origin: LOCAL.origin });
    expect(await refusalOf(signInWithPasskey(deps, answer, HERE, LOCAL))).toBe('passkey_refused');
  });

  it('is neither added nor used at an IP address', async () => {
    const { deps, signedIn, known } = await operatorWithPasskey();
    expect(await refusalOf(beginPasskey(deps, signedIn, known, null))).toBe('passkey_needs_name');
    expect(await refusalOf(beginPasskeySignIn(deps, HERE.address, null))).toBe('passkey_needs_name');
  });

  it('isn’t added for another operator, or without a finger or a PIN', async () => {
    const { deps, signedIn, known } = await operatorWithPasskey();
    const other = await added(deps, 'Grace');
    const key = softAuthenticator(PARTY.origin);
    const taken = key.create(await beginPasskey(deps, other.signedIn, other.known, PARTY));
    const add = (made: typeof taken) => refusalOf(addPasskey(deps, signedIn, { name: 'X', ...made }, PARTY));
    expect(await add(taken)).toBe('passkey_not_added');
    const options = await beginPasskey(deps, signedIn, known, PARTY);
    expect(await add(key.create(options, { unverified: true }))).toBe('passkey_not_added');
    expect((await readPasskeys(deps, signedIn, PARTY)).items).toHaveLength(1);
  });

  it('is one of at most ten', async () => {
    const { deps, signedIn, known } = await operatorWithPasskey();
    for (let n = 1; n < MAX_PASSKEYS; n += 1) {
      const options = await beginPasskey(deps, signedIn, known, PARTY);
      const made = softAuthenticator(PARTY.origin).create(options);
      await addPasskey(deps, signedIn, { name: `Key ${n}`, ...made }, PARTY);
    }
    expect(await refusalOf(beginPasskey(deps, signedIn, known, PARTY))).toBe('too_many_passkeys');
  });

  it('signs nobody in who is disabled', async () => {
    const { deps, enter, id } = await operatorWithPasskey();
    await changeOperator(deps, id, { disabled: true }, WHY);
    expect(await refusalOf(enter())).toBe('passkey_refused');
  });

  it('signs in while wrong passphrases have locked its operator’s name and place', async () => {
    const { deps, known, enter } = await operatorWithPasskey();
    for (let n = 0; n < 6; n += 1) await refusalOf(signIn(deps, { ...known, passphrase: 'wrong' }, HERE));
    expect(await refusalOf(signIn(deps, known, HERE))).toBe('locked_out');
    expect(await refusalOf(enter())).toBe('(not refused)');
  });

  it('is of no use once it is removed, by its operator, by an admin or with a new passphrase', async () => {
    const { deps, signedIn, known, enter } = await operatorWithPasskey();
    const { items } = await readPasskeys(deps, signedIn, PARTY);
    const id = items[0]?.passkey_id ?? '';
    expect(await refusalOf(removePasskey(deps, signedIn, id, { passphrase: 'wrong' }))).toBe(
      'wrong_passphrase',
    );
    await removePasskey(deps, signedIn, id, known);
    expect(await refusalOf(enter())).toBe('passkey_refused');

    const grace = await added(deps, 'Grace');
    const { token } = await grace.enter();
    await resetPasskeys(deps, grace.id, WHY);
    expect(await refusalOf(grace.enter())).toBe('passkey_refused');
    expect(await refusalOf(resumeSession(deps, token, { isActivity: false }))).toBe('session_ended');
    expect(await refusalOf(signIn(deps, grace.known, HERE))).toBe('(not refused)');

    const mary = await added(deps, 'Mary');
    await resetOperator(deps, mary.id, WHY);
    expect(await refusalOf(mary.enter())).toBe('passkey_refused');
    expect((await listOperatorRecords(deps)).map(({ passkeys }) => passkeys)).toEqual([0, 0, 0]);
  });
});

it('at most sixty sign-ins with a passkey begin at one place in ten minutes, and others stay open', async () => {
  const { deps } = await openTestService();
  const begin = (address: string) => refusalOf(beginPasskeySignIn(deps, address, PARTY));
  for (let n = 0; n < 60; n += 1) await begin(HERE.address);
  expect(await begin(HERE.address)).toBe('locked_out');
  expect(await begin('198.51.100.7')).toBe('(not refused)');
});

it('what anybody can call takes the lock of no company', async () => {
  const { deps, key } = await operatorWithPasskey();
  const locks: unknown[] = [];
  const tx: typeof deps.db.tx = (work, lock, mayWait) => {
    locks.push(lock?.companyId);
    return deps.db.tx(work, lock, mayWait);
  };
  const watched = { ...deps, db: { ...deps.db, tx } };
  const answer = key.get(await beginPasskeySignIn(watched, HERE.address, PARTY));
  const foreign = { ...answer, id: 'of-nobody' };
  expect(await refusalOf(signInWithPasskey(watched, foreign, HERE, PARTY))).toBe('passkey_refused');
  expect([...new Set(locks)]).toEqual([null]);
});

it('is not added any more once an admin has removed them all meanwhile', async () => {
  const { deps, signedIn, known, id } = await operatorWithPasskey();
  const options = await beginPasskey(deps, signedIn, known, PARTY);
  const made = softAuthenticator(PARTY.origin).create(options);
  const tx: typeof deps.db.tx = async (work, lock, mayWait) => {
    await resetPasskeys(deps, id, WHY);
    return deps.db.tx(work, lock, mayWait);
  };
  const meanwhile = { ...deps, db: { ...deps.db, tx } };
  const adding = addPasskey(meanwhile, signedIn, { name: 'Theirs', ...made }, PARTY);
  expect(await refusalOf(adding)).toBe('passkey_not_added');
  expect((await readPasskeys(deps, signedIn, PARTY)).items).toEqual([]);
});
