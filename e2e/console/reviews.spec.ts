/**
 * Reviews as reviewers do them: by keyboard, two at the same time, with a minute to undo; and what staff may not see.
 */
import { expect as playwrightExpect, test, type Browser, type Page } from '@playwright/test';
import { EVENT_PHOTO_CONSENT_VERSIONS } from '../../server/contract/event-consents.ts';
import type { AuditPage } from '../../server/contract/console/audit.ts';
import type { EventCreate, EventRecord } from '../../server/contract/console/events.ts';
import { UNDO_MS, type ReviewCaseDetail, type ReviewPage } from '../../server/contract/console/reviews.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personA, personB } from '../../testing/camera/people.ts';
import { expectAccessibleInBothThemes } from '../support/pages/accessible.ts';
import { testClock, type TestClock } from '../support/service/clock.ts';
import { signIn, signInPage, type Credentials, type Operator } from '../support/pages/console.ts';
import { openLiveCases, openTestCases, sendToReview } from '../support/reviews.ts';
import { attempt, openRun } from '../support/run.ts';
import { startGatehouse, type Gatehouse } from '../support/service/server.ts';
import { MARKUP } from '../support/people.ts';
import { TEST } from '../support/door.ts';
import { limitMs } from '../../testing/tier.ts';

const PREPARE_MS = limitMs(60_000);
/** Speed is not tested here: a busy machine may take its time. */
const expect = playwrightExpect.configure({ timeout: limitMs(10_000) });
const DAY_MS = 86_400_000;

let clock: TestClock;
let gatehouse: Gatehouse;
let person: Clips;
let admin: Operator;
/** Two reviewers, each in their own browser, signed in throughout. */
let desks: [Page, Page];
let deskOperators: [Credentials, Credentials];

test.describe.configure({ mode: 'serial', timeout: PREPARE_MS });
test.beforeAll(async ({ browser }) => {
  test.setTimeout(PREPARE_MS);
  clock = await testClock();
  gatehouse = await startGatehouse({ env: clock.env });
  await sendToReview(gatehouse);
  person = await renderClips(personA);
  // Without one the console's first page is the wizard.
  admin = await signIn(gatehouse, 'admin');
  const [first, second] = [await reviewer(browser), await reviewer(browser)];
  desks = [first.page, second.page];
  deskOperators = [first.operator, second.operator];
});
test.afterAll(async () => {
  for (const page of desks) await page.context().close();
  await gatehouse.stop();
  clock.remove();
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function reviewer(browser: Browser): Promise<{ page: Page; operator: Credentials }> {
  const page = await (await browser.newContext()).newPage();
  return { page, operator: await signInPage(page, gatehouse, 'reviewer', '/account') };
}

/** The case is shown, and its keys work. */
async function expectOpen(page: Page, account: string): Promise<void> {
  await expect(heading(page)).toHaveText(`Case: ${account}`);
  await expect(page.getByRole('button', { name: /Same person: deny/ })).toBeVisible();
}

async function settleAll(operator: Operator): Promise<void> {
  await clock.advance(UNDO_MS);
  await expect
    .poll(async () => (await operator.ok<ReviewPage>(`/reviews?${TEST}&state=deciding`)).items.length)
    .toBe(0);
}

test('a whole review by keyboard: claim, compare, decide, the next one, and undo', async () => {
  await openTestCases(gatehouse, 'keyboard', ['key-1', 'key-2'], { metadata: { note: MARKUP } });
  const [page] = desks;
  await page.goto(`${gatehouse.consoleUrl}/reviews?${TEST}`);
  await expect(page.getByRole('row', { name: /key-1/ })).toBeVisible();
  const press = (key: string) => page.keyboard.press(key);

  await press('c');
  await expect(heading(page)).toHaveText('Case: key-1');
  await expect(
    page.getByText('This face looks like one that already passed, with another account.'),
  ).toBeVisible();
  await expect(page.getByText('Test face “keyboard”').first()).toBeVisible();
  await expect(page.getByText(MARKUP).first()).toBeVisible();
  await press('?');
  await expect(page.getByRole('dialog')).toContainText('Select this decision');
  await press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await press('j');
  await expect(heading(page)).toHaveText('Case: key-2');
  await press('?');
  await expect(page.getByRole('dialog')).toContainText('1–6After you take it');
  await press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await press('k');
  await expectOpen(page, 'key-1');
  await press('1');
  await press('4');
  await expect(page.getByRole('radio', { name: 'Clearly the same face' })).toBeChecked();
  await press('Enter');
  await expect(heading(page)).toHaveText('Case: key-2');
  await expect(page.getByText('key-1: Denied: same person.')).toBeVisible();
  await press('u');
  await expectOpen(page, 'key-1');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();

  const changes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The page also asks now and then whether the server is there, by HEAD.
    if (!pathname.startsWith('/console/api/') || request.method() === 'GET') return;
    changes.push(pathname.split('/').at(-1) ?? '');
  });
  await press('2');
  await press('5');
  await press('t');
  await page.keyboard.type('asked both');
  await press('Enter');
  await expectOpen(page, 'key-2');
  expect(changes, 'submit and next is one call').toEqual(['decide']);
  await press('3');
  await press('t');
  await page.keyboard.type('Second ticket');
  await press('Enter');
  await expect(heading(page)).toHaveText('Reviews');
  await expect(page.getByText('No cases to review')).toBeVisible();
  // The field that had the focus left with the case.
  await expect(page.getByRole('main')).toBeFocused();

  await settleAll(admin);
  const { items } = await admin.ok<ReviewPage>(`/reviews?${TEST}&state=decided`);
  expect(items.map(({ external_id, decided }) => [external_id, decided?.decision, decided?.reason])).toEqual([
    ['key-2', 'same_person_allow', 'Second ticket'],
    ['key-1', 'different_people', 'Twins, both present: asked both'],
  ]);
  const { items: entries } = await admin.ok<AuditPage>(`/audit?subject=${items[1]!.case_id}`);
  expect(entries.map(({ action }) => action).reverse()).toEqual([
    'review.claim',
    'review.choose',
    'review.undo',
    'review.choose',
    'review.decide',
  ]);
});

test('a second opinion: asked for with the decision, hidden from the other reviewer, left to an admin', async ({
  page,
}) => {
  await openTestCases(gatehouse, 'doubt', ['doubt-1']);
  const [first, second] = desks;
  const queue = `${gatehouse.consoleUrl}/reviews?${TEST}`;
  await first.goto(queue);
  await expect(first.getByRole('row', { name: /doubt-1/ })).toBeVisible();
  await first.keyboard.press('c');
  await expectOpen(first, 'doubt-1');
  await first.keyboard.press('1');
  await first.keyboard.press('4');
  await first.keyboard.press('s');
  await expect(heading(first)).toHaveText('Reviews');
  await expect(first.getByRole('row', { name: /doubt-1/ })).toContainText('Needs a second opinion');
  await first.getByRole('row', { name: /doubt-1/ }).click();
  await expect(first.getByText('Your decision is saved.')).toBeVisible();
  await expect(first.getByRole('button', { name: 'Take it back' })).toBeVisible();

  await second.goto(queue);
  await second.getByRole('row', { name: /doubt-1/ }).click();
  await expect(second.getByText('Another reviewer has decided this case.')).toBeVisible();
  await second.keyboard.press('c');
  await expectOpen(second, 'doubt-1');
  await expect(second.getByRole('button', { name: 'Ask for a second opinion' })).toBeHidden();
  await expect(second.getByText('Clearly the same face')).toBeHidden();
  await second.keyboard.press('2');
  await second.keyboard.press('4');
  await second.keyboard.press('Enter');
  await expect(heading(second)).toHaveText('Reviews');
  await second.getByRole('row', { name: /doubt-1/ }).click();
  await expect(second.getByText('Two reviewers differ, so an admin decides.')).toBeVisible();

  await signInPage(page, gatehouse, 'admin', `/reviews?${TEST}`);
  await page.getByRole('row', { name: /doubt-1/ }).click();
  const opinions = page.getByRole('list', { name: 'Opinions' });
  await expect(opinions.getByRole('listitem')).toHaveCount(2);
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('c');
  await expectOpen(page, 'doubt-1');
  await page.keyboard.press('3');
  await page.keyboard.press('4');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Reviews');
  await settleAll(admin);
  const { items } = await admin.ok<ReviewPage>(`/reviews?${TEST}&state=decided&limit=1`);
  expect(items[0]).toMatchObject({ external_id: 'doubt-1', decided: { decision: 'same_person_allow' } });

  await page.goto(queue);
  await page.getByText('Second opinions of the last 90 days').click();
  await expect(page.getByText('1 of 1 came out differently')).toHaveCount(2);
  await expectAccessibleInBothThemes(page);
  await first.goto(queue);
  await first.getByText('Second opinions of the last 90 days').click();
  await expect(first.getByText(`${deskOperators[0].name}: 1 of 1 came out differently`)).toBeVisible();
  await expect(first.getByText('came out differently')).toHaveCount(1);
});

test('both sides show pictures of the run, and never of a person who passed', async () => {
  await openLiveCases(gatehouse, person, [
    { external_id: 'seat-1', email: 'first@example.com' },
    { external_id: 'seat-2', email: 'second@example.com', metadata: { name: 'Maximiliane von Hohenstein' } },
  ]);
  const [found] = (await admin.ok<ReviewPage>('/reviews')).items;
  const detail = await admin.ok<ReviewCaseDetail>(`/reviews/${found!.case_id}`);
  expect(detail.frames.length).toBeGreaterThan(0);
  expect(detail.suspects).toMatchObject([{ frames: [], external_ids: ['seat-1'] }]);
  expect(detail.suspects[0]!.similarity).toBeGreaterThan(detail.same_threshold!);
  const picture = await admin.api(`/reviews/${found!.case_id}/frames/0`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(picture.headers.get('cache-control')).toBe('no-store');
  expect((await admin.api(`/reviews/${found!.case_id}/frames/0?${TEST}`)).status).toBe(404);

  const [, page] = desks;
  await page.setViewportSize({ width: 1280, height: 720 });
  // Only one of the faces can be seen, so nobody decides about several at once.
  await page.goto(`${gatehouse.consoleUrl}/reviews`);
  await expect(page.getByLabel('Select seat-2')).toBeDisabled();
  await expect(page.getByText('Only cases whose faces this list shows')).toBeVisible();
  await expect(page.locator('.table svg.thumb')).toHaveCount(1);
  await expect(page.getByText('looks like seat-1')).toBeVisible();
  await page.goto(`${gatehouse.consoleUrl}/reviews/${found!.case_id}`);
  const face = page.getByRole('img', { name: 'This check: picture 1' });
  await expect(face).toBeVisible();
  await expect(page.getByText('they are deleted after a pass')).toBeVisible();
  await expect(page.getByRole('link', { name: 'An event can keep a photo of each guest' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Similarity: 0\.\d\d$/ })).toBeVisible();
  const before = (await face.getAttribute('viewBox')) ?? '';
  await page.keyboard.press('+');
  await expect(face).not.toHaveAttribute('viewBox', before);
  await page.keyboard.press('c');
  await expect(page.getByRole('button', { name: /Same person: deny/ })).toBeVisible();
  expect(await innerScrollers(page)).toEqual([]);
  await expect(page.getByText('Similarity:')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Submit and next' })).toBeInViewport();
  await expectAccessibleInBothThemes(page);
});

test('the kept photo of a guest who agreed to it appears once the reviewer has taken the case', async () => {
  const guest = await renderClips(personB);
  const { group, event_id: eventId } = await eventWithPhotos();
  for (const external_id of ['row-1', 'row-2']) {
    const run = await openRun(gatehouse, gatehouse.company.keys.sk_live, { external_id, group });
    const { photo_until } = await run.snapshot();
    const text_version = EVENT_PHOTO_CONSENT_VERSIONS.hosted;
    await run.flow('/consent', { accepted: true, text_version, language: 'en', photo_until });
    await attempt(run, guest);
  }
  const { items } = await admin.ok<ReviewPage>(`/reviews?group=${group}`);
  const caseId = items[0]!.case_id;
  const [, page] = desks;
  await page.goto(`${gatehouse.consoleUrl}/reviews/${caseId}`);
  await expect(page.getByText('Take the case to see it')).toBeVisible();
  const loaded = page.waitForResponse((response) => response.url().includes(`/reviews/${caseId}/photos/`));
  await page.keyboard.press('c');
  await expect(page.getByRole('img', { name: 'Possible match: picture 1' })).toBeVisible();
  const { ok, type, cache } = await loaded.then((response) => ({
    ok: response.ok(),
    type: response.headers()['content-type'],
    cache: response.headers()['cache-control'],
  }));
  expect({ ok, type, cache }).toEqual({ ok: true, type: 'image/jpeg', cache: 'no-store' });
  const { items: views } = await admin.ok<AuditPage>('/audit?action=review.photo');
  expect(views.map(({ subject }) => subject)).toContain(caseId);
  await admin.ok(`/events/${eventId}`, { method: 'PATCH', body: { guest_photo_days: null, reason: 'Over' } });
  await page.reload();
  await expect(page.getByText('they are deleted after a pass')).toBeVisible();
});

/** A running event that keeps photos of guests. */
async function eventWithPhotos(): Promise<EventRecord> {
  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
  return admin.ok<EventRecord>('/events', {
    body: {
      name: 'Photos',
      starts_at: at(-DAY_MS),
      ends_at: at(DAY_MS),
      guest_photo_days: 7,
    } satisfies EventCreate,
  });
}

/** Elements in the page’s content that have a scroll bar of their own. */
const innerScrollers = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowY))
      .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
      .map(({ className }) => className),
  );
