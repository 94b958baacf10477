import { safeStorage } from 'electron';
import type { Keychain } from './key-store.ts';

/**
 * The system's keychain through Electron. On Linux without one, Electron would encrypt with a publicly known password.
 */
export const systemKeychain: Keychain = {
  async isSafe() {
    // An older Electron has only the blocking calls, which newer ones deprecate.
    if (!('isAsyncEncryptionAvailable' in safeStorage)) return false;
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    if (process.platform !== 'linux') return true;
    return !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
  },
  lock: (text) => safeStorage.encryptStringAsync(text),
  unlock: async (locked) => (await safeStorage.decryptStringAsync(locked)).result,
};
