import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appPaths } from './app-paths.ts';

const ENV = { GATEHOUSE_SERVER_NODE: '/opt/node' };

let resourcesPath: string;
beforeEach(() => (resourcesPath = mkdtempSync(path.join(tmpdir(), 'gatehouse-paths-'))));
afterEach(() => rmSync(resourcesPath, { recursive: true }));

const packaged = () =>
  appPaths({ isPackaged: true, appPath: path.join(resourcesPath, 'app.asar'), resourcesPath }, ENV);

it('a checkout runs its server in the Node.js named in GATEHOUSE_SERVER_NODE', () => {
  const paths = appPaths({ isPackaged: false, appPath: '/checkout', resourcesPath }, ENV);
  expect(paths).toMatchObject({ serverNode: '/opt/node', serverEntry: '/checkout/dist/server/embedded.js' });
});

it('the app’s server never waits for a load balancer when it stops', () => {
  const checkout = appPaths({ isPackaged: false, appPath: '/checkout', resourcesPath }, ENV);
  for (const { serverEnv } of [checkout, packaged()])
    expect(serverEnv).toMatchObject({ GATEHOUSE_DRAIN_SECONDS: '0' });
});

it('an installed app runs no program named in its environment', () => {
  expect(packaged().serverNode).toBeUndefined();
});

it('an installed app runs its server in the bundled Node.js', () => {
  const node = path.join(resourcesPath, 'node/node');
  mkdirSync(path.dirname(node));
  writeFileSync(node, '');
  expect(packaged().serverNode).toBe(node);
});

it('an installed app has the preload inside its archive, and the server outside', () => {
  const { preload, serverEntry } = packaged();
  expect(preload).toBe(path.join(resourcesPath, 'app.asar/dist/electron/preload-console.cjs'));
  expect(serverEntry).toBe(path.join(resourcesPath, 'app.asar.unpacked/dist/server/embedded.js'));
});
