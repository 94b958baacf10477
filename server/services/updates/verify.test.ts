/** Which files are accepted as an update, and which are not. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey, makeUpdate, type UpdateInput } from '../../../scripts/packaging/update.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import type { UpdateProblem } from '../../contract/console/errors.ts';
import { type Here, UpdateManifest } from '../../domain/updates/manifest.ts';
import { FILES_PREFIX, tarHeader } from './archive.ts';
import { updateKeyOf } from './keys.ts';
import { verifyUpdate } from './verify.ts';

const newKey = () => generateKeyPairSync('ed25519');
const [ours, next, strangers] = [newKey(), newKey(), newKey()];
const accepted = [updateKeyOf(ours.publicKey), updateKeyOf(next.publicKey)];
const HERE: Here = {
  product: 'gatehouse',
  version: '1.2.0',
  platform: process.platform,
  arch: process.arch,
  newest: null,
  schema: 60,
};
const LONG = `${'folder/'.repeat(18)}${'x'.repeat(90)}.js`;

const folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-update-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => {
  for (const [name, content] of [
    ['bin/gatehouse', '#!/bin/sh\n'],
    ['dist/server/cli.js', 'x'.repeat(1_500)],
    ['empty.txt', ''],
    [LONG, 'deep'],
  ] as const) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content, { mode: name.startsWith('bin') ? 0o755 : 0o644 });
  }
  // Left out, as in the package.
  symlinkSync('/etc/passwd', path.join(folder, 'link'));
});

async function made(change: Partial<UpdateInput> = {}): Promise<string> {
  const file = path.join(tempDir(), 'gatehouse.update');
  const privateKeys: KeyObject[] = [ours.privateKey];
  await makeUpdate({ folder, version: '1.3.0', minFrom: '1.0.0', schema: 60, privateKeys, ...change }, file);
  return file;
}

const problem = (of: UpdateProblem) => ({ code: 'update_refused', facts: { args: { problem: of } } });

describe('an update', () => {
  it('is accepted with all its files, also those with long paths, and says which may be executed', async () => {
    const { manifest, key } = await verifyUpdate(await made(), HERE, accepted);
    expect(key).toBe(accepted[0]?.id);
    expect(manifest.files.map(({ path: name, executable }) => [name, executable ?? false])).toEqual([
      ['bin/gatehouse', true],
      ['dist/server/cli.js', false],
      ['empty.txt', false],
      [LONG, false],
    ]);
  });

  it('signed with a key in its encrypted file, and with two, of which this version knows one', async () => {
    const file = path.join(tempDir(), 'update.key');
    const key = await makeKey(file, 'a passphrase');
    expect(readFileSync(file, 'utf8')).toContain('ENCRYPTED PRIVATE KEY');
    const privateKey = createPrivateKey({ key: readFileSync(file), passphrase: 'a passphrase' });
    const twice = await made({ privateKeys: [strangers.privateKey, privateKey] });
    expect(await verifyUpdate(twice, HERE, [key])).toMatchObject({ key: key.id });
  });

  it.each<[string, Partial<UpdateInput>, UpdateProblem, Partial<Here>?]>([
    ['with a key of somebody else', { privateKeys: [strangers.privateKey] }, 'unknown_key'],
    ['for another product', { product: 'gatepost' }, 'other_product'],
    ['for another system', { platform: 'win32' }, 'other_system'],
    ['for another processor', { arch: 'riscv64' }, 'other_system'],
    ['of the same version', { version: '1.2.0' }, 'installed'],
    ['of an older version', { version: '1.1.9' }, 'older'],
    [
      'older than the newest that was accepted, although this one is older still',
      {},
      'older',
      { newest: '1.10.0' },
    ],
    ['for an older form of the database', { schema: 59 }, 'older'],
    ['that needs a version in between', { minFrom: '1.2.1' }, 'step_too_large'],
  ])('%s is refused', async (_name, change, why, here = {}) => {
    await expect(verifyUpdate(await made(change), { ...HERE, ...here }, accepted)).rejects.toMatchObject(
      problem(why),
    );
  });

  it('that was accepted and undone may come again', async () => {
    expect(await verifyUpdate(await made(), { ...HERE, newest: '1.3.0' }, accepted)).toBeTruthy();
  });

  it('is refused by a build without keys', async () => {
    await expect(verifyUpdate(await made(), HERE, [])).rejects.toMatchObject(problem('no_keys'));
  });

  it('is refused with one byte changed, wherever it is', async () => {
    const file = await made();
    const whole = readFileSync(file);
    const bad = path.join(tempDir(), 'bad.update');
    // In the manifest, the signature, headers, contents, padding and the end.
    for (let at = 0; at < whole.length; at += 29) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(bad, changed);
      await expect
        .soft(verifyUpdate(bad, HERE, accepted), `byte ${at}`)
        .rejects.toMatchObject({ code: 'update_refused' });
    }
  });

  it.each<[string, (file: string, whole: Buffer) => void]>([
    ['cut off', (file, whole) => truncateSync(file, whole.length - 600)],
    ['with something added', (file, whole) => writeFileSync(file, Buffer.concat([whole, Buffer.alloc(512)]))],
    [
      'with one more file than was signed',
      (file, whole) =>
        writeFileSync(
          file,
          Buffer.concat([
            whole.subarray(0, -1_024),
            tarHeader(`${FILES_PREFIX}more.js`, 0),
            Buffer.alloc(1_024),
          ]),
        ),
    ],
    [
      'with a link among its files',
      (file, whole) => {
        const link = tarHeader(`${FILES_PREFIX}link`, 0);
        link.write('2', 156);
        writeFileSync(file, Buffer.concat([whole.subarray(0, -1_024), link, Buffer.alloc(1_024)]));
      },
    ],
  ])('%s is damaged', async (_name, change) => {
    const file = await made();
    change(file, readFileSync(file));
    await expect(verifyUpdate(file, HERE, accepted)).rejects.toMatchObject(problem('damaged'));
  });

  it.each([
    ['nothing', ''],
    ['a text', 'hello'.repeat(500)],
    ['empty blocks', '\u0000'.repeat(1_024)],
  ])('is not a file with %s', async (_name, content) => {
    const file = path.join(tempDir(), 'other');
    writeFileSync(file, content);
    await expect(verifyUpdate(file, HERE, accepted)).rejects.toMatchObject({ code: 'update_refused' });
    await expect(verifyUpdate(`${file}-missing`, HERE, accepted)).rejects.toMatchObject(
      problem('unreadable'),
    );
  });

  it.each(['../evil', '/evil', 'a/../evil', 'C:/evil', 'a\\evil', 'a//evil'])(
    'cannot be made with the path %s',
    async (name) => {
      const { manifest } = await verifyUpdate(await made(), HERE, accepted);
      const file = { path: name, size: 0, sha256: '0'.repeat(64) };
      expect(Value.Check(UpdateManifest, { ...manifest, files: [file] })).toBe(false);
    },
  );
});
