import { expect, test } from 'vitest';
import { kioskOptionsOf } from './options.ts';

test('without the switch the app is no kiosk', () => {
  expect(kioskOptionsOf(['app', '--kiosk-display=2'])).toBeNull();
});

test('the screen and another machine can be named', () => {
  expect(kioskOptionsOf(['app', '--kiosk'])).toEqual({ display: null, server: null });
  expect(
    kioskOptionsOf(['app', '--kiosk', '--kiosk-display=2', '--kiosk-server=https://desk:8443/x']),
  ).toEqual({
    display: 2,
    server: 'https://desk:8443',
  });
});

test.each([
  ['--kiosk-display=0'],
  ['--kiosk-display=left'],
  ['--kiosk-server=http://desk'],
  ['--kiosk-server=desk'],
])('%s is refused with a reason', (word) => {
  expect(() => kioskOptionsOf(['app', '--kiosk', word])).toThrow(/takes/);
});
