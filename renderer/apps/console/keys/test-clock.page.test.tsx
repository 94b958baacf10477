/** The clock of the test data, where its keys are. */
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { keys } from '../../../../server/contract/routes/console/keys.ts';
import { testData } from '../../../../server/contract/routes/console/people.ts';
import { on, openConsole } from '../console.fixture.tsx';

test('time passes for the test data, in its partition only, and the page says how much', async () => {
  let advanced = 0;
  const replies = [
    on(keys.list, () => ({ items: [], next_cursor: null })),
    on(testData.clock, () => ({ advanced_seconds: advanced })),
    on(testData.advance, (body) => ({ advanced_seconds: (advanced += body.advance_seconds) })),
  ];
  const { user } = await openConsole('/keys?partition=test', replies);
  await user.selectOptions(await screen.findByLabelText('Time passes'), '7 days');
  await user.click(screen.getByRole('button', { name: 'Let time pass' }));
  await screen.findByText(/^168 hours have passed/);
  await screen.findByText(/Its clock is 168 hours ahead\./);
});

test('every page of the test data says how far its clock is ahead, to staff too', async () => {
  const ahead = on(testData.clock, () => ({ advanced_seconds: 86_400 }));
  await openConsole('/account?partition=test', [ahead], { role: 'staff' });
  await screen.findByText(/Its clock is 24 hours ahead\./);
});

test('beside live keys there is no clock', async () => {
  const { calls } = await openConsole('/keys', [on(keys.list, () => ({ items: [], next_cursor: null }))]);
  await screen.findByRole('button', { name: 'Issue all six keys' });
  expect(screen.queryByLabelText('Time passes')).toBeNull();
  expect(calls.map(({ name }) => name)).not.toContain('GET /test-data/clock');
});
