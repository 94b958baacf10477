import type { FileHandle } from 'node:fs/promises';

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
