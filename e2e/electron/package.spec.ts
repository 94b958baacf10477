/**
 * The package that an operator installs: built by the project's own command, then inspected and started. It is rebuilt
 * if any of its inputs changed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium, expect, test } from '@playwright/test';
import { onReadyLine, type ServerAddresses } from '../../electron/service/ready-line.ts';
import { cacheDir, TEST_ELECTRON_VERSION, testElectronDir } from '../../scripts/assets/paths.ts';
import { complaints } from '../../scripts/packaging/contents.ts';
import { packedFiles, resourceNames } from '../../scripts/packaging/packed.ts';
import { type Sbom, SBOM_FILE } from '../../scripts/packaging/sbom.ts';
import { overBudget, sizeRows } from '../../scripts/packaging/sizes.ts';
import { fingerprint, SOURCES } from '../../scripts/run/built.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { ARGS, settings, whyNoDesktop, serversOn } from './desktop.ts';
import { type Display, openDisplay } from '../../testing/display.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PACK_TIMEOUT_MS = 360_000;
const runFile = promisify(execFile);

prerequisite(whyNoDesktop());

/** The inputs of the package, and the files that build it. */
const INPUTS = [...SOURCES, ...['assets', 'scripts/packaging', 'scripts/assets', 'electron-builder.yml']];
const KEPT = path.join(cacheDir(), 'package');

let unpacked: string;
test.beforeAll(async () => {
  test.setTimeout(PACK_TIMEOUT_MS);
  unpacked = path.join(KEPT, `${await fingerprint(ROOT, INPUTS)}-${TEST_ELECTRON_VERSION}`);
  if (existsSync(unpacked)) return;
  // The previous package is obsolete, and large.
  await rm(KEPT, { recursive: true, force: true });
  await mkdir(KEPT, { recursive: true });
  const output = path.join(KEPT, 'unfinished');
  await runFile(
    path.join(ROOT, 'node_modules/.bin/electron-builder'),
    [
      ...['--config', 'electron-builder.yml', '--linux', 'dir', '--publish', 'never'],
      `-c.electronDist=${testElectronDir()}`,
      `-c.electronVersion=${TEST_ELECTRON_VERSION}`,
      `-c.directories.output=${output}`,
    ],
    { cwd: ROOT },
  );
  await rename(path.join(output, 'linux-unpacked'), unpacked);
  await rm(output, { recursive: true });
});

test('contains what the app needs, nothing for other systems, nothing for developers, and is within its budget', async () => {
  const names = await resourceNames(path.join(unpacked, 'resources'));
  expect(complaints(names, { platform: 'linux', arch: 'x64' })).toEqual([]);
  expect(overBudget(sizeRows(await packedFiles(unpacked)))).toEqual([]);
});

test('contains a bill of materials that matches its models', async () => {
  const resources = path.join(unpacked, 'resources');
  const { components } = JSON.parse(readFileSync(path.join(resources, SBOM_FILE), 'utf8')) as Sbom;
  const models = components.filter(({ type }) => type === 'machine-learning-model');
  expect(models.length).toBeGreaterThan(0);
  for (const { name, hashes } of models) {
    const content = readFileSync(path.join(resources, 'models', name));
    expect([name, createHash('sha256').update(content).digest('hex')]).toEqual([name, hashes?.[0]?.content]);
  }
  expect(components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fastify', 'sharp', 'electron']),
  );
});

test('has the fuses set that keep foreign code out', async () => {
  const wire = await getCurrentFuseWire(path.join(unpacked, 'gatehouse'));
  const isOn = (fuse: FuseV1Options) => String.fromCharCode(wire[fuse] ?? 0) === '1';
  expect({
    runAsNode: isOn(FuseV1Options.RunAsNode),
    nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
    cookieEncryption: isOn(FuseV1Options.EnableCookieEncryption),
    asarIntegrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
    fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: false,
    nodeOptions: false,
    inspect: false,
    cookieEncryption: true,
    asarIntegrity: true,
    onlyAsar: true,
    fileProtocol: false,
  });
});

test.describe('started', () => {
  let display: Display;
  let dataDir: string;
  let app: ChildProcess;
  let ended: Promise<number | null>;
  test.beforeAll(async () => {
    display = await openDisplay();
    dataDir = await mkdtemp(path.join(tmpdir(), 'gatehouse-package-'));
    app = spawn(path.join(unpacked, 'gatehouse'), [...ARGS, '--remote-debugging-port=0'], {
      env: { ...settings(dataDir, display.name), GATEHOUSE_SERVER_NODE: '/nowhere/node' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    ended = new Promise((resolve) => app.once('exit', resolve));
  });
  test.afterAll(async () => {
    app.kill('SIGKILL');
    await display.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  test('shows the console of its own server, which the environment cannot change, and quits cleanly', async () => {
    // The app, its server and the models are read from the disk for the first time.
    test.setTimeout(240_000);
    const { consoleUrl } = await new Promise<ServerAddresses>((resolve, reject) => {
      if (app.stdout) onReadyLine(app.stdout, resolve);
      void ended.then((code) => reject(new Error(`The app ended with ${code}.`)));
    });
    const port = path.join(dataDir, 'desktop/DevToolsActivePort');
    await expect.poll(() => existsSync(port)).toBe(true);
    const devTools = `http://127.0.0.1:${readFileSync(port, 'utf8').split('\n')[0] ?? ''}`;
    // A driver that attaches while the window navigates never learns about the second page.
    const isShown = async () => {
      const targets = (await (await fetch(`${devTools}/json/list`)).json()) as { url: string }[];
      return targets.some(({ url }) => url.startsWith(`${consoleUrl}/`));
    };
    await expect.poll(isShown, { timeout: 120_000 }).toBe(true);
    const browser = await chromium.connectOverCDP(devTools);
    const window = browser.contexts()[0]!.pages()[0]!;
    await expect(window.getByRole('heading', { level: 1 })).toHaveText('Welcome to Gatehouse');
    await expect(window.getByLabel('Your name')).toBeVisible();
    await browser.close();

    expect(serversOn(dataDir)).toHaveLength(1);
    app.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(serversOn(dataDir)).toEqual([]);
  });
});
