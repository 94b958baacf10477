import { existsSync, readFileSync } from 'node:fs';
import { dataPaths } from './paths.ts';

/** The current folder of the data; the folder itself unless it was moved. */
export function relocatedDir(dataDir: string): string {
  const { moved, database } = dataPaths(dataDir);
  // A new installation in the old folder is independent.
  if (!existsSync(moved) || existsSync(database)) return dataDir;
  return (JSON.parse(readFileSync(moved, 'utf8')) as { to: string }).to;
}
