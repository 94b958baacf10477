import { describe, expect, it } from 'vitest';
import { passphraseProblem } from './passphrase.ts';

const LEAKED = new Set(['sunshine12', 'butterfly', 'qazwsxedcrfv', 'mailcreated5240']);

describe('a passphrase is too weak', () => {
  it.each([
    ['short', 'tiny words', 'short'],
    ['one character again and again', 'aaaaaaaaaaaaaaaa', 'few_characters'],
    ['one piece again and again', 'abXd12abXd12abXd12', 'repeated'],
    ['a row of keys', 'qwertyuiop123456', 'guessable'],
    ['a row of keys backwards', 'poiuytrewq987654321', 'guessable'],
    ['a common word with numbers', 'Password-Password1!', 'guessable'],
    ['mostly the name', 'Ada Lovelace 1815', 'guessable'],
    ['a leaked password', 'MailCreated5240', 'leaked'],
    ['two leaked passwords with a number', 'Sunshine12-butterfly7', 'leaked'],
    ['a leaked password beside the name', 'ada-qazwsxedcrfv!', 'leaked'],
  ])('if it is %s', (_what, passphrase, problem) => {
    expect(passphraseProblem(passphrase, 'Ada Lovelace', LEAKED)).toBe(problem);
  });

  it('beyond 200 characters', () => {
    expect(passphraseProblem('lemon orbit quartz '.repeat(11), 'Ada', LEAKED)).toBe('long');
  });
});

it.each([
  'lemon orbit quartz harbour',
  'kX9#pL2$vQ7!mZ',
  'дом река окно песня',
  'anchor-violet-meadow',
  'butterfly orbit meadow',
])('%s is strong enough', (passphrase) => {
  expect(passphraseProblem(passphrase, 'Ada Lovelace', LEAKED)).toBeNull();
});
