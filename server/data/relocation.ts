import { existsSync, readFileSync } from 'node:fs';
import { dataPaths } from './paths.ts';

/** Where the data of a folder is now; the folder itself unless it was moved. */
export function relocatedDir(dataDir: string): string {
  const { moved, database } = dataPaths(dataDir);
  // A new installation in the old place is one of its own.
  if (!existsSync(moved) || existsSync(database)) return dataDir;
  return (JSON.parse(readFileSync(moved, 'utf8')) as { to: string }).to;
}
