import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../testing/service/temp-store.ts';
import { serverConfig } from './config.ts';
import { ownDataDir } from './data/lock.ts';
import { startServer } from './main.ts';

const start = (dataDir: string, consolePort: number) =>
  startServer({
    ...serverConfig({ dataDir, port: '0', consolePort: String(consolePort) }),
    // Without models the service starts anyway, and much faster.
    modelDir: path.join(dataDir, 'none'),
    pagesDir: path.join(dataDir, 'none'),
    logLevel: 'silent',
  });

it('a start that fails stops what was started: the data is free, and the next start works', async () => {
  const dataDir = tempDir();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(start(dataDir, port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  ownDataDir(dataDir).release();

  const server = await start(dataDir, 0);
  expect((await fetch(new URL('/console/api/setup', server.consoleUrl))).status).toBe(200);
  await server.close();
  await expect(fetch(server.consoleUrl)).rejects.toThrow();
  ownDataDir(dataDir).release();
});
