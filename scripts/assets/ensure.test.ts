import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AssetError, bytesSha256 } from './hash.ts';
import { ensureAssets } from './ensure.ts';
import type { AssetEvent } from './progress.ts';
import { onnxOf } from './testing/samples.ts';
import { startRegistry, type RegistryFixture, type RegistryOptions } from './testing/registry.ts';

describe('assets', () => {
  let registry: RegistryFixture | undefined;
  const events: AssetEvent[] = [];

  const start = async (options?: RegistryOptions) => {
    events.length = 0;
    registry = await startRegistry(options);
    return registry;
  };
  const ensure = (fixture: RegistryFixture) =>
    ensureAssets('product', (event) => events.push(event), fixture.places);

  afterEach(async () => {
    await registry?.close();
    registry = undefined;
  });

  it('fetches missing files and reports progress', async () => {
    const fixture = await start();
    await ensure(fixture);
    expect(await readFile(fixture.target)).toEqual(fixture.content);
    const downloads = events.filter((event) => event.type === 'downloading');
    expect(downloads[0]).toMatchObject({ receivedBytes: 0, totalBytes: fixture.tarball.length });
    expect(downloads.at(-1)).toMatchObject({ receivedBytes: fixture.tarball.length });
    expect(events.at(-1)).toEqual({ type: 'made', file: fixture.target });
    expect(await readdir(fixture.places.cache)).toEqual(['models']);
  });

  it('needs no network if everything is there', async () => {
    const fixture = await start();
    await ensure(fixture);
    await fixture.disconnect();
    events.length = 0;
    await ensure(fixture);
    expect(events).toEqual([]);
  });

  it('says what to do if something is missing without a network', async () => {
    const fixture = await start();
    await fixture.disconnect();
    const failure = ensure(fixture);
    await expect(failure).rejects.toThrow(AssetError);
    await expect(failure).rejects.toThrow(
      /fixture-models@1\.2\.3 cannot be fetched.*ECONNREFUSED.*network once/s,
    );
  });

  it('refuses a damaged file and fetches it again', async () => {
    const fixture = await start();
    await ensure(fixture);
    await writeFile(fixture.target, fixture.content.subarray(1));
    await ensure(fixture);
    expect(events).toContainEqual({ type: 'damaged', file: fixture.target });
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });

  it('refuses a package whose integrity differs', async () => {
    const fixture = await start();
    fixture.instead = Buffer.from(fixture.tarball.map((byte, i) => (i === 5_000 ? byte ^ 1 : byte)));
    await expect(ensure(fixture)).rejects.toThrow(/differs from the lock file/);
    await expect(readFile(fixture.target)).rejects.toThrow(/ENOENT/);
  });

  it('refuses a file that does not match its manifest', async () => {
    const fixture = await start({ manifestSha256: '0'.repeat(64) });
    await expect(ensure(fixture)).rejects.toThrow(/SHA-256 differs/);
    await expect(readFile(fixture.target)).rejects.toThrow(/ENOENT/);
  });

  it('sets the tiny weights of a model to 0 after checking the file of the package', async () => {
    const flushed = onnxOf([1, 0]);
    const fixture = await start({
      content: onnxOf([1, 1e-30]),
      manifestSha256: bytesSha256(flushed),
      flushBelow: 1e-20,
    });
    await ensure(fixture);
    expect(await readFile(fixture.target)).toEqual(flushed);
  });

  it('makes the flushed model from the original of an earlier version, without a download', async () => {
    const flushed = onnxOf([1, 0]);
    const fixture = await start({
      content: onnxOf([1, 1e-30]),
      manifestSha256: bytesSha256(flushed),
      flushBelow: 1e-20,
    });
    await mkdir(dirname(fixture.target), { recursive: true });
    await writeFile(fixture.target, fixture.content);
    await fixture.disconnect();
    await ensure(fixture);
    expect(await readFile(fixture.target)).toEqual(flushed);
    expect(events).toEqual([{ type: 'made', file: fixture.target }]);
    expect(await readdir(fixture.places.cache)).toEqual(['models']);
  });

  it('continues after a broken connection', async () => {
    const fixture = await start();
    fixture.breakAfter = 80_000;
    await ensure(fixture);
    expect(fixture.ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(events.some((event) => event.type === 'retrying')).toBe(true);
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });

  it('continues with the files of an earlier process', async () => {
    const fixture = await start();
    await mkdir(dirname(fixture.partial), { recursive: true });
    await writeFile(fixture.partial, fixture.tarball.subarray(0, 60_000));
    await ensure(fixture);
    expect(fixture.ranges).toEqual(['bytes=60000-']);
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });

  it('starts again if the registry cannot send a part', async () => {
    const fixture = await start();
    fixture.supportsRanges = false;
    await mkdir(dirname(fixture.partial), { recursive: true });
    await writeFile(fixture.partial, fixture.tarball.subarray(0, 60_000));
    await ensure(fixture);
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });

  it('starts again if the files of an earlier process are wrong', async () => {
    const fixture = await start();
    await mkdir(dirname(fixture.partial), { recursive: true });
    await writeFile(fixture.partial, Buffer.alloc(fixture.tarball.length + 10));
    await ensure(fixture);
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });

  it('lets two processes ask at the same time, and fetches once', async () => {
    const fixture = await start();
    await Promise.all([ensure(fixture), ensure(fixture)]);
    expect(fixture.ranges).toEqual([undefined]);
    expect(events).toContainEqual({ type: 'waiting' });
    expect(await readFile(fixture.target)).toEqual(fixture.content);
  });
});
