/**
 * Gives a page a camera that shows the rendered head instead of a device. Import it only from browser tests, because
 * it runs in the page.
 */
import type { Page } from '@playwright/test';
import { LIVENESS_STEPS } from '../../../server/contract/flow.ts';
import {
  type CameraSetup,
  replaceCamera,
  type ScriptedCamera,
  type ScriptedDevice,
} from './browser-script.ts';
import type { Clips } from '../clips.ts';
import { CLIP_NAMES, type ClipName, FRAMES_PER_SECOND } from '../motion.ts';

export type ScriptedCameraOptions = {
  /** Shows one still for ever, whatever is played, like a photograph held up to the camera. */
  frozen?: boolean;
  /** The page's share of the light on the face, 0 (none, as for a film) to 1. */
  pageLight?: number;
  /** The phone's cameras in the browser's order. Defaults to one without a facing mode. */
  devices?: ScriptedDevice[];
  /** `getUserMedia` never settles, or the stream has no frames, until `wake`. */
  silent?: 'promise' | 'frames';
  mirrored?: boolean;
  turnedDeg?: number;
  /** `getUserMedia` fails with a DOMException of this name, as after a refused permission or without a camera. */
  refuse?: 'NotAllowedError' | 'NotFoundError' | 'NotReadableError';
};

/** Same-origin, so that the page's content security policy allows it; intercepted here, never sent to the server. */
export const FRAMES_PATH = '/__scripted-camera/frames';

const SCRIPTED: ScriptedDevice = { deviceId: 'scripted', label: 'Scripted camera' };

/** The data that `replaceCamera` needs in the page, and the bytes for `FRAMES_PATH`. */
export function cameraSetup(
  clips: Clips,
  {
    frozen = false,
    pageLight = 0,
    devices = [SCRIPTED],
    refuse,
    silent,
    mirrored = false,
    turnedDeg = 0,
  }: ScriptedCameraOptions = {},
): { setup: CameraSetup; frames: Buffer } {
  const frames = CLIP_NAMES.flatMap((clip) => clips.clips[clip].map(({ jpeg }) => ({ clip, jpeg })));
  const setup: CameraSetup = {
    framesPath: FRAMES_PATH,
    listing: frames.map(({ clip, jpeg }) => ({ clip, bytes: jpeg.length })),
    ...clips.size,
    framesPerSecond: FRAMES_PER_SECOND,
    frozen,
    pageLight,
    refuse: refuse ?? null,
    silent: silent ?? null,
    mounting: { mirrored, turnedDeg },
    devices,
  };
  return { setup, frames: Buffer.concat(frames.map(({ jpeg }) => jpeg)) };
}

/** Call before `page.goto`. The camera plays `idle` until told otherwise. */
export async function installScriptedCamera(
  page: Page,
  clips: Clips,
  options: ScriptedCameraOptions = {},
): Promise<void> {
  const { setup, frames } = cameraSetup(clips, options);
  await page.route(`**${FRAMES_PATH}`, (route) =>
    route.fulfill({ contentType: 'application/octet-stream', body: frames }),
  );
  await page.addInitScript(replaceCamera, setup);
}

/**
 * Like `installScriptedCamera`, with the frames passed in by a call, because a route would disable the browser's
 * cache.
 */
export async function installUnroutedCamera(page: Page, clips: Clips): Promise<void> {
  const { setup, frames } = cameraSetup(clips);
  await page.exposeFunction('__cameraFrames', () => frames.toString('base64'));
  await page.addInitScript((framesPath) => {
    const fetch = window.fetch.bind(window);
    const read = (window as unknown as { __cameraFrames: () => Promise<string> }).__cameraFrames;
    window.fetch = async (input, init) =>
      input === framesPath
        ? new Response(Uint8Array.from(atob(await read()), (character) => character.charCodeAt(0)))
        : fetch(input, init);
  }, FRAMES_PATH);
  await page.addInitScript(replaceCamera, setup);
}

/** Plays one clip to its end, then idles again. */
export async function playClip(page: Page, clip: ClipName): Promise<void> {
  await page.evaluate((name) => window.__camera?.play(name), clip);
}

/**
 * Follows the page's requests: plays the clip of the step in the element with `data-step`, with a human delay after
 * the instruction appears, and again while it stays. Call before `page.goto`.
 */
export async function autoFollow(page: Page): Promise<void> {
  await page.addInitScript(followInstructions, [...LIVENESS_STEPS]);
}

declare global {
  interface Window {
    __camera?: ScriptedCamera;
  }
}

/** Runs in the page as an init script, so it may use nothing outside its own function. */
export function followInstructions(steps: string[]): void {
  /** A person reads first, holds a gesture until the page requests something else, and rests before trying again. */
  const reactionMs = 350;
  const heldAtMostMs = 4_000;
  const beforeRetryMs = 700;
  const lookMs = 30;
  const pause = (lengthMs: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, lengthMs)));
  const asked = () => document.querySelector<HTMLElement>('[data-step]')?.dataset['step'] ?? '';

  void (async () => {
    for (;;) {
      const step = asked();
      if (!steps.includes(step)) {
        await pause(lookMs);
        continue;
      }
      await pause(reactionMs);
      if (asked() !== step) continue;
      const over = window.__camera?.hold(step);
      const heldSinceMs = performance.now();
      while (asked() === step && performance.now() - heldSinceMs < heldAtMostMs) await pause(lookMs);
      window.__camera?.release();
      await over;
      if (asked() === step) await pause(beforeRetryMs);
    }
  })();
}
