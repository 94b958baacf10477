/** Debian's WebKitGTK over WebDriver. It needs only six commands of the standard, so there is no client library. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { LIVENESS_STEPS } from '../../../server/contract/flow.ts';
import {
  cameraSetup,
  followInstructions,
  FRAMES_PATH,
} from '../../../testing/camera/browser/browser-camera.ts';
import { replaceCamera } from '../../../testing/camera/browser/browser-script.ts';
import type { Clips } from '../../../testing/camera/clips.ts';
import { openDisplay } from '../../../testing/display.ts';
import { freePorts } from '../service/free-ports.ts';
import { findWebKit } from '../../../testing/browsers.ts';
import { findVisible, type OtherBrowser, type Place, type Tab, type Target } from './tab.ts';
import { limitMs } from '../../../testing/tier.ts';

const START_MS = limitMs(5_000);
/** The name under which WebDriver passes an element. */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf';

type Send = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>;

export async function openWebKit(): Promise<OtherBrowser> {
  const found = findWebKit();
  if (found === undefined) throw new Error('WebKitGTK is not installed.');
  const display = await openDisplay();
  const [port] = await freePorts(1);
  const driver = spawn(found.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display.name, LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'en_GB.UTF-8' },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => driver.once('close', () => resolve()));
  const endWithUs = () => driver.kill('SIGKILL');
  process.once('exit', endWithUs);
  const close = async () => {
    driver.kill('SIGTERM');
    await ended;
    process.off('exit', endWithUs);
    await display.close();
  };
  try {
    const send = sender(`http://127.0.0.1:${port}`);
    await listening(send);
    const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] } },
      },
    });
    const inSession: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
    const tab = tabOf(inSession);
    return {
      tab,
      standBefore: (person) => standBefore(tab, person),
      async close() {
        await inSession('DELETE', '');
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function standBefore(tab: Tab, person: Clips): Promise<void> {
  const { setup, frames } = cameraSetup(person);
  await tab.evaluate(
    (path, base64) => {
      const fetch = window.fetch.bind(window);
      window.fetch = async (input, init) =>
        input === path
          ? new Response(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))
          : fetch(input, init);
    },
    FRAMES_PATH,
    frames.toString('base64'),
  );
  await tab.evaluate(replaceCamera, setup);
  await tab.evaluate(followInstructions, [...LIVENESS_STEPS]);
}

const sender =
  (origin: string): Send =>
  async <T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const reply = await fetch(origin + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value } = (await reply.json()) as { value: T };
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(value)}`);
    return value;
  };

async function listening(send: Send): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    try {
      await send('GET', '/status');
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** @param enter switches the driver to the document first, because it handles one at a time */
function placeOf(send: Send, enter: () => Promise<void>): Place {
  const evaluate = async <A extends unknown[], R>(
    action: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => {
    await enter();
    const script = `return (${String(action)})(...arguments)`;
    return send<Awaited<R>>('POST', '/execute/sync', { script, args });
  };
  const find = async (target: Target): Promise<string | null> => {
    const found = (await evaluate(findVisible, target)) as unknown as Record<string, string> | null;
    return found?.[ELEMENT_KEY] ?? null;
  };
  const element = async (target: Target): Promise<string> => {
    const found = await find(target);
    if (found === null) throw new Error(`Not shown: ${JSON.stringify(target)}`);
    return `/element/${found}`;
  };
  return {
    evaluate,
    isShown: async (target) => (await find(target)) !== null,
    click: async (target) => send('POST', `${await element(target)}/click`, {}),
    type: async (target, text) => send('POST', `${await element(target)}/value`, { text }),
  };
}

/** Runs in the page; searches open shadow roots, where the SDK puts its frame. */
function findFrame(part: string): Element | null {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const frame = [...root.querySelectorAll('iframe')].find(({ src }) => src.includes(part));
    if (frame !== undefined) return frame;
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  }
  return null;
}

function tabOf(send: Send): Tab {
  const leaveFrames = async () => {
    await send('POST', '/frame', { id: null });
  };
  const page = placeOf(send, leaveFrames);
  return {
    ...page,
    async goto(url) {
      await leaveFrames().catch(() => undefined);
      await send('POST', '/url', { url });
    },
    async frame(part) {
      const enter = async () => {
        const id = await page.evaluate(findFrame, part);
        if (id === null) throw new Error(`No frame ${part}`);
        await send('POST', '/frame', { id });
      };
      await enter();
      return placeOf(send, enter);
    },
    async setSize(width, height) {
      await send('POST', '/window/rect', { width, height });
    },
    async screenshot(file) {
      await leaveFrames();
      await writeFile(file, Buffer.from(await send<string>('GET', '/screenshot'), 'base64'));
    },
  };
}
