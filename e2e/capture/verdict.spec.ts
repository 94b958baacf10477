/** From the camera to the verdict that the organiser’s backend reads, with rendered people in the picture. */
import { expect, type Page } from '@playwright/test';
import {
  autoFollow,
  installScriptedCamera,
  type ScriptedCameraOptions,
} from '../../testing/camera/browser/browser-camera.ts';
import { renderClips, type Clips } from '../../testing/camera/clips.ts';
import { personB } from '../../testing/camera/people.ts';
import { CHECK, NIGHTLY, limitMs } from '../../testing/tier.ts';
import {
  agree,
  flowTokenOf,
  mainButton,
  returned,
  screen,
  VENUE,
  watchForeignRequests,
} from '../support/pages/hosted-page.ts';
import { attempt, confirmation, consentedRun, initialize, runOf } from '../support/run.ts';
import { type Gatehouse, startGatehouse } from '../support/service/server.ts';
import { PHONE, test } from '../support/service/shared-server.ts';
import { newCompany, newVerification } from '../support/venue.ts';

// Guests use their phones.
test.use(PHONE);

const FIRST_RENDER_MS = limitMs(60_000);
/** A capture by the page: the camera, the models, three steps, the verdict, the return. */
const CAPTURE_MS = limitMs(15_000);
const REDIRECT = { redirect_url: `${VENUE}/back?table=4`, pass_params: { order: '17' } };

/** Its own, because pictures that any check of the server has seen would be refused for that. */
let gatehouse: Gatehouse;
let a: Clips;
let b: Clips;
test.beforeAll(async ({ clips }) => {
  test.setTimeout(FIRST_RENDER_MS);
  a = clips;
  b = await renderClips(personB);
  gatehouse = await startGatehouse();
});
test.afterAll(() => gatehouse.stop());

/** A person completes the flow on the hosted page. */
async function passByPage(page: Page, person: Clips, url: string, camera: ScriptedCameraOptions = {}) {
  const foreign = await watchForeignRequests(page, gatehouse.baseUrl);
  await installScriptedCamera(page, person, camera);
  await autoFollow(page);
  await page.goto(url);
  await agree(page);
  await expect(screen(page, 'result')).toBeVisible({ timeout: CAPTURE_MS });
  await mainButton(page).click();
  const back = await returned(page);
  expect(foreign).toEqual([]);
  return back;
}

/** A run by API with one capture; returns the backend's view of it. */
async function verdictOf(key: string, person: Clips, request: Parameters<typeof consentedRun>[2] = {}) {
  const run = await consentedRun(gatehouse, key, request);
  const { result, findings } = await attempt(run, person);
  if (!result) throw new Error(`The capture did not settle: ${findings.join(', ')}`);
  return confirmation(gatehouse, key, result.vyt);
}

test(
  'A passes on the page, B is a different person, and A again with another id is denied as configured',
  { tag: CHECK },
  async ({ page }) => {
    test.setTimeout(3 * CAPTURE_MS);
    const company = await newCompany(gatehouse, 'Denying venue');
    const key = company.keys.sk_live;
    const verification_id = await newVerification(gatehouse, company, { skip: { window_hours: 0 } });
    const clean = { verified: true, status: 'approved', reasons: [] };

    const first = await initialize(gatehouse, key, { verification_id, external_id: 'a-1', ...REDIRECT });
    const passed = await passByPage(page, a, first.url);
    expect(passed.address.searchParams.get('table')).toBe('4');
    expect(passed.address.searchParams.get('order')).toBe('17');
    expect(passed.vyc).toBe('1');
    const seen = await confirmation(gatehouse, key, passed.vyt);
    expect(seen).toMatchObject({ ...clean, external_id: 'a-1', is_test: false });

    expect(await verdictOf(key, b, { verification_id, external_id: 'b-1' })).toMatchObject(clean);
    expect(await verdictOf(key, a, { verification_id, external_id: 'a-2' })).toMatchObject({
      verified: false,
      status: 'denied',
      reasons: ['collision_company', 'duplicate_account'],
    });
  },
);

test('if collisions are flagged, A passes again with the reasons', { tag: NIGHTLY }, async () => {
  const company = await newCompany(gatehouse, 'Flagging venue');
  const key = company.keys.sk_test;
  const config = { skip: { window_hours: 0 }, collision: { action: 'flag' } };
  const first = await verdictOf(key, a, { config, external_id: 'a-1' });
  expect(first).toMatchObject({ verified: true, status: 'approved', reasons: [], is_test: true });
  const second = await verdictOf(key, a, { config, external_id: 'a-2' });
  expect(second).toMatchObject({
    verified: true,
    status: 'approved',
    reasons: ['collision_company', 'duplicate_account'],
  });
});

test(
  'A collides within a group and its included groups, and passes in another',
  { tag: NIGHTLY },
  async () => {
    const company = await newCompany(gatehouse, 'Venue of many');
    const key = company.keys.sk_live;
    const clean = { verified: true, status: 'approved', reasons: [], groups: [] };
    expect(await verdictOf(key, a, { external_id: 'a-1', group: 'friday' })).toMatchObject(clean);
    const saturday = await verdictOf(key, a, { external_id: 'a-1', group: 'saturday' });
    expect(saturday).toMatchObject({ ...clean, group: 'saturday' });
    const included = await verdictOf(key, a, { group: 'sunday', include_groups: ['friday'] });
    expect(included).toMatchObject({
      verified: false,
      status: 'denied',
      reasons: ['collision'],
      group: 'sunday',
      groups: ['friday'],
    });
  },
);

test('within the skip window the same person gets the same pass again', { tag: NIGHTLY }, async () => {
  const { keys } = await newCompany(gatehouse, 'Venue with a queue');
  const first = await verdictOf(keys.sk_live, a, { external_id: 'a-1' });
  const again = await verdictOf(keys.sk_live, a, { external_id: 'a-1' });
  expect(again).toEqual(first);
});

test(
  'a still held up to the camera never passes on the page, nor when sent directly',
  { tag: [CHECK, NIGHTLY] },
  async ({ page }) => {
    test.setTimeout(4 * CAPTURE_MS);
    const { keys } = await newCompany(gatehouse, 'Venue with a photograph');
    const { url, session_id: sessionId } = await initialize(gatehouse, keys.sk_live);
    await installScriptedCamera(page, a, { frozen: true });
    await autoFollow(page);
    const flowToken = flowTokenOf(page);
    await page.goto(url);
    await agree(page);
    await expect(page.locator('[data-step]')).toBeVisible({ timeout: CAPTURE_MS });
    // The page helps a person who does not manage the step; a still never does.
    await expect(page.locator('.capture__help button')).toBeVisible({ timeout: CAPTURE_MS });
    await expect(screen(page, 'capture')).toBeVisible();

    // A page that skips the guidance and sends the still anyway is rejected.
    const run = runOf(gatehouse, { sessionId, url, flowToken: await flowToken });
    await page.close();
    const sent = await attempt(run, a, { attack: 'frozen_still' });
    expect(sent).toMatchObject({ state: 'open', attempts_left: 2, result: null });
    expect(sent.findings).not.toEqual([]);
    await attempt(run, a, { attack: 'frozen_still' });
    const last = await attempt(run, a, { attack: 'frozen_still' });
    expect(last).toMatchObject({ state: 'settled', result: { verified: false, presented: 'denied' } });
    expect(await confirmation(gatehouse, keys.sk_live, last.result!.vyt)).toMatchObject({
      verified: false,
      status: 'denied',
      reasons: ['spoof_suspected'],
    });
  },
);

test('steps other than the requested ones fail, and the person may try again', { tag: NIGHTLY }, async () => {
  const { keys } = await newCompany(gatehouse, 'Venue with a muddle');
  const run = await consentedRun(gatehouse, keys.sk_live);
  const muddled = await attempt(run, a, { attack: 'other_step' });
  expect(muddled).toMatchObject({
    state: 'open',
    attempts_left: 2,
    findings: ['step_missed'],
    result: null,
  });
  expect(await attempt(run, a)).toMatchObject({ state: 'settled', result: { verified: true } });
});

test('a helper who does the steps is detected', { tag: NIGHTLY }, async () => {
  const { keys } = await newCompany(gatehouse, 'Venue with a helper');
  const run = await consentedRun(gatehouse, keys.sk_live);
  const helped = await attempt(run, a, { stepsBy: b });
  expect(helped.findings).toContain('not_one_person');
  expect(helped).toMatchObject({ state: 'open', result: null });
});
