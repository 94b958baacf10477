import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** SHA-256 in lower-case hex. */
export function bytesSha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** SHA-256 of a file in lower-case hex; null if there is no such file. */
export async function fileSha256(path: string): Promise<string | null> {
  return hashFile(path, 'sha256', 'hex');
}

/** SHA-512 of a file in the form of npm's `integrity`; null if there is no such file. */
export async function fileIntegrity(path: string): Promise<string | null> {
  const digest = await hashFile(path, 'sha512', 'base64');
  return digest === null ? null : `sha512-${digest}`;
}

async function hashFile(path: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string | null> {
  const hash = createHash(algorithm);
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest(encoding);
}

/** An asset could not be fetched; the message is for the user of the command. */
export class AssetError extends Error {
  override readonly name = 'AssetError';
}
