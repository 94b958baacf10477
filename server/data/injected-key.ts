/**
 * The database key that the desktop app or standard input passed to this process. One process uses one data folder.
 * The key is never on the command line or in the environment, which others can read.
 */
import { ConfigError } from './errors.ts';
import { parseKey } from '../store/sql/key-file.ts';

let handed: Buffer | undefined;

/** @param text 64 hexadecimal characters @throws ConfigError */
export function injectKey(text: string): void {
  const key = parseKey(text);
  if (!key)
    throw new ConfigError(
      'The database key must be 64 hexadecimal characters. Give the content of gatehouse.key, unchanged.',
    );
  handed = key;
}

export const injectedKey = (): Buffer | undefined => handed;
