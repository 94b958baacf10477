/** Debian's Firefox over WebDriver BiDi, with a window on a separate screen, because without one it has no WebGL. */
import puppeteer, { type ElementHandle, type Frame, type Page } from 'puppeteer-core';
import { replaceCamera } from '../../../testing/camera/browser/browser-script.ts';
import {
  cameraSetup,
  followInstructions,
  FRAMES_PATH,
} from '../../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../../testing/camera/clips.ts';
import { LIVENESS_STEPS } from '../../../server/contract/flow.ts';
import { openDisplay } from '../../../testing/display.ts';
import { findFirefox } from '../../../testing/browsers.ts';
import { findVisible, type OtherBrowser, type Place, type Tab, type Target } from './tab.ts';

export async function openFirefox(): Promise<OtherBrowser> {
  const executablePath = findFirefox();
  if (executablePath === undefined) throw new Error('Firefox is not installed.');
  const display = await openDisplay();
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: false,
      env: { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: '1' },
      extraPrefsFirefox: {
        'webgl.force-enabled': true,
        'intl.accept_languages': 'en',
        // Disables the browser's own network calls.
        'network.captive-portal-service.enabled': false,
        'network.connectivity-service.enabled': false,
      },
    });
    const page = await browser.newPage();
    return {
      tab: tabOf(page),
      standBefore: (person) => standBefore(page, person),
      async close() {
        await browser.close();
        await display.close();
      },
    };
  } catch (error) {
    await display.close();
    throw error;
  }
}

async function standBefore(page: Page, person: Clips): Promise<void> {
  const { setup, frames } = cameraSetup(person);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== FRAMES_PATH) return void request.continue();
    void request.respond({ status: 200, contentType: 'application/octet-stream', body: frames });
  });
  await page.evaluateOnNewDocument(replaceCamera, setup);
  await page.evaluateOnNewDocument(followInstructions, [...LIVENESS_STEPS]);
}

function placeOf(frame: Frame): Place {
  const find = async (target: Target): Promise<ElementHandle | null> =>
    (await frame.evaluateHandle(findVisible, target)).asElement() as ElementHandle | null;
  const element = async (target: Target): Promise<ElementHandle> => {
    const found = await find(target);
    if (found === null) throw new Error(`Not shown: ${JSON.stringify(target)}`);
    return found;
  };
  return {
    async evaluate<A extends unknown[], R>(action: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const value: unknown = await frame.evaluate(action as (...values: unknown[]) => unknown, ...args);
      return value as Awaited<R>;
    },
    isShown: async (target) => (await find(target)) !== null,
    click: async (target) => (await element(target)).click(),
    type: async (target, text) => (await element(target)).type(text),
  };
}

const tabOf = (page: Page): Tab => ({
  ...placeOf(page.mainFrame()),
  async goto(url) {
    await page.goto(url);
  },
  async frame(part) {
    const found = page.frames().find((frame) => frame.url().includes(part));
    if (found === undefined) throw new Error(`No frame ${part}`);
    return placeOf(found);
  },
  setSize: (width, height) => page.setViewport({ width, height }),
  async screenshot(path) {
    await page.screenshot({ path });
  },
});
