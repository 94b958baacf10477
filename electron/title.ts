import type { KeyStorage } from './channels.ts';

/** The window's title; it warns, for as long as that is so, where the key lies in a plain file. */
export function windowTitle(keyStorage: KeyStorage): string {
  return keyStorage === 'keychain'
    ? 'Gatehouse'
    : 'Gatehouse (database key in a plain file, not in the keychain)';
}
