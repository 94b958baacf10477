import { expect, test } from 'vitest';
import { printerOf } from './print.ts';

test.each([
  ['the named one', ['Office', 'Labels'], 'Labels', 'Labels'],
  ['none if the named one is missing', ['Office'], 'Labels', null],
  ['the only one', ['Office'], null, 'Office'],
  ['none of several', ['Office', 'Labels'], null, null],
  ['none without a printer', [], null, null],
] as const)('a badge goes to the printer that is meant: %s', (_, names, wanted, chosen) => {
  expect(printerOf(names, wanted)).toBe(chosen);
});
