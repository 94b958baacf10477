import { describe, expect, it } from 'vitest';
import { passphraseProblem } from './passphrase.ts';

describe('a passphrase is too weak', () => {
  it.each([
    ['short', 'tiny words', /at least 12/],
    ['one character again and again', 'aaaaaaaaaaaaaaaa', /same few characters/],
    ['one piece again and again', 'abXd12abXd12abXd12', /one short piece/],
    ['a row of keys', 'qwertyuiop123456', /row of keys/],
    ['a row of keys backwards', 'poiuytrewq987654321', /row of keys/],
    ['a common word with numbers', 'Password-Password1!', /common word/],
    ['mostly the name', 'Ada Lovelace 1815', /your name/],
  ])('when it is %s', (_what, passphrase, words) => {
    expect(passphraseProblem(passphrase, 'Ada Lovelace')).toMatch(words);
  });

  it('beyond 200 characters', () => {
    expect(passphraseProblem('lemon orbit quartz '.repeat(11), 'Ada')).toMatch(/at most 200/);
  });
});

it.each(['lemon orbit quartz harbour', 'kX9#pL2$vQ7!mZ', 'дом река окно песня', 'anchor-violet-meadow'])(
  '%s is strong enough',
  (passphrase) => {
    expect(passphraseProblem(passphrase, 'Ada Lovelace')).toBeNull();
  },
);
