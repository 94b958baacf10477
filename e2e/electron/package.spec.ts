/** The package that an operator installs, inspected and started. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from '@playwright/test';
import { onReadyLine, type ServerAddresses } from '../../electron/service/ready-line.ts';
import { complaints } from '../../scripts/packaging/contents.ts';
import { packedFiles, resourceNames } from '../../scripts/packaging/packed.ts';
import { type Sbom, SBOM_FILE } from '../../scripts/packaging/sbom.ts';
import { overBudget, sizeRows } from '../../scripts/packaging/sizes.ts';
import { prerequisite } from '../support/prerequisite.ts';
import { ARGS, settings, whyNoDesktop, serversOn } from './desktop.ts';
import { type Display, openDisplay } from '../../testing/display.ts';
import { PACK_TIMEOUT_MS, packagedApp } from './packaged.ts';
import { limitMs } from '../../testing/tier.ts';

const runFile = promisify(execFile);

prerequisite(whyNoDesktop());

let unpacked: string;
test.beforeAll(async () => {
  test.setTimeout(PACK_TIMEOUT_MS);
  unpacked = await packagedApp();
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

/** The installed app refuses a camera that is not one. */
const PACKED_ARGS = ARGS.filter((word) => !word.startsWith('--use-fake'));

test.describe('refuses', () => {
  let display: Display;
  let dataDir: string;
  test.beforeAll(async () => {
    display = await openDisplay();
    dataDir = await mkdtemp(path.join(tmpdir(), 'gatehouse-package-'));
  });
  test.afterAll(async () => {
    await display.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const word of [
    '--remote-debugging-port=0',
    '--remote-debugging-pipe',
    '--inspect=0',
    '--inspect-brk',
    '--js-flags=--expose-gc',
  ]) {
    test(word, async () => {
      const env = settings(dataDir, display.name);
      const started = spawn(path.join(unpacked, 'gatehouse'), [...PACKED_ARGS, '--kiosk', word], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      started.stderr.on('data', (part: Buffer) => (said += part.toString()));
      expect(await new Promise((resolve) => started.once('exit', resolve))).toBe(1);
      expect(said).toContain(`gatehouse: ${word.split('=')[0] ?? ''} is refused`);
      expect(existsSync(path.join(dataDir, 'desktop/DevToolsActivePort'))).toBe(false);
      expect(serversOn(dataDir)).toEqual([]);
    });
  }

  test('to be a Node.js of somebody else’s', async () => {
    const env = { ...settings(dataDir, display.name), ELECTRON_RUN_AS_NODE: '1' };
    const ran = runFile(path.join(unpacked, 'gatehouse'), ['-e', 'console.log("ran")'], {
      env,
      timeout: 5_000,
      killSignal: 'SIGKILL',
    });
    const stdout = await ran.then(
      (ended) => ended.stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    expect(stdout).not.toContain('ran');
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
    const env = {
      ...settings(dataDir, display.name),
      GATEHOUSE_SERVER_NODE: '/nowhere/node',
      // Neither the app nor its server runs this.
      NODE_OPTIONS: '--require=/nowhere/module.cjs',
    };
    app = spawn(path.join(unpacked, 'gatehouse'), PACKED_ARGS, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    ended = new Promise((resolve) => app.once('exit', resolve));
  });
  test.afterAll(async () => {
    app.kill('SIGKILL');
    await display.close();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  test('shows the console of its own server, which the environment cannot change, and quits cleanly', async () => {
    // The app, its server and the models are read from the disk for the first time.
    test.setTimeout(limitMs(60_000));
    const { consoleUrl } = await new Promise<ServerAddresses>((resolve, reject) => {
      if (app.stdout) onReadyLine(app.stdout, resolve);
      void ended.then((code) => reject(new Error(`The app ended with ${code}.`)));
    });
    expect(consoleUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    // No debugger can look into the window, but its cache has the pages that it loaded.
    const cache = path.join(dataDir, 'desktop/Partitions/console/Cache/Cache_Data');
    const isShown = () =>
      existsSync(cache) &&
      readdirSync(cache)
        .map((name) => path.join(cache, name))
        .some((file) => statSync(file).isFile() && readFileSync(file).includes(`${consoleUrl}/`));
    await expect.poll(isShown, { timeout: limitMs(30_000) }).toBe(true);
    expect(serversOn(dataDir)).toHaveLength(1);
    app.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(serversOn(dataDir)).toEqual([]);
  });
});
