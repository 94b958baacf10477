/** Decisions §3.6: emails compared trimmed and lower-cased, phones as E.164, test ranges recognised first. */
import { describe, expect, it } from 'vitest';
import { isTestNumber, canonicalEmail, canonicalPhone, sameIdentity } from './identity.ts';

describe('an email', () => {
  it.each(['\ud800', 'a\udfff@example.com', '\u0000'])('that is not text is invalid: %j', (input) => {
    expect(canonicalEmail(input)).toBeNull();
  });

  it('is compared trimmed and lower-cased', () => {
    expect(canonicalEmail('  Ann.Lee+venue@Example.COM ')).toEqual({
      provider: 'email',
      identifier: 'ann.lee+venue@example.com',
      given: 'Ann.Lee+venue@Example.COM',
    });
  });

  it.each([
    ['punycode and its Unicode', 'user@xn--mnchen-3ya.example', 'user@münchen.example'],
    ['a domain in capitals', 'user@xn--mnchen-3ya.example', 'USER@MÜNCHEN.EXAMPLE'],
    ['a decomposed domain', 'user@xn--mnchen-3ya.example', 'user@mu\u0308nchen.example'],
    ['a full-width domain', 'user@example.com', 'user@ｅｘａｍｐｌｅ.com'],
    ['an ideographic full stop', 'user@example.com', 'user@example。com'],
    ['ß, which is not ss', 'user@xn--fa-hia.example', 'user@faß.example'],
    ['a decomposed name', 'josé@example.com', 'jose\u0301@example.com'],
    ['a decomposed name in capitals', 'josé@example.com', 'JOSE\u0301@example.com'],
    ['a zero-width space in front', 'user@example.com', '\u200buser@example.com'],
    ['a byte order mark', 'user@example.com', '\ufeffuser@example.com'],
    ['direction marks', 'user@example.com', '\u202auser@example.com\u202c'],
    ['isolates around spaces', 'user@example.com', ' \u2068 user@example.com \u2069 '],
    ['a soft hyphen', 'user@example.com', 'us\u00ader@exam\u00adple.com'],
    ['a joiner in the name', 'user@example.com', 'us\u200der@example.com'],
    ['a joiner between Latin letters of the domain', 'user@example.com', 'user@exam\u200cple.com'],
    ['a variation selector', 'user@example.com', 'user\ufe0f@example.com'],
    ['a Hangul filler', 'user@example.com', 'user\u3164@example.com'],
    ['a tag character', 'user@example.com', 'user\u{e0061}@example.com'],
    ['a joiner that makes another domain', 'user@xn--mgba3gch31f060k.example', 'user@نامه\u200cای.example'],
  ])('§3.18: %s', (_title, identifier, input) => {
    expect(canonicalEmail(input)?.identifier).toBe(identifier);
    expect(canonicalEmail(identifier)).toEqual({ provider: 'email', identifier });
  });

  it('keeps what was sent for showing, without what nobody can see', () => {
    expect(canonicalEmail('\u202e User@MÜNCHEN.example ')?.given).toBe('User@MÜNCHEN.example');
  });

  it.each([
    'ann@faß.example/x',
    'ann@exa%6dple.com',
    'ann@0x7f.1',
    'ann\n@example.com',
    'ann@exam\nple.com',
    'ann@.',
    'ann@a..example',
    '\u200b@example.com',
  ])('is not read out of something else: %j', (input) => {
    expect(canonicalEmail(input)).toBeNull();
  });

  it.each(['', ' ', 'ann', 'ann@', '@example.com', 'a@b', 'a b@example.com', 'Ann <ann@example.com>'])(
    '%j is invalid',
    (input) => {
      expect(canonicalEmail(input)).toBeNull();
    },
  );
});

describe('a phone', () => {
  it.each([
    ['+12015550123', '+12015550123'],
    [' +49 (30) 901820-0 ', '+49309018200'],
    ['+44 20 7946 0958', '+442079460958'],
    ['\u2068+49 30 901820\u2069', '+4930901820'],
    ['\u202a+49 30 901820\u202c', '+4930901820'],
    ['\u202d+49 30 901820\u202c', '+4930901820'],
    ['\u200e+49\u00a030\u00a0901820', '+4930901820'],
    ['\ufeff+4930901820', '+4930901820'],
    ['tel:+49-30-901820', '+4930901820'],
    ['TEL:+49.30.901820', '+4930901820'],
    ['\u2068tel:+4930901820\u2069', '+4930901820'],
    ['＋４９ ３０ ９０１８２０', '+4930901820'],
    ['﹢4930901820', '+4930901820'],
    ['+٤٩٣٠٩٠١٨٢٠', '+4930901820'],
    ['+۴۹۳۰۹۰۱۸۲۰', '+4930901820'],
    ['+४९३०९०१८२०', '+4930901820'],
    ['+๔๙๓๐๙๐๑๘๒๐', '+4930901820'],
    ['+\u{1d7d2}\u{1d7d7}30901820', '+4930901820'],
    ['+49‐30‑90‒18–20', '+4930901820'],
    ['+49−30—901820', '+4930901820'],
    ['+49/30/901820', '+4930901820'],
    ['+49（30）901820', '+4930901820'],
    ['+49 [30] 901820', '+4930901820'],
  ])('%s is compared as %s', (input, identifier) => {
    expect(canonicalPhone(input)).toEqual({ provider: 'phone', identifier });
  });

  it.each([
    '',
    '+',
    '2015550123',
    '0049301234',
    '+1',
    '+999123',
    'phone',
    '+1201555012x',
    '+4930',
    '++4930901820',
    '+4930901820;ext=5',
    '+4930901820 x5',
    'tel:4930901820',
    'tel:tel:+4930901820',
    '+49309018²0',
  ])('%j is invalid', (input) => {
    expect(canonicalPhone(input)).toBeNull();
  });
});

describe('contract, v2 resources: the test number ranges', () => {
  it.each(['+999010000000', '+99901123456789012', '+12105550123', '+19995550199'])(
    '%s is in one',
    (number) => {
      expect(isTestNumber(number)).toBe(true);
      expect(canonicalPhone(number)).toEqual({ provider: 'phone', identifier: number });
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
    expect(canonicalPhone('+1 (210) 555-0123')?.identifier).toBe('+12105550123');
    expect(canonicalPhone('+999 01 1234567')?.identifier).toBe('+999011234567');
    expect(canonicalPhone('\u2068tel:＋９９９ ٠١ 1234567\u2069')?.identifier).toBe('+999011234567');
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
