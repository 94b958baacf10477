/**
 * The database's key as it was handed to this process, by the desktop app or on stdin. One process works on one data
 * folder; the key travels neither on the command line nor in the environment, which others may read.
 */
import { ConfigError } from '../config.ts';
import { parseKey } from '../store/sql/key-file.ts';

let handed: Buffer | undefined;

/** @param text 64 hexadecimal characters @throws ConfigError */
export function injectKey(text: string): void {
  const key = parseKey(text);
  if (!key)
    throw new ConfigError('The database key must be 64 hexadecimal characters.');
  handed = key;
}

export const injectedKey = (): Buffer | undefined => handed;
