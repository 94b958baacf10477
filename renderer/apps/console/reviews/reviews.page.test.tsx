/** A reviewer at the queue, by keyboard, at the real service; another one decides beside them. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { REVIEW_DECISIONS, type ReviewPage, UNDO_MS } from '../../../../server/contract/console/reviews.ts';
import type { InitializeRequest } from '../../../../server/contract/v3.ts';
import { settleDueReviews } from '../../../../server/services/reviews/due.ts';
import { run } from '../../../../testing/service/runs.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

const REVIEW = { skip: { window_hours: 0 }, collision: { action: 'review' } };
/** The pictures of a browser go to a reviewer, for each person. */
const UNTRUSTED = { capture: { trust: 'review_untrusted' }, limit: { kind: 'total', max: 1 } };
const SECOND_MS = 1_000;
/** Cases of a busy evening. */
const EVENING = 14;

/** A face that has passed returns, once for each account. */
const returning = (accounts: readonly string[]): InitializeRequest[] =>
  ['passed-first', ...accounts].map((external_id) => ({ external_id, config: REVIEW }));

/** Two reviewers and the checks of one face. */
async function withChecks(checks: readonly InitializeRequest[]) {
  const service = await openService();
  for (const check of checks) {
    await run(service, 'alice', check);
    service.clock.advance(SECOND_MS);
  }
  const [ada, ben] = [await service.as('reviewer'), await service.as('reviewer')];
  const queue = async (state = 'waiting') => {
    const { items } = await ben.ok<ReviewPage>(`/reviews?partition=test&state=${state}&limit=100`);
    return items;
  };
  const benTakes = async (account: string) => {
    const [found] = (await queue()).filter(({ external_id }) => external_id === account);
    const path = `/reviews/${found!.case_id}`;
    await ben.ok(`${path}/claim?partition=test`, { method: 'POST' });
    return () => ben.ok(`${path}/release?partition=test`, { method: 'POST' });
  };
  const open = (place = '') => openConsole(`/reviews${place}?partition=test`, ada);
  return { ...service, open, queue, ben, benTakes };
}

/** The case is shown, with the keyboard's focus on its name, and its keys work. */
async function expectOpen(account: string): Promise<void> {
  const title = await screen.findByText(`Case: ${account}`);
  await screen.findByText('Same person: deny');
  await waitFor(() => expect(document.activeElement).toBe(title));
}
/** The key of a decision, of its first reason, and Enter, each once the one before has shown its effect. */
async function decide(
  user: Awaited<ReturnType<typeof openConsole>>['user'],
  decision: number,
): Promise<void> {
  await user.keyboard(String(decision));
  await screen.findByRole('group', { name: 'Reason' });
  await user.keyboard('4');
  await waitFor(() => expect(document.activeElement).toHaveProperty('checked', true));
  await user.keyboard('{Enter}');
}
const boxOf = (account: string) => screen.findByLabelText<HTMLInputElement>(`Select ${account}`);

test(
  'an evening’s 14 cases are decided by keyboard alone, with three keys a case, and no place is lost',
  {
    timeout: limitMs(30_000),
  },
  async () => {
    const accounts = Array.from({ length: EVENING }, (_none, place) => `evening-${place + 1}`);
    const { open, queue } = await withChecks(returning(accounts));
    const { user, calls } = await open();
    await screen.findByText(`${EVENING} rows`);
    await user.keyboard('c');
    for (const [place, account] of accounts.entries()) {
      await expectOpen(account);
      calls.length = 0;
      await decide(user, (place % REVIEW_DECISIONS.length) + 1);
      await waitFor(() => expect(screen.queryByText(`Case: ${account}`)).toBeNull());
      const changes = calls
        .filter(({ name }) => name.startsWith('POST'))
        .map(({ name }) => name.split('/').at(-1));
      expect(changes, 'deciding and taking the next is one call').toEqual(['decide']);
    }
    await screen.findByText('No cases to review');
    const decisions = new Map(
      (await queue('deciding')).map((item) => [item.external_id, item.pending?.decision]),
    );
    expect(accounts.map((account) => decisions.get(account))).toEqual(
      accounts.map((_account, place) => REVIEW_DECISIONS[place % REVIEW_DECISIONS.length]),
    );
  },
);

test('several cases are decided and undone together, by keyboard', async () => {
  const { open, queue } = await withChecks(returning(['together-1', 'together-2']));
  const { user } = await open();
  await boxOf('together-1');
  await user.keyboard('jx{ArrowDown}x');
  await screen.findByText('2 cases selected');
  const compared = within(screen.getByRole('list', { name: 'Faces of the selected cases' }));
  expect(compared.getAllByText('looks like passed-first')).toHaveLength(2);
  await user.keyboard('14{Enter}');
  await screen.findByText(/^2 cases: Denied: same person/);
  await screen.findByText('No cases to review');
  expect(await queue('deciding')).toHaveLength(2);
  await user.keyboard('u');
  await boxOf('together-2');
  expect(screen.queryByText(/^2 cases: Denied/)).toBeNull();
  expect(await queue()).toHaveLength(2);
});

test('a case that somebody else took is not selected when it returns; a reason over the limit is refused', async () => {
  const { open, benTakes } = await withChecks(returning(['returns-1', 'returns-2']));
  const { user } = await open();
  for (const account of ['returns-1', 'returns-2']) await user.click(await boxOf(account));
  await screen.findByText('2 cases selected');
  const release = await benTakes('returns-1');
  await screen.findByText('1 case selected');
  await release();
  await waitFor(async () => expect((await boxOf('returns-1')).disabled).toBe(false));
  expect((await boxOf('returns-1')).checked).toBe(false);

  await user.click(screen.getByRole('button', { name: 'Same person: deny' }));
  const details = screen.getByLabelText('Details (optional)');
  await user.click(details);
  await user.paste('x'.repeat(501));
  await screen.findByText('501 of 500 characters');
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Decide 1 case' });
  expect(submit.disabled).toBe(true);
  await user.keyboard('{Backspace}');
  await waitFor(() => expect(submit.disabled).toBe(false));
});

test('on a case that somebody else took meanwhile, C takes the next one', async () => {
  const { open, queue, benTakes, ben } = await withChecks(returning(['meanwhile-1', 'meanwhile-2']));
  const [first] = await queue();
  const { user } = await open(`/${first!.case_id}`);
  await screen.findByRole('button', { name: 'Take this case' });
  await benTakes('meanwhile-1');
  await screen.findByText(new RegExp(`^${ben.name} has this case`));
  await user.keyboard('c');
  await expectOpen('meanwhile-2');
});

test('a decision that a new finding overtakes leaves the page, and its case is back in the queue', async () => {
  const { open, deps, clock } = await withChecks(
    ['twin-1', 'twin-2'].map((external_id) => ({ external_id, group: 'night', config: UNTRUSTED })),
  );
  const { user } = await open();
  await boxOf('twin-2');
  await user.keyboard('c');
  await expectOpen('twin-1');
  await user.keyboard('2t');
  await user.keyboard('asked both{Enter}');
  await screen.findByText(/^twin-1: Passed: different people/);
  await expectOpen('twin-2');
  await decide(user, 2);
  await screen.findByText('No cases to review');
  clock.advance(UNDO_MS);
  await settleDueReviews(deps);
  // The first one is in by now, and resembles the second.
  await screen.findByText('twin-2');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  await user.keyboard('c');
  await expectOpen('twin-2');
  screen.getByText('This face looks like one that already passed', { exact: false });
});

test('staff read that their role does not allow the page', async () => {
  const service = await openService();
  await openConsole('/reviews', await service.as('staff'));
  await screen.findByText(/Your role does not allow this/);
  expect(screen.queryByRole('link', { name: 'Reviews' })).toBeNull();
});
