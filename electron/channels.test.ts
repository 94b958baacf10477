import { expect, it } from 'vitest';
import { areArgumentsValid, CHANNELS } from './channels.ts';

it.each([
  [CHANNELS.status, []],
  [CHANNELS.showLogs, []],
  [CHANNELS.chooseFolder, ['backups']],
])('%s accepts %j', (channel, args) => {
  expect(areArgumentsValid(channel, args)).toBe(true);
});

it.each([
  [CHANNELS.status, [1]],
  [CHANNELS.showLogs, ['/etc']],
  [CHANNELS.chooseFolder, []],
  [CHANNELS.chooseFolder, ['anything']],
  [CHANNELS.chooseFolder, ['backups', 'more']],
  [CHANNELS.chooseFolder, [{ toString: () => 'backups' }]],
])('%s refuses %j', (channel, args) => {
  expect(areArgumentsValid(channel, args)).toBe(false);
});
