/**
 * Secrets in single columns. On PostgreSQL each value is sealed with AES-256-GCM under a key that the database never
 * sees, and bound to its table, column and row: a value that was moved or changed does not open. On SQLite, whose
 * whole file is encrypted, both functions return their input.
 */
import { exec } from 'node:child_process';
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { parseKey } from './key-file.ts';
import { StoreError } from './port.ts';
import {
  type RowName,
  SEALED_ALIKE,
  SEALED_IN_JSON,
  SEALED_LATER,
  type SealedColumn,
  type Secrets,
} from './sealed-columns.ts';

export const UNSEALED: Secrets = {
  keyIds: [],
  sealing: { stage: 'complete' },
  digest: (subject) => subject,
  seal: (_column, _row, value) => value,
  open: (_column, _row, stored) => stored,
};

/** Keys of the sealed columns by ID. The first one seals; all of them open. */
export type KeyRing = { current: string; keys: ReadonlyMap<string, Buffer> };

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 8;
const MAGIC = Buffer.from('gh1');
const TEXT = /^gh1\.([0-9a-f]{16})\.([\w-]+)$/;
const READABLE_BY_OTHERS = 0o007;

/** Derived from the key, so that a wrong key is noticed and keys need no names. It reveals nothing about the key. */
const idOf = (key: Uint8Array): string =>
  createHash('sha256')
    .update('gatehouse column key\0')
    .update(key)
    .digest('hex')
    .slice(0, ID_BYTES * 2);

/** @throws StoreError if there is none */
export function createKeyRing(keys: readonly Buffer[]): KeyRing {
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [current] = byId.keys();
  if (current === undefined)
    throw new StoreError('database_key_missing', 'There is no key for the database.');
  return { current, keys: byId };
}

/** Where the keys come from: `GATEHOUSE_DATABASE_KEY_FILE`, or the output of `GATEHOUSE_DATABASE_KEY_COMMAND`. */
export type KeySource = { file: string } | { command: string };

const COMMAND_MAY_TAKE_MS = 30_000;
const MOST_OUTPUT_BYTES = 64 * 1024;

/**
 * Reads the keys of the sealed columns: one per line, 64 hexadecimal characters, the sealing one first.
 * @throws StoreError in words for the operator, without the command or its output
 */
export async function readKeyRing(
  source: KeySource,
  commandMayTakeMs = COMMAND_MAY_TAKE_MS,
): Promise<KeyRing> {
  const isFile = 'file' in source;
  const refuse = (what: string, cause?: unknown) =>
    new StoreError(
      'database_key_unsafe',
      isFile
        ? `The key file ${source.file} (GATEHOUSE_DATABASE_KEY_FILE) ${what}.`
        : `The command of GATEHOUSE_DATABASE_KEY_COMMAND ${what}.`,
      { cause },
    );
  const text = isFile
    ? readKeyFile(source.file, refuse)
    : await run(source.command, commandMayTakeMs, refuse);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const keys = lines.map(parseKey).filter((key) => key !== null);
  if (keys.length === 0 || keys.length < lines.length)
    throw refuse(`must ${isFile ? 'contain' : 'print'} one key per line, each 64 hexadecimal characters`);
  return createKeyRing(keys);
}

type Refuse = (what: string, cause?: unknown) => StoreError;

function readKeyFile(file: string, refuse: Refuse): string {
  let mode: number;
  let text: string;
  try {
    mode = statSync(file).mode;
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse('cannot be read', error);
  }
  if (process.platform !== 'win32' && (mode & READABLE_BY_OTHERS) !== 0)
    throw refuse('can be read by every user of this machine. Run chmod 600 on it');
  return text;
}

/** The error of a failed command quotes the command and its output, so it is not passed on as a cause. */
function run(command: string, timeoutMs: number, refuse: Refuse): Promise<string> {
  return new Promise((resolve, reject) => {
    exec(
      command,
      { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES, windowsHide: true },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else if (error.killed === true) reject(refuse(`did not end within ${timeoutMs / 1_000} s`));
        else reject(refuse(`failed (${error.code ?? error.signal ?? 'unknown'}). Run it by hand to see why`));
      },
    );
  });
}

/** The IDs of the keys that sealed a stored value, or the parts of it; null if it is not sealed. */
export function keyIdsOf(column: SealedColumn, stored: string | Uint8Array): (string | null)[] {
  if (typeof stored !== 'string') return [sealingKeyOf(stored)];
  if (column !== 'invites.request') return [textKeyOf(stored)];
  const request = requestOf(stored);
  return SEALED_IN_JSON.map((field) => request[field])
    .filter((value) => value !== null && value !== undefined)
    .map(textKeyOf);
}

const textKeyOf = (value: unknown): string | null =>
  typeof value === 'string' ? (TEXT.exec(value)?.[1] ?? null) : null;

function sealingKeyOf(sealed: Uint8Array): string | null {
  if (!Buffer.from(sealed.subarray(0, MAGIC.length)).equals(MAGIC)) return null;
  return Buffer.from(sealed.subarray(MAGIC.length, MAGIC.length + ID_BYTES)).toString('hex');
}

/** The prefix of every value that the key sealed. */
export const prefixOf = (keyId: string): { text: string; bytes: Buffer } => ({
  text: `gh1.${keyId}.`,
  bytes: Buffer.concat([MAGIC, Buffer.from(keyId, 'hex')]),
});

/** Its fields as the service wrote them; text if they are sealed. */
const requestOf = (stored: string) => JSON.parse(stored) as Record<string, unknown>;

/** Seals bytes with the ring's first key. Both functions fail for another place: where the bytes belong. */
export type Sealer = {
  seal: (place: Buffer, plain: Uint8Array) => Buffer;
  /** @throws Error if the bytes were changed, moved or never sealed, or their key is not in the ring */
  open: (place: Buffer, sealed: Uint8Array) => Buffer;
};

export function createSealer(ring: KeyRing): Sealer {
  const { encrypt, decrypt } = cipherOf(ring);
  const { bytes } = prefixOf(ring.current);
  return {
    seal: (place, plain) => Buffer.concat([bytes, encrypt(place, plain)]),
    open(place, sealed) {
      const keyId = sealingKeyOf(sealed);
      if (keyId === null) throw new Error('not sealed');
      return decrypt(place, keyId, sealed.subarray(MAGIC.length + ID_BYTES));
    },
  };
}

function cipherOf(ring: KeyRing) {
  const key = ring.keys.get(ring.current) ?? Buffer.alloc(0);

  const encrypt = (place: Buffer, plain: Uint8Array): Buffer => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(place);
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };

  function decrypt(place: Buffer, keyId: string, sealed: Uint8Array): Buffer {
    const known = ring.keys.get(keyId);
    if (known === undefined || sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('no such key');
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv(ALGORITHM, known, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(place).setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
  }

  return { encrypt, decrypt };
}

export function createSecrets(ring: KeyRing): Secrets {
  const prefix = prefixOf(ring.current);
  const { encrypt, decrypt } = cipherOf(ring);
  const sealer = createSealer(ring);

  const sealText = (place: Buffer, text: string): string =>
    prefix.text + encrypt(place, Buffer.from(text)).toString('base64url');

  function openText(place: Buffer, stored: string): string {
    const [, keyId, body] = TEXT.exec(stored) ?? [];
    if (keyId === undefined || body === undefined) throw new Error('not sealed');
    return decrypt(place, keyId, Buffer.from(body, 'base64url')).toString();
  }

  const sealing: Secrets['sealing'] = { stage: 'complete' };
  const isPlain = (column: SealedColumn, stored: string | Uint8Array) =>
    SEALED_LATER.has(column) && keyIdsOf(column, stored).includes(null);

  /** Fields that are sealed already stay as they are. */
  function sealFields(row: RowName, text: string): string {
    const request = requestOf(text);
    for (const field of SEALED_IN_JSON) {
      const value = request[field];
      if (value === null || value === undefined || textKeyOf(value) !== null) continue;
      if (field === 'metadata' || sealing.stage !== 'plain')
        request[field] = sealText(fieldPlace(row, field), JSON.stringify(value));
    }
    return JSON.stringify(request);
  }

  function openFields(row: RowName, stored: string): string {
    const request = requestOf(stored);
    for (const field of SEALED_IN_JSON) {
      const value = request[field];
      if (value === null || value === undefined) continue;
      if (textKeyOf(value) === null && field !== 'metadata' && sealing.stage !== 'complete') continue;
      if (typeof value !== 'string') throw new Error('not sealed');
      request[field] = JSON.parse(openText(fieldPlace(row, field), value)) as unknown;
    }
    return JSON.stringify(request);
  }

  const subjectKey = createHmac('sha256', ring.keys.get(ring.current) ?? Buffer.alloc(0))
    .update('gatehouse subjects')
    .digest();

  return {
    keyIds: [...ring.keys.keys()],
    sealing,
    digest: (subject) => createHmac('sha256', subjectKey).update(subject).digest(),
    seal: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, value: T): T => {
      if (value === null) return value;
      if (column === 'invites.request' && typeof value === 'string') return sealFields(row, value) as T;
      if (SEALED_LATER.has(column) && sealing.stage === 'plain') return value;
      const place = placeOf(column, row);
      if (typeof value !== 'string') return sealer.seal(place, value) as Uint8Array as T;
      return sealText(place, value) as T;
    },
    open: <T extends string | Uint8Array | null>(column: SealedColumn, row: RowName, stored: T): T => {
      if (stored === null) return stored;
      const place = placeOf(column, row);
      try {
        if (typeof stored !== 'string') return sealer.open(place, stored) as Uint8Array as T;
        if (column === 'invites.request') return openFields(row, stored) as T;
        if (sealing.stage !== 'complete' && isPlain(column, stored)) return stored;
        return openText(place, stored) as T;
      } catch (error) {
        throw new StoreError(
          'database_damaged',
          `A value in ${column} cannot be decrypted: it was changed or moved, or its key is missing from ` +
            'GATEHOUSE_DATABASE_KEY_FILE.',
          { cause: error },
        );
      }
    },
  };
}

/** What a field of `invites.request` is bound to. */
const fieldPlace = (row: RowName, field: (typeof SEALED_IN_JSON)[number]): Buffer =>
  placeOf('invites.request', field === 'metadata' ? row : [...row, field]);

/** What a value is bound to. */
const placeOf = (column: SealedColumn, row: RowName): Buffer =>
  Buffer.from(JSON.stringify([SEALED_ALIKE[column] ?? column, ...row.map(String)]));
