import { createCipheriv, randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import {
  CHUNK_BYTES,
  chunkContext,
  chunkNonce,
  CIPHER,
  encodeHeader,
  FORMAT_VERSION,
  type Header,
  KEY_BYTES,
  type Manifest,
  MANIFEST_CONTEXT,
  readFully,
  signedBytes,
  subkey,
  TAG_BYTES,
} from './format.ts';
import { signatureOf } from '../recovery-phrase.ts';
import { seal, wrapDataKey } from './keys.ts';

export type ContainerInput = {
  /** Snapshot of the database. */
  content: string;
  manifest: Manifest;
  databaseKey: Uint8Array;
  /** Without a signing key, the phrase is from before backups were signed. */
  recovery: { publicKey: Uint8Array; signingKey: Uint8Array | null } | null;
  /** Epoch milliseconds. */
  createdAt: number;
};

/** Writes a backup file, readable only by its owner, and returns when it is durable. `target` must not exist. */
export async function writeContainer(target: string, input: ContainerInput): Promise<void> {
  const dataKey = randomBytes(KEY_BYTES);
  const { recovery } = input;
  const header: Header = {
    version: FORMAT_VERSION,
    created_at: new Date(input.createdAt).toISOString(),
    schema_version: input.manifest.schemaVersion,
    chunk_bytes: CHUNK_BYTES,
    keys: wrapDataKey(dataKey, input.databaseKey, recovery && recovery.publicKey),
    manifest: seal(
      subkey(dataKey, 'manifest'),
      Buffer.from(JSON.stringify(input.manifest), 'utf8'),
      MANIFEST_CONTEXT,
    ),
  };
  if (recovery?.signingKey)
    header.signature = signatureOf(recovery.signingKey, signedBytes(header)).toString('hex');
  const encoded = encodeHeader(header);
  const source = await open(input.content, 'r');
  try {
    const file = await open(target, 'wx', 0o600);
    try {
      await file.writeFile(encoded);
      await writeChunks(source, file, encoded, subkey(dataKey, 'chunks'));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await source.close();
  }
}

async function writeChunks(source: FileHandle, file: FileHandle, header: Buffer, key: Buffer): Promise<void> {
  let chunk = await readFully(source, CHUNK_BYTES);
  for (let index = 0; ; index++) {
    // Reading ahead is the only way to know which chunk is the last.
    const next = chunk.length < CHUNK_BYTES ? null : await readFully(source, CHUNK_BYTES);
    const cipher = createCipheriv(CIPHER, key, chunkNonce(index), { authTagLength: TAG_BYTES });
    cipher.setAAD(chunkContext(header, index, next === null));
    await file.writeFile(Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]));
    if (next === null) return;
    chunk = next;
  }
}
