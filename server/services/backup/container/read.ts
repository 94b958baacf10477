import { createDecipheriv } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  chunkContext,
  chunkNonce,
  CIPHER,
  decodeHeader,
  type Header,
  type Manifest,
  MANIFEST_CONTEXT,
  readFully,
  subkey,
  TAG_BYTES,
} from './format.ts';
import { type BackupKey, type Proof, unseal, unwrapDataKey } from './keys.ts';
import { Refusal } from '../../../refusals/refusal.ts';

/** The unencrypted description of a backup. @throws Refusal */
export async function readBackupHeader(path: string): Promise<Header> {
  const file = await openBackup(path);
  try {
    return (await decodeHeader((bytes) => readFully(file, bytes))).header;
  } finally {
    await file.close();
  }
}

/**
 * Decrypts the database of a backup into `target`, which must not exist, readable only by its owner.
 * @returns the file's description of its content, each byte of which has been authenticated, and who made it
 * @throws Refusal
 */
export async function readContainer(
  path: string,
  opener: BackupKey,
  target: string,
): Promise<{ manifest: Manifest; proof: Proof }> {
  const file = await openBackup(path);
  try {
    const { header, encoded } = await decodeHeader((bytes) => readFully(file, bytes));
    const { dataKey, proof } = unwrapDataKey(header, opener);
    const manifest = openManifest(header, dataKey);
    const output = await open(target, 'wx', 0o600);
    try {
      const bytes = await readChunks(file, output, { header, encoded, key: subkey(dataKey, 'chunks') });
      if (bytes !== manifest.bytes) throw damaged();
      await output.sync();
    } finally {
      await output.close();
    }
    return { manifest, proof };
  } finally {
    await file.close();
  }
}

async function openBackup(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new Refusal('file_not_readable', {
      message: `The backup ${path} cannot be read (${code}).`,
      cause: error,
    });
  }
}

function openManifest(header: Header, dataKey: Buffer): Manifest {
  const json = unseal(subkey(dataKey, 'manifest'), header.manifest, MANIFEST_CONTEXT);
  if (!json) throw damaged();
  // Sealed by this program, so its shape needs no check.
  return JSON.parse(json.toString('utf8')) as Manifest;
}

async function readChunks(
  file: FileHandle,
  output: FileHandle,
  { header, encoded, key }: { header: Header; encoded: Buffer; key: Buffer },
): Promise<number> {
  const sealedBytes = header.chunk_bytes + TAG_BYTES;
  let written = 0;
  let sealed = await readFully(file, sealedBytes);
  for (let index = 0; ; index++) {
    const next = sealed.length < sealedBytes ? Buffer.alloc(0) : await readFully(file, sealedBytes);
    const isLast = next.length === 0;
    const chunk = openChunk(sealed, key, index, chunkContext(encoded, index, isLast));
    await output.writeFile(chunk);
    written += chunk.length;
    if (isLast) return written;
    sealed = next;
  }
}

function openChunk(sealed: Buffer, key: Buffer, index: number, context: Buffer): Buffer {
  const end = sealed.length - TAG_BYTES;
  if (end < 0) throw damaged();
  try {
    const decipher = createDecipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
    decipher.setAAD(context);
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch {
    throw damaged();
  }
}

const damaged = (): Refusal =>
  new Refusal('backup_damaged', { message: 'The backup is damaged or incomplete. Use another one.' });
