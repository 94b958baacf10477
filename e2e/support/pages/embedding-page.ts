/**
 * A page that embeds the hosted check without our SDK. It uses the documented messages and checks their types
 * strictly: clients of the original service compare `vyc` with `"1"`.
 */
import { expect, type Locator, type Page } from '@playwright/test';

type Heard =
  | { type: 'vy:complete'; vyt: string; vyc: '1' | '0'; redirect_url: string | null }
  | { type: 'vy:close' }
  | { type: 'vy:resize'; height: number };

type Client = {
  open: (link: string, origin?: string) => void;
  dismiss: () => void;
  heard: Heard[];
  wrong: unknown[];
};

/** HTML of the page. A dismissal removes the frame, as the original client does. */
export const EMBEDDING_PAGE = `<meta name="viewport" content="width=device-width"><title>Shop</title><body><script>
  const heard = [];
  const wrong = [];
  let frame = null;
  let service = '';
  const fits = {
    'vy:complete': (data) =>
      typeof data.vyt === 'string' && data.vyt !== '' && (data.vyc === '1' || data.vyc === '0') &&
      (data.redirect_url === null || typeof data.redirect_url === 'string'),
    'vy:close': () => true,
    'vy:resize': (data) => typeof data.height === 'number' && data.height > 0,
  };
  const dismiss = () => { frame?.remove(); frame = null; };
  addEventListener('message', ({ origin, data }) => {
    if (origin !== service || !(data?.type in fits)) return;
    (fits[data.type](data) ? heard : wrong).push(data);
    if (data.type !== 'vy:resize') dismiss();
  });
  window.client = {
    heard,
    wrong,
    dismiss,
    open(link, origin = location.origin) {
      dismiss();
      const url = new URL(link);
      service = url.origin;
      url.searchParams.set('vy_embed', '1');
      url.searchParams.set('vy_origin', origin);
      frame = document.createElement('iframe');
      frame.allow = 'camera';
      frame.style.cssText = 'width:100%;height:720px;border:0';
      frame.src = url.href;
      document.body.append(frame);
    },
  };
</script>`;

/**
 * Opens a hosted link in the page's frame.
 * @param origin the claimed origin; by default its real one
 */
export const openFrame = (page: Page, link: string, origin?: string): Promise<void> =>
  page.evaluate(([url, claimed]) => (window as unknown as { client: Client }).client.open(url, claimed), [
    link,
    origin,
  ] as const);

/**
 * Presses Escape inside the frame that `inside` belongs to. The key removes the frame, and a removed frame never
 * acknowledges a key: the press may stay pending forever, so it is not awaited.
 */
export async function pressEscapeIn(page: Page, inside: Locator): Promise<void> {
  await inside.click();
  // The browser learns about the new focus after the click has returned; a key before that goes to the parent page.
  const focused = () =>
    page.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.tagName;
    });
  await expect.poll(focused).toBe('IFRAME');
  void page.keyboard.press('Escape').catch(() => undefined);
}

/** Removes the frame without telling it. */
export const dropFrame = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { client: Client }).client.dismiss());

/**
 * Every message except the heights.
 * @throws if one had a field of the wrong type
 */
export async function heardBy(page: Page): Promise<Heard[]> {
  const { heard, wrong } = await page.evaluate(() => {
    const { heard, wrong } = (window as unknown as { client: Client }).client;
    return { heard, wrong };
  });
  if (wrong.length > 0) throw new Error(`Messages of the wrong type: ${JSON.stringify(wrong)}`);
  return heard.filter(({ type }) => type !== 'vy:resize');
}

/** Every message except the heights, once whatever the frame has sent until now has arrived: its messages keep their order. */
export async function heardUntilNow(page: Page): Promise<Heard[]> {
  const last = { type: 'vy:resize', height: 0.25 };
  await page
    .frameLocator('iframe')
    .locator('html')
    .evaluate((_, message) => window.parent.postMessage(message, '*'), last);
  const all = () => page.evaluate(() => (window as unknown as { client: Client }).client.heard);
  await expect.poll(all).toContainEqual(last);
  return heardBy(page);
}
