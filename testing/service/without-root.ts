import { chownSync, readdirSync } from 'node:fs';
import path from 'node:path';

const NOBODY = 65_534;

/** Root may write and delete everything. Does the work as the owner of a folder who has no other rights. */
export async function withoutRoot<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(folder, name), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
