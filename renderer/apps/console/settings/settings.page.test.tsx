/** Decisions §8.2: what others changed is not reverted unasked. */
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Conflict } from '../../../../server/contract/console/common.ts';
import { settings } from '../../../../server/contract/routes/console/settings.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

const bounds = {
  case_frames: { min: 1, max: 90 },
  template_inactive: { min: 1, max: 3_650 },
  abandoned_run: { min: 1, max: 90 },
};
const read = { version: '1', days: { case_frames: 30, template_inactive: 365, abandoned_run: 7 }, bounds };

test('a stale form shows both values and who set the other, and keeps what it was told to', async () => {
  let saved: object = {};
  const conflict: Conflict = {
    version: '2',
    fields: [
      { field: 'case_frames', yours: 14, theirs: 21, changed_by: 'Ben', changed_at: '2030-05-15T18:00:00Z' },
    ],
  };
  const { user } = await openConsole('/settings?section=retention', [
    on(settings.retention, () => read),
    on(settings.changeRetention, (body) => {
      if (body.version !== '2') throw new Refused('changed_meanwhile', 409, { conflict });
      saved = body;
      return { ...read, version: '3', days: { ...read.days, case_frames: 14, abandoned_run: 60 } };
    }),
  ]);
  const frames = await screen.findByLabelText<HTMLInputElement>('Pictures of a case, after the decision');
  const form = within(frames.closest('form')!);
  const save = () => user.click(form.getByRole('button', { name: 'Save' }));
  await user.clear(frames);
  await user.type(frames, '14');
  await save();
  const notice = await screen.findByRole('alert', { name: 'Changed by somebody else' });
  expect(notice.textContent).toContain('Changed by Ben');
  expect(document.activeElement).toBe(form.getByRole('button', { name: 'Yours: 14' }));
  expect(frames.value).toBe('14 days');
  // Nothing is replaced unless it was chosen.
  await save();
  expect(notice.textContent).toContain('Choose yours or theirs');
  await user.click(form.getByRole('button', { name: 'Theirs: 21' }));
  expect(frames.value).toBe('21 days');
  await user.click(form.getByRole('button', { name: 'Yours: 14' }));
  await save();
  await form.findByText('Saved.');
  expect(saved).toEqual({ case_frames: 14, version: '2' });
});

test('each period says in one line what a longer one costs', async () => {
  await openConsole('/settings?section=retention', [on(settings.retention, () => read)]);
  await screen.findByText(/you must say why you need a face/);
  const costs = [...document.querySelectorAll<HTMLElement>('[data-cost]')];
  expect(costs.map(({ dataset }) => dataset['cost'])).toEqual(['pictures', 'faces', 'abandoned']);
});
