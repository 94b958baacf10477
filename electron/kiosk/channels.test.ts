import { expect, test } from 'vitest';
import { areKioskArgumentsValid, KIOSK_CHANNELS } from './channels.ts';

const { lock, leave, release, print } = KIOSK_CHANNELS;
const proof = { operatorId: 'op_1', pin: '123456' };

test('each call accepts exactly its declared arguments', () => {
  expect(areKioskArgumentsValid(lock, [`kt_${'a'.repeat(43)}`])).toBe(true);
  expect(areKioskArgumentsValid(leave, [null])).toBe(true);
  expect(areKioskArgumentsValid(leave, [proof])).toBe(true);
  expect(areKioskArgumentsValid(release, [])).toBe(true);
  expect(areKioskArgumentsValid(print, [{ width: 90_000, height: 55_000 }])).toBe(true);
});

test.each([
  [lock, []],
  [lock, [null]],
  [lock, ['sk_live_aaaaaaaaaaaaaaaaaaaa']],
  [lock, [`kt_${'a'.repeat(43)}`, 'more']],
  [release, [`kt_${'a'.repeat(43)}`]],
  [leave, []],
  [leave, [undefined]],
  [leave, [{ ...proof, pin: '12345' }]],
  [leave, [{ ...proof, pin: 123456 }]],
  [leave, [{ ...proof, operatorId: '../x' }]],
  [leave, [{ ...proof, more: 1 }]],
  [print, []],
  [print, [{ width: 90_000 }]],
  [print, [{ width: 90_000, height: 300_001 }]],
  [print, [{ width: 90_000, height: '55000' }]],
  [print, [{ width: 90_000, height: 55_000, deviceName: 'other' }]],
])('%s refuses %j', (channel, args) => {
  expect(areKioskArgumentsValid(channel, args)).toBe(false);
});
