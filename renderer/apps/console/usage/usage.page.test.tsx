import { setTimeout as sleep } from 'node:timers/promises';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { UsageToday } from '../../../../server/contract/console/usage.ts';
import { usage } from '../../../../server/contract/routes/console/usage.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

const HOUR_MS = 3_600_000;
const nowMs = Date.parse('2030-05-15T18:00:30Z');

const today: UsageToday = {
  day: '2030-05-15',
  counted: 3,
  cap: 1_000,
  version: '1',
  forecast: { per_hour: 3, by_midnight: 12, cap_reached_at: null },
  ends_at: new Date(nowMs + 6 * HOUR_MS).toISOString(),
};

const EMPTY = [
  on(usage.today, () => today),
  on(usage.days, () => ({ items: [] })),
  on(usage.parts, () => ({ items: [], rest: 0 })),
  on(usage.capChanges, () => ({ items: [], next_cursor: null })),
];

const openUsage = (options: Parameters<typeof openConsole>[2] = {}) => openConsole('/usage', EMPTY, options);

test('a panel that can’t be read is not asked for again and again', async () => {
  const broken = on(usage.parts, () => {
    throw new Refused('internal_error', 500);
  });
  const { calls } = await openConsole('/usage', [broken, ...EMPTY]);
  await screen.findByRole('button', { name: 'Change cap' });
  await sleep(300);
  expect(calls.filter(({ name }) => name === 'GET /usage/parts').length).toBeLessThan(4);
  expect(screen.queryByRole('button', { name: 'Change cap' })).not.toBeNull();
});

test('a cap below today’s use says that checks stop, and asks with another button', async () => {
  const { user } = await openUsage();
  await user.click(await screen.findByRole('button', { name: 'Change cap' }));
  const dialog = within(await screen.findByRole('dialog'));
  const cap = await dialog.findByLabelText('Checks per day');
  dialog.getByRole('button', { name: 'Change cap' });
  dialog.getByText('At least 3 characters.', { exact: false });
  await user.clear(cap);
  await user.type(cap, '0');
  expect((await dialog.findByRole('alert')).textContent).toContain('no further check starts today');
  dialog.getByRole('button', { name: 'Change cap and stop checks' });
  await user.clear(cap);
  await user.type(cap, '5');
  expect(dialog.queryByRole('alert')).toBeNull();
});

test('countdowns follow the service where the browser’s clock is 20 minutes ahead', async () => {
  await openUsage({ serverMs: nowMs - 20 * 60_000 });
  expect((await screen.findByRole('timer')).textContent).toBe('6 hr 20 min');
});

test.each([
  ['en', 'Resets in 6 hr'],
  ['de', 'Zurücksetzung in 6 Std.'],
  ['es', 'Se restablece en 6 h'],
  ['fr', 'Remise à zéro dans 6 h'],
] as const)('a countdown stands where the sentence of %s has it', async (language, sentence) => {
  localStorage.setItem('gatehouse.console.language', language);
  await openUsage({ serverMs: nowMs });
  const { parentElement } = await screen.findByRole('timer');
  expect(parentElement?.textContent.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(sentence);
});
