import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { PaperView } from '../../../../server/contract/console/papers.ts';
import { papers } from '../../../../server/contract/routes/console/papers.ts';
import { on, openConsole } from '../console.fixture.tsx';

const view = (): PaperView => ({
  organiser: 'Venue',
  written_at: '2030-05-15T18:00:00Z',
  shown: null,
  is_changed: false,
  kept: [],
  differences: [],
  paper: {
    title: 'Record of processing activities',
    article: 'Article 30 of the GDPR',
    notice: 'Nothing in this paper makes it lawful.',
    to_answer: 'To be answered by you',
    sections: [
      {
        id: 'recipients',
        title: 'Recipients',
        rows: [
          { id: 'sms/sms.example', title: 'sms.example', lines: ['Phone numbers.'], question: null },
          { id: 'processors', title: 'Processors', lines: [], question: 'Under which contract?' },
        ],
      },
    ],
  },
});

test('a paper shows facts, marks questions, and is printed', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const { user, calls } = await openConsole('/settings/papers/record?language=de', [on(papers.read, view)]);
  await screen.findByRole('heading', { level: 1, name: 'Record of processing activities' });
  expect(calls.some(({ name }) => name === 'GET /papers/record')).toBe(true);
  screen.getByText('Nothing in this paper makes it lawful.');
  const section = within(screen.getByRole('region', { name: 'Recipients' }));
  section.getByText('Phone numbers.');
  expect(section.getByText('Under which contract?', { exact: false }).textContent).toBe(
    'To be answered by you Under which contract?',
  );
  expect(screen.getByLabelText<HTMLSelectElement>('Language of the paper').value).toBe('de');
  await user.click(screen.getByRole('button', { name: 'Print or save as PDF' }));
  expect(print).toHaveBeenCalledOnce();
});

test('a version is kept, and a later change is shown as it was and as it is', async () => {
  const kept = { kept_id: 'one', kept_at: '2030-05-14T18:00:00Z', kept_by: 'Ana' };
  const change = { section: 'Data', title: 'Pictures', was: ['After 30 days.'], is: ['After 5 days.'] };
  let now = view();
  const { user, calls } = await openConsole('/settings/papers/record', [
    on(papers.read, () => now),
    on(papers.keep, () => {
      now = { ...view(), kept: [kept], is_changed: true, differences: [change] };
      return kept;
    }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Keep this version' }));
  const changes = within(await screen.findByRole('region', { name: 'Changes' }));
  await changes.findByText(/Changed since the version kept by Ana:/);
  changes.getByText('After 30 days.');
  changes.getByText('After 5 days.');
  expect(calls.filter(({ name }) => name === 'POST /papers/keep')).toHaveLength(1);
  await user.selectOptions(changes.getByLabelText('Version'), 'one');
  expect(window.location.search).toContain('version=one');
});
