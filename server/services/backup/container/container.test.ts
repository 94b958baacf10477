import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../../../testing/store/temp-store.ts';
import { CHUNK_BYTES, encodeHeader, type Header, type Manifest } from './format.ts';
import type { BackupKey } from './keys.ts';
import { readBackupHeader, readContainer } from './read.ts';
import { type ContainerInput, writeContainer } from './write.ts';
import { makeRecoveryPhrase, recoveryKeyOf } from '../recovery-phrase.ts';

const databaseKey = randomBytes(32);
const phrase = makeRecoveryPhrase();
const recovery = recoveryKeyOf(phrase);
const { signed, unsigned, signingKey } = recovery;
/** As the data has it. */
const ownRecovery = { publicKey: signed.publicKey, signingKey };
const byDatabase: BackupKey = { kind: 'database', key: databaseKey };

const manifest = (bytes: number): Manifest => ({
  schemaVersion: 4,
  rows: { people: 3 },
  auditEntries: 2,
  snapshotKey: 'ab'.repeat(32),
  bytes,
});

async function written(content: Buffer, sealedFor: ContainerInput['recovery'] = ownRecovery) {
  const dir = tempDir();
  const files = { content: path.join(dir, 'content'), backup: path.join(dir, 'backup') };
  writeFileSync(files.content, content);
  await writeContainer(files.backup, {
    content: files.content,
    manifest: manifest(content.length),
    databaseKey,
    recovery: sealedFor,
    createdAt: 0,
  });
  let outputs = 0;
  return {
    file: files.backup,
    read: async (opener: BackupKey = byDatabase) => {
      const output = path.join(dir, `output-${++outputs}`);
      const found = await readContainer(files.backup, opener, output);
      return { ...found, content: readFileSync(output) };
    },
    change(edit: (bytes: Buffer) => Buffer) {
      writeFileSync(files.backup, edit(readFileSync(files.backup)));
    },
  };
}

describe('a backup file', () => {
  it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES])(
    'of %i bytes is restored unchanged',
    async (bytes) => {
      const content = randomBytes(bytes);
      const backup = await written(content);
      expect(await backup.read()).toEqual({ manifest: manifest(bytes), proof: 'database', content });
    },
  );

  it('opens with the recovery phrase in any notation', async () => {
    const content = randomBytes(10);
    const backup = await written(content);
    const key = recoveryKeyOf(`  ${phrase.toUpperCase().replaceAll(' ', '\n ')}\n`);
    expect((await backup.read({ kind: 'recovery', key })).content).toEqual(content);
  });

  it('reveals nothing about its content or the keys', async () => {
    const content = Buffer.from('The Secret Garden of Plain Text '.repeat(100));
    const backup = await written(content);
    const bytes = readFileSync(backup.file);
    for (const secret of [
      'Secret Garden',
      'people',
      'ab'.repeat(32),
      databaseKey,
      databaseKey.toString('hex'),
    ]) {
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  it.skipIf(process.platform === 'win32')('can be read only by its owner', async () => {
    expect(statSync((await written(Buffer.alloc(1))).file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['another database key', { kind: 'database', key: randomBytes(32) }, 'wrong_key'],
    ['another phrase', { kind: 'recovery', key: recoveryKeyOf(makeRecoveryPhrase()) }, 'wrong_phrase'],
  ] as const)('is refused with %s', async (_name, opener, code) => {
    await expect((await written(Buffer.alloc(1))).read(opener)).rejects.toMatchObject({ code });
  });

  it('made before there was a phrase says so', async () => {
    const backup = await written(Buffer.alloc(1), null);
    await expect(backup.read({ kind: 'recovery', key: recovery })).rejects.toMatchObject({
      code: 'no_recovery',
    });
  });

  const byPhrase: BackupKey = { kind: 'recovery', key: recovery };

  it.each([
    ['the key of its own database, even with the phrase', { ...byPhrase, databaseKey }, 'database'],
    ['the phrase', byPhrase, 'phrase'],
  ] as const)('opened with %s says who made it', async (_name, opener, proof) => {
    expect(await (await written(randomBytes(10))).read(opener)).toMatchObject({ proof });
  });

  it('for a phrase from before backups were signed proves nothing, and still opens', async () => {
    const backup = await written(randomBytes(10), { publicKey: unsigned.publicKey, signingKey: null });
    expect((await readBackupHeader(backup.file)).signature).toBeUndefined();
    expect(await backup.read(byPhrase)).toMatchObject({ proof: 'none' });
    expect(await backup.read({ ...byPhrase, databaseKey })).toMatchObject({ proof: 'database' });
  });

  const stranger = recoveryKeyOf(makeRecoveryPhrase());
  it.each<[string, Uint8Array | null]>([
    ['nobody signed', null],
    ['somebody else signed', stranger.signingKey],
  ])('made with the public key in a genuine one that %s is refused', async (_name, strangersKey) => {
    const genuine = await written(randomBytes(10));
    const { keys } = await readBackupHeader(genuine.file);
    const publicKey = Buffer.from(keys.recovery?.public_key ?? '', 'hex');
    const forged = await written(randomBytes(10), { publicKey, signingKey: strangersKey });
    await expect(forged.read(byPhrase)).rejects.toMatchObject({ code: 'backup_forged' });
  });

  it.each<[string, (forged: Header, genuine: Header) => Header]>([
    ['the signature', (forged, { signature }) => ({ ...forged, signature: signature ?? '' })],
    ['the wrapped keys', (forged, { keys, signature }) => ({ ...forged, keys, signature: signature ?? '' })],
    ['the whole header', (_, genuine) => genuine],
  ])('made of its own content and %s of a genuine one is refused', async (_name, mix) => {
    const genuine = await written(randomBytes(10));
    const forged = await written(randomBytes(10), { publicKey: signed.publicKey, signingKey: null });
    const [its, theirs] = [await readBackupHeader(forged.file), await readBackupHeader(genuine.file)];
    const old = encodeHeader(its);
    forged.change((bytes) => Buffer.concat([encodeHeader(mix(its, theirs)), bytes.subarray(old.length)]));
    await expect(forged.read(byPhrase)).rejects.toMatchObject({
      code: expect.stringMatching(/^backup_(forged|damaged)$/) as string,
    });
  });

  it('whose signature was removed is refused', async () => {
    const backup = await written(randomBytes(10));
    const { signature: _, ...rest } = await readBackupHeader(backup.file);
    const old = encodeHeader(await readBackupHeader(backup.file));
    backup.change((bytes) => Buffer.concat([encodeHeader(rest), bytes.subarray(old.length)]));
    await expect(backup.read(byPhrase)).rejects.toMatchObject({ code: 'backup_forged' });
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut off by a byte', (bytes) => bytes.subarray(0, -1)],
    ['cut off at the end of a chunk', (bytes) => bytes.subarray(0, -(CHUNK_BYTES + 16))],
    ['longer by a byte', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['with its last chunk twice', (bytes) => Buffer.concat([bytes, bytes.subarray(-(CHUNK_BYTES + 16))])],
    [
      'with two chunks changed about',
      (bytes) => {
        const size = CHUNK_BYTES + 16;
        // Three full chunks and the empty last one.
        const start = bytes.length - 16 - 3 * size;
        const chunk = (n: number) => bytes.subarray(start + n * size, start + (n + 1) * size);
        return Buffer.concat([bytes.subarray(0, start), chunk(1), chunk(0), chunk(2), bytes.subarray(-16)]);
      },
    ],
    ['with a bit turned in the content', (bytes) => flip(bytes, bytes.length - 100)],
    ['without its content', (bytes) => bytes.subarray(0, 12 + bytes.readUInt32BE(8))],
  ])('%s is refused', async (_name, edit) => {
    const backup = await written(randomBytes(3 * CHUNK_BYTES));
    backup.change(edit);
    await expect(backup.read()).rejects.toMatchObject({ code: 'backup_damaged' });
  });

  it('with a changed header is refused, even if the header is still well formed', async () => {
    const backup = await written(randomBytes(10));
    const header = await readBackupHeader(backup.file);
    const old = encodeHeader(header);
    const changed = encodeHeader({ ...header, schema_version: 1 });
    backup.change((bytes) => Buffer.concat([changed, bytes.subarray(old.length)]));
    await expect(backup.read()).rejects.toMatchObject({ code: 'backup_damaged' });
  });

  it('of a newer format says so', async () => {
    const backup = await written(Buffer.alloc(1));
    const header = await readBackupHeader(backup.file);
    backup.change(() => encodeHeader({ ...header, version: 2 }));
    await expect(backup.read()).rejects.toMatchObject({ code: 'backup_from_the_future' });
  });

  it.each(['', 'GHBACKUP', 'not a backup at all, but long enough to be read'])(
    'is not a file that starts with %j',
    async (text) => {
      const file = path.join(tempDir(), 'file');
      writeFileSync(file, text);
      await expect(readBackupHeader(file)).rejects.toMatchObject({ code: 'not_a_backup' });
    },
  );
});

describe('the recovery phrase', () => {
  it('has 24 words and is different each time', () => {
    expect(phrase.split(' ')).toHaveLength(24);
    expect(makeRecoveryPhrase()).not.toBe(phrase);
  });

  it.each([
    ['a word missing', phrase.split(' ').slice(1).join(' ')],
    ['a word that is none', phrase.replace(/^\w+/, 'gatehouse')],
    ['twelve words', 'abandon '.repeat(11) + 'about'],
  ])('with %s is refused', (_name, words) => {
    expect(() => recoveryKeyOf(words)).toThrow(/24 words/);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
