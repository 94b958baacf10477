/**
 * The key that makes this device's captures trusted. It is created when the device is paired and cannot be exported,
 * not even by this page: the browser keeps it and signs with it.
 */
import type { Sign } from '../../../capture/exchange/still-outbox.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const DATABASE = 'gatehouse.kiosk';
const STORE = 'keys';
const NAME = 'device';

/**
 * Replaces the device's key.
 * @returns its public part, base64url; null if the browser stores no keys (no HTTPS, private window)
 */
export async function newDeviceKey(): Promise<string | null> {
  try {
    const pair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    const point = await crypto.subtle.exportKey('raw', pair.publicKey);
    await inStore('readwrite', (store) => store.put(pair.privateKey, NAME));
    return base64Url(point);
  } catch {
    return null;
  }
}

/** Signs with the device's key; null if it has none. */
export async function deviceSigner(): Promise<Sign | null> {
  try {
    const key = await inStore('readonly', (store) => store.get(NAME) as IDBRequest<CryptoKey | undefined>);
    if (!key) return null;
    return async (text) =>
      base64Url(await crypto.subtle.sign(SIGNATURE, key, new TextEncoder().encode(text)));
  } catch {
    return null;
  }
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await resultOf(opening);
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser keeps no keys.'));
  });

const base64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
