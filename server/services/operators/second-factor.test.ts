import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createOperator, resetOperator, resetOperatorFactor } from './operators.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  needsSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './second-factor.ts';
import { resumeSession } from './operator-session.ts';
import { signIn } from './sign-in.ts';

const STEP_MS = 30_000;
const HERE = { address: '192.0.2.10', device: 'test', previousToken: null };
const console_ = (isOpen: boolean) => ({ isConsoleOpen: () => isOpen });

/** Ada, an admin, with an authenticator. */
async function withFactor() {
  const { deps, clock } = await openTestService();
  const request = { name: 'Ada', role: 'admin', origin: 'cli', actor: 'cli' } as const;
  const made = await createOperator(deps, request);
  const ada = { name: 'Ada', passphrase: made.passphrase ?? '' };
  const first = await signIn(deps, ada, HERE);
  const { secret, uri } = await beginEnrolment(deps, first.signedIn, ada);
  const codeIn = (steps: number, of = secret) =>
    new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: clock.now() + steps * STEP_MS });
  const { codes } = await confirmEnrolment(deps, first.signedIn, { code: codeIn(0) });
  clock.advance(STEP_MS);
  const enter = (code?: string, from = HERE) =>
    refusalOf(signIn(deps, { ...ada, ...(code !== undefined && { code }) }, from));
  return { deps, clock, ada, first, secret, uri, codeIn, codes, enter, id: made.operator.operator_id };
}

describe('a second factor', () => {
  it('is required after the right passphrase, and nothing is granted before it', async () => {
    const { deps, enter, codeIn, ada } = await withFactor();
    expect(await enter()).toBe('code_required');
    expect(await refusalOf(signIn(deps, { ...ada, passphrase: 'wrong', code: codeIn(0) }, HERE))).toBe(
      'sign_in_failed',
    );
    const sessions = await deps.db.all('SELECT 1 FROM operator_sessions WHERE ended_at IS NULL');
    expect(sessions).toHaveLength(1);
    expect(await enter(codeIn(0))).toBe('(not refused)');
  });

  it('accepts a code once, even with concurrent uses, and no earlier one after it', async () => {
    const { enter, codeIn } = await withFactor();
    const code = codeIn(0);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => enter(code)));
    expect(outcomes.filter((one) => one === '(not refused)')).toHaveLength(1);
    expect(await enter(codeIn(-1))).toBe('wrong_code');
  });

  it('refuses the code that enrolled it, and one from two steps away', async () => {
    const { enter, codeIn } = await withFactor();
    expect(await enter(codeIn(-1))).toBe('wrong_code');
    expect(await enter(codeIn(2))).toBe('wrong_code');
    expect(await enter(codeIn(1))).toBe('(not refused)');
  });

  it('locks its codes after five wrong ones, even between passphrase sign-ins and from other addresses', async () => {
    const { clock, enter, codeIn } = await withFactor();
    const outcomes: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const from = { ...HERE, address: `198.51.100.${n}` };
      expect(await enter(undefined, from)).toBe('code_required');
      outcomes.push(await enter('000000', from));
    }
    expect(outcomes).toEqual([...Array<string>(5).fill('wrong_code'), 'locked_out', 'locked_out']);
    expect(await enter(codeIn(0))).toBe('locked_out');
    clock.advance(5 * 60_000);
    expect(await enter(codeIn(0))).toBe('(not refused)');
  });

  it('admits its operator at a locked place, for five tries, and reveals nothing else there', async () => {
    const { deps, ada, enter, codeIn } = await withFactor();
    const from = { ...HERE, address: '198.51.100.7' };
    for (let n = 0; n < 5; n += 1) await refusalOf(signIn(deps, { ...ada, passphrase: 'wrong' }, from));
    expect(await enter(undefined, from)).toBe('locked_out');
    expect(await enter('000000', from)).toBe('locked_out');
    expect(await enter(codeIn(0), from)).toBe('(not refused)');
    for (let n = 0; n < 10; n += 1)
      await refusalOf(signIn(deps, { ...ada, passphrase: 'no', code: '1' }, from));
    expect(await enter(codeIn(1), from)).toBe('locked_out');
    expect(await enter(codeIn(1))).toBe('(not refused)');
  });

  it('accepts each of ten recovery codes once, even all at once, in any notation', async () => {
    const { enter, codes } = await withFactor();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => enter(first)));
    expect(outcomes.filter((one) => one === '(not refused)')).toHaveLength(1);
    expect(await enter(second.toLowerCase().replaceAll('-', ' '))).toBe('(not refused)');
  });

  it('is set up once by two confirmations at the same time, and ends the other sessions', async () => {
    const { deps, clock, ada, first, codeIn } = await withFactor();
    const other = await signIn(deps, { ...ada, code: codeIn(0) }, HERE);
    const begun = await beginEnrolment(deps, first.signedIn, ada);
    const confirm = () =>
      refusalOf(confirmEnrolment(deps, first.signedIn, { code: codeIn(0, begun.secret) }));
    expect((await Promise.all([confirm(), confirm()])).sort()).toEqual(['(not refused)', 'enrolment_over']);
    expect(await refusalOf(resumeSession(deps, other.token, { isActivity: false }))).toBe('session_ended');
    clock.advance(STEP_MS);
    expect(await refusalOf(signIn(deps, { ...ada, code: codeIn(0) }, HERE))).toBe('wrong_code');
    expect(await refusalOf(signIn(deps, { ...ada, code: codeIn(0, begun.secret) }, HERE))).toBe(
      '(not refused)',
    );
  });

  it('is not set up by a wrong code, by a late one, or without the passphrase', async () => {
    const { deps, clock, ada, first, codeIn } = await withFactor();
    const { db } = deps;
    expect(await refusalOf(beginEnrolment(deps, first.signedIn, { passphrase: 'wrong' }))).toBe(
      'wrong_passphrase',
    );
    const { secret } = await beginEnrolment(deps, first.signedIn, ada);
    expect(await refusalOf(confirmEnrolment(deps, first.signedIn, { code: '000000' }))).toBe('wrong_code');
    clock.advance(15 * 60_000);
    const late = confirmEnrolment(deps, first.signedIn, { code: codeIn(0, secret) });
    expect(await refusalOf(late)).toBe('enrolment_over');
    const kept = await db.one<{ secret: string }>('SELECT secret FROM second_factors');
    expect(kept?.secret).not.toBe(secret);
  });

  it('is removed by its operator with the passphrase, but not by an admin while the console is open', async () => {
    const { deps, ada, first, enter } = await withFactor();
    const remove = (isOpen: boolean, passphrase = ada.passphrase) =>
      refusalOf(removeSecondFactor({ ...deps, ...console_(isOpen) }, first.signedIn, { passphrase }));
    expect(await remove(false, 'wrong')).toBe('wrong_passphrase');
    expect(await remove(true)).toBe('second_factor_kept');
    expect(await remove(false)).toBe('(not refused)');
    expect(await enter()).toBe('(not refused)');
  });

  it('is required only of admins, and only while the console is open', () => {
    const as = (role: 'staff' | 'admin') => ({ operator: { id: '1', name: 'Ada', role }, provider: null });
    expect(needsSecondFactor(console_(true), as('admin'))).toBe(true);
    expect(needsSecondFactor(console_(false), as('admin'))).toBe(false);
    expect(needsSecondFactor(console_(true), as('staff'))).toBe(false);
  });

  it('survives a new passphrase, and ends with its own reset, which ends all sessions', async () => {
    const { deps, id, ada, first, codes } = await withFactor();
    const why = { reason: 'phone lost', actor: 'cli' } as const;
    const { passphrase } = await resetOperator(deps, id, { ...why, passphrase: ada.passphrase });
    expect(passphrase).toBeNull();
    expect(await refusalOf(signIn(deps, ada, HERE))).toBe('code_required');
    const again = await signIn(deps, { ...ada, code: codes[0] }, HERE);
    expect((await resetOperatorFactor(deps, id, why)).has_second_factor).toBe(false);
    for (const { token } of [first, again])
      expect(await refusalOf(resumeSession(deps, token, { isActivity: false }))).toBe('session_ended');
    expect(await refusalOf(signIn(deps, ada, HERE))).toBe('(not refused)');
  });

  it('gives new recovery codes for the passphrase, and the old ones stop working', async () => {
    const { deps, ada, first, codes, enter } = await withFactor();
    const renewed = await renewRecoveryCodes(deps, first.signedIn, ada);
    expect(await enter(codes[0])).toBe('wrong_code');
    expect(await enter(renewed.codes[0])).toBe('(not refused)');
  });

  it('leaves no secret, code or recovery code in the audit log, and no recovery code in the database', async () => {
    const { deps, secret, uri, codes, codeIn, enter } = await withFactor();
    await enter('987654');
    await enter(codes[1]);
    await enter(codeIn(1));
    await deps.refusals.close();
    const audit = JSON.stringify(await deps.db.all('SELECT * FROM audit_entries'));
    for (const word of [secret, uri, ...codes, '987654']) expect(audit).not.toContain(word);
    const stored = await deps.db.all<{ hash: Buffer }>('SELECT code_hash AS hash FROM recovery_codes');
    for (const code of codes) expect(stored.map(({ hash }) => hash.toString())).not.toContain(code);
    expect(audit).toContain('operator.second_factor_on');
  });
});
