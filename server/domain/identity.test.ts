/** Decisions §3.6: emails compared trimmed and lower-cased, phones as E.164, test ranges recognised first. */
import { describe, expect, it } from 'vitest';
import { isTestNumber, normaliseEmail, normalisePhone, sameIdentity } from './identity.ts';

describe('an email', () => {
  it.each(['\ud800', 'a\udfff@example.com', '\u0000'])('that is not text is invalid: %j', (input) => {
    expect(normaliseEmail(input)).toBeNull();
  });

  it('is compared trimmed and lower-cased', () => {
    expect(normaliseEmail('  Ann.Lee+venue@Example.COM ')).toEqual({
      provider: 'email',
      identifier: 'ann.lee+venue@example.com',
    });
  });

  it.each(['', ' ', 'ann', 'ann@', '@example.com', 'a@b', 'a b@example.com', 'Ann <ann@example.com>'])(
    '%j is invalid',
    (input) => {
      expect(normaliseEmail(input)).toBeNull();
    },
  );
});

describe('a phone', () => {
  it.each([
    ['+12015550123', '+12015550123'],
    [' +49 (30) 901820-0 ', '+49309018200'],
    ['+44 20 7946 0958', '+442079460958'],
  ])('%s is compared as %s', (input, identifier) => {
    expect(normalisePhone(input)).toEqual({ provider: 'phone', identifier });
  });

  it.each(['', '+', '2015550123', '0049301234', '+1', '+999123', 'phone', '+1201555012x', '+4930'])(
    '%j is invalid',
    (input) => {
      expect(normalisePhone(input)).toBeNull();
    },
  );
});

describe('contract, v2 resources: the test number ranges', () => {
  it.each(['+999010000000', '+99901123456789012', '+12105550123', '+19995550199'])(
    '%s is in one',
    (number) => {
      expect(isTestNumber(number)).toBe(true);
      expect(normalisePhone(number)).toEqual({ provider: 'phone', identifier: number });
    },
  );

  it.each([
    ['six digits after +99901', '+99901123456'],
    ['thirteen digits after +99901', '+999011234567890123'],
    ['another global prefix', '+999021234567'],
    ['a US number that is not 555', '+12105540123'],
    ['a US number that is not 01xx', '+12105550223'],
    ['too long a US number', '+121055501234'],
    ['text around it', 'x+12105550123'],
  ])('%s is not in one', (_title, number) => {
    expect(isTestNumber(number)).toBe(false);
  });

  it('is recognised in the usual notations', () => {
    expect(normalisePhone('+1 (210) 555-0123')?.identifier).toBe('+12105550123');
    expect(normalisePhone('+999 01 1234567')?.identifier).toBe('+999011234567');
  });
});

describe('one identity', () => {
  it('is provider and identifier together', () => {
    const mail = { provider: 'email', identifier: 'x' } as const;
    expect(sameIdentity(mail, { ...mail })).toBe(true);
    expect(sameIdentity(mail, { provider: 'test', identifier: 'x' })).toBe(false);
    expect(sameIdentity(mail, { provider: 'email', identifier: 'y' })).toBe(false);
  });
});
