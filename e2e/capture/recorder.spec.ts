/** `gatehouse record` in a real browser: its own consent text, one capture without a verdict, and a code that erases it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { installScriptedCamera, autoFollow } from '../../testing/camera/browser/browser-camera.ts';
import { compiledDir } from '../../scripts/assets/paths.ts';
import { CLI } from '../support/service/command-line.ts';
import { expectAccessible } from '../support/pages/accessible.ts';
import { mainButton, screen } from '../support/pages/hosted-page.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { test } from '../support/service/shared-server.ts';
import { sqliteOnly } from '../support/sqlite-only.ts';
import { CHECK, limitMs } from '../../testing/tier.ts';

sqliteOnly('It records with the key of the data folder.');

const CAPTURE_MS = limitMs(22_500);

let gatehouse: Gatehouse;
let recorder: ChildProcess | undefined;
test.beforeAll(({ gatehouse: shared }) => {
  gatehouse = shared;
});
test.afterEach(() => {
  recorder?.kill('SIGKILL');
});

/** Starts the command beside the running service. */
async function startRecorder(...options: string[]) {
  const args = ['record', '--data-dir', gatehouse.dataDir, '--organiser', 'Blue Room', '--identity', 'p01'];
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledDir() };
  const child = spawn(process.execPath, [CLI, ...args, ...options, '--json'], { env });
  recorder = child;
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  for await (const line of createInterface(child.stderr)) {
    const url = /open (http\S+)/.exec(line)?.[1];
    if (url !== undefined) return { url, ended, output: () => output };
  }
  throw new Error('The recorder has not started.');
}

test(
  'a person agrees, is recorded without a verdict, and has the recording deleted',
  { tag: CHECK },
  async ({ page, clips }) => {
    test.setTimeout(2 * CAPTURE_MS);
    await installScriptedCamera(page, clips, { pageLight: 0.25 });
    await autoFollow(page);
    const started = await startRecorder('--label', 'light=dim');
    await page.goto(started.url);
    await expect(screen(page, 'consent')).toContainText('This recording lets nobody in.');
    await expectAccessible(page);
    await mainButton(page).click();
    const result = screen(page, 'result');
    await expect(result).toContainText('Recorded', { timeout: CAPTURE_MS });
    await expectAccessible(page);
    expect(await started.ended).toBe(0);
    const { code } = JSON.parse(started.output()) as { code: string };
    await expect(result).toContainText(code);

    const [listed, ...others] = await gatehouse.cli<object[]>(['recordings', 'list']);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ code, labels: { light: 'dim' }, consent: { language: 'en' } });
    expect(await gatehouse.cli(['recordings', 'delete', '--code', code])).toEqual({ deleted: 1 });
  },
);

test('a person who says no is not recorded', async ({ page }) => {
  const started = await startRecorder('--attack', 'print');
  await page.goto(started.url);
  await page.locator('.button--quiet').click();
  const result = screen(page, 'result');
  await expect(result).toContainText('Nothing was recorded');
  await expect(result).not.toContainText('staff');
  await expect(result.getByRole('link')).toHaveCount(0);
  expect(await started.ended).toBe(1);
  expect(await gatehouse.cli(['recordings', 'list'])).toEqual([]);
});
