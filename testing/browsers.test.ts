import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, findShell } from './browsers.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-browsers-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the browser without windows is found only where it is enough, and CHROMIUM_PATH decides for both', async () => {
  const [browser, shell] = ['chromium', 'chromium-headless-shell'].map((name) => path.join(folder, name));
  const env = { PATH: folder };
  for (const program of [browser, shell]) await install(program);
  expect([findChromium(env), findShell(env)]).toEqual([browser, shell]);
  const chosen = { ...env, CHROMIUM_PATH: '/opt/chrome' };
  expect([findChromium(chosen), findShell(chosen)]).toEqual(['/opt/chrome', '/opt/chrome']);
});

async function install(program = ''): Promise<void> {
  await writeFile(program, '');
  await chmod(program, 0o755);
}
