/**
 * Fetches an npm package's tarball by name and version from the user's registry, and accepts it only with the right
 * integrity.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import npmFetch from 'npm-registry-fetch';
import pacote from 'pacote';
import { AssetError, fileIntegrity } from './hash.ts';
import type { NpmOptions } from './npm-options.ts';
import type { OnProgress } from './progress.ts';

export type PackageRef = { package: string; version: string; integrity: string };

const ATTEMPTS = 3;
const RETRY_AFTER_MS = 1_000;

/** The registry has the package, but not with the expected content. */
class WrongContent extends AssetError {}

/**
 * Stores the tarball in `folder` and returns its path. Continues an interrupted download if the registry can send a
 * part.
 * @throws AssetError if the registry cannot be reached or sends something else
 */
export async function fetchTarball(
  ref: PackageRef,
  folder: string,
  options: NpmOptions,
  onProgress: OnProgress,
): Promise<string> {
  const name = `${ref.package}@${ref.version}`;
  const path = join(folder, `${name.replaceAll(/[^A-Za-z0-9.-]+/g, '_')}.tgz`);
  const partial = `${path}.partial`;
  await mkdir(folder, { recursive: true });
  if ((await fileIntegrity(path)) === ref.integrity) return path;
  for (let attempt = 1; ; attempt++) {
    try {
      await download(name, partial, options, onProgress);
      if ((await fileIntegrity(partial)) === ref.integrity) break;
      await rm(partial, { force: true });
      throw new WrongContent(`${name}: the registry’s file differs from the lock file (integrity); refused`);
    } catch (error) {
      if (attempt === ATTEMPTS || isFinal(error)) throw explain(name, error, options);
      onProgress({ type: 'retrying', package: name, reason: reasonOf(error) });
      await delay(RETRY_AFTER_MS);
    }
  }
  await rename(partial, path);
  return path;
}

/** Continues `partial`, or starts again if the registry sends the complete file. */
async function download(
  name: string,
  partial: string,
  options: NpmOptions,
  onProgress: OnProgress,
): Promise<void> {
  const { _resolved: url } = await pacote.manifest(name, options);
  const have = await sizeOf(partial);
  const headers = have > 0 ? { range: `bytes=${have}-` } : {};
  // Bypasses npm's own cache, which stores only complete tarballs.
  const response = await npmFetch(url, { ...options, cache: undefined, headers } as npmFetch.Options).catch(
    async (error: unknown) => {
      // Range not satisfiable: there is no more data, so the file is either complete or wrong.
      if ((error as { statusCode?: number }).statusCode === 416) return null;
      throw error;
    },
  );
  if (response === null) return;
  const resumed = response.status === 206;
  let received = resumed ? have : 0;
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const totalBytes = Number.isFinite(length) ? received + length : null;
  const report = () =>
    onProgress({ type: 'downloading', package: name, receivedBytes: received, totalBytes });
  report();
  await pipeline(
    Readable.from(response.body as AsyncIterable<Uint8Array>),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        received += chunk.length;
        report();
        yield chunk;
      }
    },
    createWriteStream(partial, { flags: resumed ? 'a' : 'w' }),
  );
  if (totalBytes !== null && received < totalBytes) throw new Error('the connection ended early');
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Retrying does not help after a valid refusal. */
function isFinal(error: unknown): boolean {
  const status = (error as { statusCode?: number }).statusCode;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function explain(name: string, error: unknown, options: NpmOptions): AssetError {
  if (error instanceof AssetError) return error;
  return new AssetError(
    `${name} cannot be fetched from ${String(options['registry'])}: ${reasonOf(error)}\n` +
      "This needs the network once. npm's settings apply: npm config set registry|proxy|https-proxy|cafile …",
    { cause: error },
  );
}
