/** A registry with one package on loopback, which can be told to misbehave. For tests. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import type { AssetPlaces } from '../ensure.ts';
import { bytesSha256 } from '../hash.ts';

const PACKAGE = 'fixture-models';
const VERSION = '1.2.3';
const FILE = 'page.task';

export type RegistryFixture = {
  places: Required<AssetPlaces>;
  /** Target path and bytes of the only file of the only model. */
  target: string;
  content: Buffer;
  partial: string;
  tarball: Buffer;
  /** Requests for the tarball: the Range header of each. */
  ranges: (string | undefined)[];
  /** Bytes after which the next tarball response breaks off. */
  breakAfter: number | null;
  /** Sent instead of the tarball. */
  instead: Buffer | null;
  supportsRanges: boolean;
  /** Stops listening, as without a network. */
  disconnect(): Promise<void>;
  close(): Promise<void>;
};

export type RegistryOptions = {
  /** The file in the package; random bytes by default. */
  content?: Buffer;
  /** SHA-256 of the finished file in the manifest; by default that of `content`. */
  manifestSha256?: string;
  /** Weights below this magnitude are set to 0. */
  flushBelow?: number;
};

export async function startRegistry({
  content = randomBytes(200_000),
  manifestSha256 = bytesSha256(content),
  flushBelow,
}: RegistryOptions = {}): Promise<RegistryFixture> {
  const home = await mkdtemp(join(tmpdir(), 'gatehouse-assets-'));
  const manifestDir = join(home, 'manifests');
  const cache = join(home, 'cache');
  const tarball = await packed(home, content);
  const server = createServer((request, response) => answer(fixture, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const disconnect = async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const fixture: RegistryFixture = {
    places: {
      cache,
      manifestDir,
      npmOptions: async () => ({ registry, cache: join(home, 'npm-cache'), retry: { retries: 0 } }),
    },
    target: join(cache, 'models', FILE),
    content,
    partial: join(cache, 'downloads', `${PACKAGE}_${VERSION}.tgz.partial`),
    tarball,
    ranges: [],
    breakAfter: null,
    instead: null,
    supportsRanges: true,
    disconnect,
    async close() {
      await disconnect();
      await rm(home, { recursive: true, force: true });
    },
  };
  await mkdir(manifestDir);
  await writeFile(
    join(manifestDir, 'page.json'),
    JSON.stringify({
      role: 'page-landmarks',
      version: 'fixture@1',
      file: FILE,
      sha256: manifestSha256,
      licence: 'none',
      source: {
        package: PACKAGE,
        version: VERSION,
        integrity: integrityOf(tarball),
        path: `model/${FILE}`,
        ...(flushBelow !== undefined && {
          flush: { originalSha256: bytesSha256(content), below: flushBelow },
        }),
      },
    }),
  );
  return fixture;
}

function answer(fixture: RegistryFixture, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === `/${PACKAGE}`) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(packument(fixture, request.headers.host ?? '')));
    return;
  }
  const body = fixture.instead ?? fixture.tarball;
  const { range } = request.headers;
  fixture.ranges.push(range);
  const from = fixture.supportsRanges ? Number(range?.match(/^bytes=(\d+)-$/)?.[1] ?? 0) : 0;
  if (from > 0) {
    if (from >= body.length) {
      response.writeHead(416).end();
      return;
    }
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${from}-${body.length - 1}/${body.length}`);
  }
  response.setHeader('content-length', body.length - from);
  if (fixture.breakAfter === null) {
    response.end(body.subarray(from));
    return;
  }
  const cut = body.subarray(from, from + fixture.breakAfter);
  fixture.breakAfter = null;
  response.write(cut, () => setTimeout(() => response.destroy(), 50));
}

function packument({ tarball }: RegistryFixture, host: string) {
  return {
    name: PACKAGE,
    'dist-tags': { latest: VERSION },
    versions: {
      [VERSION]: {
        name: PACKAGE,
        version: VERSION,
        dist: { tarball: `http://${host}/${PACKAGE}.tgz`, integrity: integrityOf(tarball) },
      },
    },
  };
}

async function packed(home: string, content: Buffer): Promise<Buffer> {
  const source = join(home, 'package');
  await mkdir(join(source, 'model'), { recursive: true });
  await writeFile(join(source, 'package.json'), JSON.stringify({ name: PACKAGE, version: VERSION }));
  await writeFile(join(source, 'model', FILE), content);
  const file = join(home, 'package.tgz');
  await create({ gzip: true, file, cwd: home }, ['package']);
  return readFile(file);
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
