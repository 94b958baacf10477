import { describe, expect, it } from 'vitest';
import { passphraseProblem } from './passphrase.ts';

describe('a passphrase is too weak', () => {
  it.each([
    ['short', 'tiny words', 'short'],
    ['one character again and again', 'aaaaaaaaaaaaaaaa', 'few_characters'],
    ['one piece again and again', 'abXd12abXd12abXd12', 'repeated'],
    ['a row of keys', 'qwertyuiop123456', 'guessable'],
    ['a row of keys backwards', 'poiuytrewq987654321', 'guessable'],
    ['a common word with numbers', 'Password-Password1!', 'guessable'],
    ['mostly the name', 'Ada Lovelace 1815', 'guessable'],
  ])('if it is %s', (_what, passphrase, problem) => {
    expect(passphraseProblem(passphrase, 'Ada Lovelace')).toBe(problem);
  });

  it('beyond 200 characters', () => {
    expect(passphraseProblem('lemon orbit quartz '.repeat(11), 'Ada')).toBe('long');
  });
});

it.each(['lemon orbit quartz harbour', 'kX9#pL2$vQ7!mZ', 'дом река окно песня', 'anchor-violet-meadow'])(
  '%s is strong enough',
  (passphrase) => {
    expect(passphraseProblem(passphrase, 'Ada Lovelace')).toBeNull();
  },
);
