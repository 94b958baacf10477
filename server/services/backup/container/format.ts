/**
 * The backup file.
 *
 * "GHBACKUP" | header length (u32 BE) | header (JSON, UTF-8) | chunk 0 | chunk 1 | … | last chunk
 *
 * The header is not secret: version, time, schema version, and the file's random data key wrapped for each way to open
 * it. The manifest in it and the chunks are sealed with AES-256-GCM under keys derived from the data key. A chunk
 * holds `chunk_bytes` of the database (the last one the rest, possibly nothing) and a 16-byte tag. Its nonce is its
 * index. Its associated data are the SHA-256 of everything before the chunks, its index, and whether it is the last. A
 * chunk that is moved, left out, repeated or from another file therefore does not open, and neither does a truncated
 * file.
 *
 * Anybody with one file knows the public key that wraps data keys for the recovery phrase, and could make another. The
 * signature in the header, with a key that the phrase yields too, covers the rest of the header and so the data key.
 */
import { createHash, hkdfSync } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Contents } from '../../../store/backup/snapshot.ts';
import { Refusal } from '../../../refusals/refusal.ts';

const MAGIC = Buffer.from('GHBACKUP', 'ascii');
export const FORMAT_VERSION = 1;
export const CIPHER = 'aes-256-gcm';
export const TAG_BYTES = 16;
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const CHUNK_BYTES = 1024 * 1024;
export const MANIFEST_CONTEXT = 'gatehouse backup 1, manifest';
const LENGTH_BYTES = 4;
/** A header is about 1 kB. A file that claims much more is not a backup. */
const MAX_HEADER_BYTES = 64 * 1024;

const Hex = Type.String({ pattern: '^([0-9a-f]{2})+$' });
const Sealed = Type.Object({ nonce: Hex, data: Hex, tag: Hex });
export type SealedBox = Static<typeof Sealed>;

const Header = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  schema_version: Type.Integer({ minimum: 0 }),
  chunk_bytes: Type.Integer({ minimum: 1, maximum: 16 * 1024 * 1024 }),
  keys: Type.Object({
    /** Opened with the key of the database that was backed up. */
    database: Type.Object({ salt: Hex, box: Sealed }),
    /** Opened with the recovery phrase; null if there was none yet. */
    recovery: Type.Union([Type.Object({ public_key: Hex, ephemeral: Hex, box: Sealed }), Type.Null()]),
  }),
  manifest: Sealed,
  /** Ed25519, over the header without it. Earlier versions made none, and ignore it. */
  signature: Type.Optional(Hex),
});
export type Header = Static<typeof Header>;

/** The description in the sealed part of the file. */
export type Manifest = Contents & { snapshotKey: string; bytes: number };

export function encodeHeader(header: Header): Buffer {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([MAGIC, length, json]);
}

/** What the signature covers. */
export function signedBytes(signed: Header): Buffer {
  const { signature: _, ...header } = signed;
  return Buffer.concat([Buffer.from('gatehouse backup 1, signature\n', 'utf8'), encodeHeader(header)]);
}

/**
 * Reads the header through `read`, which fills a buffer or returns fewer bytes at the end of the file.
 * @throws Refusal `not_a_backup`, `backup_from_the_future`
 */
export async function decodeHeader(
  read: (bytes: number) => Promise<Buffer>,
): Promise<{ header: Header; encoded: Buffer }> {
  const front = await read(MAGIC.length + LENGTH_BYTES);
  if (front.length < MAGIC.length + LENGTH_BYTES || !front.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Refusal('not_a_backup', {
      message:
        'This file is not a Gatehouse backup. Choose a file that “backup create” or the nightly backup made.',
    });
  }
  const length = front.readUInt32BE(MAGIC.length);
  const damaged = new Refusal('backup_damaged', {
    message: 'The backup is damaged: its header cannot be read. Use another one.',
  });
  if (length > MAX_HEADER_BYTES) throw damaged;
  const json = await read(length);
  if (json.length < length) throw damaged;
  let value: unknown;
  try {
    value = JSON.parse(json.toString('utf8'));
  } catch {
    throw damaged;
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > FORMAT_VERSION) {
    throw new Refusal('backup_from_the_future', {
      message: `This backup was made by a newer version of Gatehouse (format ${version}). Restore it with that version.`,
    });
  }
  if (!Value.Check(Header, value)) throw damaged;
  return { header: value, encoded: Buffer.concat([front, json]) };
}

/** Derives a key for one purpose from the file's data key. */
export function subkey(dataKey: Uint8Array, purpose: 'manifest' | 'chunks'): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `gatehouse backup 1, ${purpose}`, KEY_BYTES));
}

export function chunkNonce(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(index), NONCE_BYTES - 8);
  return nonce;
}

export function chunkContext(encodedHeader: Buffer, index: number, isLast: boolean): Buffer {
  const hash = createHash('sha256').update(encodedHeader).digest();
  return Buffer.concat([hash, chunkNonce(index), Buffer.of(isLast ? 1 : 0)]);
}

/** The next `bytes` of a file; fewer only at its end. */
export async function readFully(file: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(buffer, filled, bytes - filled, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
