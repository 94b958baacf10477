/** Badges that a real kiosk page prints for the guests of tickets. */
import { expect, type Page } from '@playwright/test';
import type { DoorBadge, DoorTeam } from '../../server/contract/console/door-team.ts';
import { testOnOwnHost } from '../support/pages/hosted-page.ts';
import { openKiosk, passAs } from '../support/pages/ticket-kiosk.ts';
import {
  EVENT_NAME,
  newKiosk,
  pairDevice,
  scan,
  startButton,
  TABLET,
  type VenueKiosk,
} from '../support/pages/kiosk.ts';
import { pagesOf } from '../support/pdf.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { withOwnCompany } from '../support/service/shared-server.ts';
import { limitMs } from '../../testing/tier.ts';

const test = testOnOwnHost(() => gatehouse.baseUrl);
test.use(TABLET);
test.describe.configure({ timeout: limitMs(45_000), mode: 'serial' });

const LONG = 'Adelheid Konstantinopolitanowitsch-Vale';
const LIST = `Code;Name;Ticket;Order\nADA-1;${LONG} & <b>Co</b>;Day ticket;ORDER-7\nBEN-2;Ben Cole;Day ticket;\n`;
const MM = 72 / 25.4;

let gatehouse: Gatehouse;
let venue: VenueKiosk & { code: string };
let token: string;
test.beforeAll(async ({ gatehouse: shared }) => {
  gatehouse = await withOwnCompany(shared);
  const badge = '<h1>{name}</h1><p>{kind}</p><small>{event} · {order}</small>';
  venue = await newKiosk(gatehouse, { partition: 'test', languages: ['en'], tickets: LIST, badge });
  token = await pairDevice(gatehouse, venue.code);
});

const paper = (page: Page) => page.locator('.badge--print');
const event = () => `/events/${venue.eventId}`;
const queue = async (): Promise<readonly DoorBadge[]> =>
  (await venue.operator.ok<DoorTeam>(`${event()}/door-team?partition=test`)).badges;

/** The dialog stays open, as with a person in front of it: without a screen it closes before anybody could look. */
const holdDialog = (page: Page) =>
  page.addInitScript(() => {
    window.print = () => undefined;
  });

async function enter(page: Page, code: string, face: string): Promise<void> {
  await holdDialog(page);
  await openKiosk(page, gatehouse, token);
  await scan(page, code);
  await passAs(page, face);
  await expect(page.locator('[data-ticket="admit"]')).toBeVisible({ timeout: limitMs(7_500) });
}

test('who enters gets a badge on one page of its size, with the ticket’s words and nothing else', async ({
  page,
}) => {
  await enter(page, 'ADA-1', 'alice');
  await expect(paper(page)).toBeAttached({ timeout: limitMs(7_500) });
  await page.emulateMedia({ media: 'print' });
  await expect(paper(page)).toBeVisible();
  expect((await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').trim()).toBe(
    `${LONG} & <b>Co</b> Day ticket ${EVENT_NAME} · ORDER-7`,
  );
  const fits = await paper(page).evaluate(
    (badge) => badge.scrollHeight <= badge.clientHeight && badge.scrollWidth <= badge.clientWidth,
  );
  expect(fits).toBe(true);
  const broken = await paper(page).evaluate((badge) => {
    const text = badge.querySelector('h1')?.firstChild?.firstChild as Text;
    const words = [...text.data.matchAll(/\p{L}+/gu)].filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    });
    return words.map(([word]) => word);
  });
  expect(broken).toEqual([]);
  const pages = pagesOf(await page.pdf({ preferCSSPageSize: true }));
  expect(pages).toHaveLength(1);
  expect(pages[0]?.[0]).toBeCloseTo(90 * MM, -0.5);
  expect(pages[0]?.[1]).toBeCloseTo(55 * MM, -0.5);
  await page.emulateMedia({ media: 'screen' });
  await expect(paper(page)).toHaveCount(0);
  expect(await queue()).toMatchObject([{ kiosk: 'North door', status: 'sent', why: null }]);
});

test('a page that begins again prints nothing twice, until staff ask for it', async ({ page }) => {
  await holdDialog(page);
  await openKiosk(page, gatehouse, token);
  const [badge] = await queue();
  await venue.operator.ok(`${event()}/badges/${badge?.badge_id}/print?partition=test`, { body: {} });
  await expect(paper(page)).toBeAttached({ timeout: limitMs(7_500) });
  await expect(paper(page)).toHaveCount(1);
  await expect.poll(async () => (await queue()).map(({ status }) => status)).toEqual(['sent']);
  await page.reload();
  await expect(startButton(page)).toBeVisible({ timeout: limitMs(7_500) });
  await scan(page, 'BEN-2');
  await passAs(page, 'bob');
  // Without an order nothing is left of its separator.
  await expect(paper(page)).toHaveText(`Ben ColeDay ticket${EVENT_NAME}`, { timeout: limitMs(7_500) });
});
