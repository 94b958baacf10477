/** A check in the real page with a scripted camera: what is noted of it, by one clock. */
import type { Browser, Page } from '@playwright/test';
import type { Gatehouse } from '../../e2e/support/service/server.ts';
import type { ClientMessage, ServerMessage } from '../../server/contract/capture.ts';
import { autoFollow, installScriptedCamera } from '../../testing/camera/browser/browser-camera.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import type { Database } from '../../server/store/sql/port.ts';
import { numberOption } from '../../testing/figures.ts';

export type Venue = { gatehouse: Gatehouse; database: Database; browser: Browser; clips: Clips };

export const SCREEN = { viewport: { width: 800, height: 1_280 } };

const PATIENCE_MS = 180_000;
/** The screen's share of the light on the face, in percent: an arm's length away in a bright room. */
const PAGE_LIGHT_PERCENT = 10;

const nowMs = (): number => performance.timeOrigin + performance.now();

/** Times of the events in one check, in milliseconds since 1970: the page and this process share a clock. */
export type Moments = Record<'hello' | 'firstStep' | 'lastStill' | 'verdict', number | undefined> & {
  tints: number;
  steps: number;
};

/** Before a check. */
export const NOTHING_YET: Moments = {
  hello: undefined,
  firstStep: undefined,
  lastStill: undefined,
  verdict: undefined,
  tints: 0,
  steps: 0,
};

/** Installs camera and person, and records the messages between page and server. */
export async function prepare(page: Page, clips: Clips): Promise<Moments> {
  const moments: Moments = { ...NOTHING_YET };
  page.setDefaultTimeout(PATIENCE_MS);
  await installScriptedCamera(page, clips, {
    pageLight: numberOption('page-light', PAGE_LIGHT_PERCENT) / 100,
  });
  await autoFollow(page);
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (typeof payload === 'string' && (JSON.parse(payload) as ClientMessage).type === 'hello')
        moments.hello = nowMs();
    });
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(payload.toString()) as ServerMessage;
      if (message.type === 'request' && message.ask === 'step') {
        moments.firstStep ??= nowMs();
        moments.steps += 1;
      }
      if (message.type === 'request' && message.ask === 'tint') moments.tints += 1;
      // The server sends this as soon as the last still arrives.
      if (message.type === 'checking') moments.lastStill = nowMs();
      if (message.type === 'verdict') moments.verdict = nowMs();
    });
  });
  return moments;
}

export const RETRY = '[data-screen="retry"], [data-state="retry"]';

/**
 * The next tap, and the first frame with an element in the page, in milliseconds since 1970. Taken in the page, because
 * Playwright looks for elements up to half a second apart.
 */
export function noteTimes(selector: string): Promise<[tap: number, shown: number]> {
  const now = () => performance.timeOrigin + performance.now();
  return new Promise((resolve) => {
    const onTap = () => {
      const tap = now();
      const look = () => {
        if (document.querySelector(selector)) resolve([tap, now()]);
        else requestAnimationFrame(look);
      };
      look();
    };
    document.addEventListener('pointerdown', onTap, { capture: true, once: true });
  });
}
