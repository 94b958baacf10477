import { expect, test } from 'vitest';
import { kioskArguments, kioskOptionsOf } from './options.ts';

test('without the switch the app is not a kiosk', () => {
  expect(kioskOptionsOf(['app', '--kiosk-display=2'])).toBeNull();
});

test('the screen and another machine can be named', () => {
  expect(kioskOptionsOf(['app', '--kiosk'])).toEqual({
    display: null,
    server: null,
    fingerprint: null,
    printer: null,
  });
  expect(
    kioskOptionsOf(['app', '--kiosk', '--kiosk-display=2', '--kiosk-server=https://desk:8443/x']),
  ).toEqual({
    display: 2,
    server: 'https://desk:8443',
    fingerprint: null,
    printer: null,
  });
});

test('the fingerprint is accepted as displayed, or without its colons', () => {
  const pairs = Array.from({ length: 32 }, () => 'aB');
  const of = (word: string) =>
    kioskOptionsOf(['app', '--kiosk', '--kiosk-server=https://desk:8443', `--kiosk-fingerprint=${word}`]);
  expect(of(pairs.join(':'))?.fingerprint).toBe('AB'.repeat(32));
  expect(of(pairs.join(''))?.fingerprint).toBe('AB'.repeat(32));
  expect(() => of('AB:CD')).toThrow(/takes/);
});

test.each([
  ['--kiosk-display=0'],
  ['--kiosk-display=left'],
  ['--kiosk-server=http://desk'],
  ['--kiosk-server=desk'],
  [`--kiosk-fingerprint=${'AB'.repeat(32)}`],
])('%s is refused with a reason', (word) => {
  expect(() => kioskOptionsOf(['app', '--kiosk', word])).toThrow(/takes/);
});

test.each([
  { display: null, server: null, fingerprint: null, printer: null },
  { display: 2, printer: 'Label printer', server: 'https://desk:8443', fingerprint: 'AB'.repeat(32) },
])('its switches are those of the next start: %j', (options) => {
  expect(kioskOptionsOf(kioskArguments(options))).toEqual(options);
});
