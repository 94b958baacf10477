import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { chromiumOptions } from '../../browsers.ts';
import { autoFollow, installScriptedCamera, playClip } from './browser-camera.ts';
import { colourClips, RED_OF } from '../capture/fixtures.ts';
import type { Clips } from '../clips.ts';

/** A page with a strict policy, like the product's; it reads the camera's colour on demand. */
const PAGE = '<!doctype html><video muted playsinline></video><p>ready</p>';
const OPEN_CAMERA = `(async () => {
  const video = document.querySelector('video');
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
  await video.play();
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  window.red = () => {
    canvas.drawImage(video, 0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data[0];
  };
  window.picture = () => {
    const whole = document.createElement('canvas');
    whole.getContext('2d').drawImage(video, 0, 0);
    return whole.toDataURL('image/jpeg');
  };
  return [video.videoWidth, video.videoHeight];
})()`;

let browser: Browser;
let server: Server;
let origin: string;
let clips: Clips;
let page: Page;

beforeAll(async () => {
  clips = await colourClips();
  server = createServer((_request, reply) => {
    reply.setHeader('content-security-policy', "default-src 'none'; connect-src 'self'");
    reply.setHeader('content-type', 'text/html');
    reply.end(PAGE);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await chromium.launch(chromiumOptions());
});
afterAll(async () => {
  await browser.close();
  await new Promise((done) => server.close(done));
});
beforeEach(async () => {
  page = await browser.newPage();
});
afterEach(() => page.close());

const showsRed = (red: number) => page.waitForFunction((want) => Math.abs(window.red() - want) < 10, red);

test('a page opens the camera, sees the idle clip, and each clip that is played', async () => {
  await installScriptedCamera(page, clips);
  await page.goto(origin);
  expect(await page.evaluate(OPEN_CAMERA)).toEqual([64, 48]);
  await showsRed(RED_OF.idle);
  const played = playClip(page, 'smile');
  await showsRed(RED_OF.smile);
  await played;
  await showsRed(RED_OF.idle);
});

test('it is listed as a camera with permission', async () => {
  await installScriptedCamera(page, clips);
  await page.goto(origin);
  const devices = await page.evaluate(async () =>
    (await navigator.mediaDevices.enumerateDevices()).map(({ kind }) => kind),
  );
  expect(devices).toEqual(['videoinput']);
  const permission = await page.evaluate(
    async () => (await navigator.permissions.query({ name: 'camera' })).state,
  );
  expect(permission).toBe('granted');
});

test('a frozen camera shows one still whatever is played', async () => {
  await installScriptedCamera(page, clips, { frozen: true });
  await page.goto(origin);
  await page.evaluate(OPEN_CAMERA);
  await page.evaluate(() => void window.__camera?.play('smile'));
  await page.waitForTimeout(300);
  await showsRed(RED_OF.idle);
});

test('no two frames share bytes, not even of a held still', async () => {
  await installScriptedCamera(page, clips, { frozen: true });
  await page.goto(origin);
  await page.evaluate(OPEN_CAMERA);
  const first = await page.evaluate('window.picture()');
  await page.waitForFunction((before) => window.picture() !== before, first);
});

test('a refused camera fails with the requested error name', async () => {
  await installScriptedCamera(page, clips, { refuse: 'NotAllowedError' });
  await page.goto(origin);
  await expect(page.evaluate(OPEN_CAMERA)).rejects.toThrow(/NotAllowedError/);
});

test('pulling the cable ends the track and leaves no device', async () => {
  await installScriptedCamera(page, clips);
  await page.goto(origin);
  await page.evaluate(OPEN_CAMERA);
  const ended = page.evaluate(
    () =>
      new Promise((done) => {
        const stream = document.querySelector('video')?.srcObject as MediaStream;
        stream.getVideoTracks()[0]!.addEventListener('ended', () => done('ended'));
        window.__camera?.unplug();
      }),
  );
  expect(await ended).toBe('ended');
  await expect(page.evaluate(OPEN_CAMERA)).rejects.toThrow(/NotFoundError/);
});

test('following plays the step that the page requests, and stops with it', async () => {
  await installScriptedCamera(page, clips);
  await autoFollow(page);
  await page.goto(origin);
  await page.evaluate(OPEN_CAMERA);
  await page.evaluate(() => document.querySelector('p')?.setAttribute('data-step', 'turn_left'));
  await showsRed(RED_OF.turn_left);
  await page.evaluate(() => document.querySelector('p')?.removeAttribute('data-step'));
  await showsRed(RED_OF.idle);
});

declare global {
  interface Window {
    red(): number;
    picture(): string;
  }
}
