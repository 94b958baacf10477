import { safeStorage } from 'electron';
import type { Keychain } from './key-store.ts';

/** The system's keychain through Electron. On Linux without one, Electron would store under a password that is public. */
export const systemKeychain: Keychain = {
  async isSafe() {
    // An older Electron only has the calls that block, which newer ones are giving up.
    if (!('isAsyncEncryptionAvailable' in safeStorage)) return false;
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    if (process.platform !== 'linux') return true;
    return !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
  },
  lock: (text) => safeStorage.encryptStringAsync(text),
  unlock: async (locked) => (await safeStorage.decryptStringAsync(locked)).result,
};
