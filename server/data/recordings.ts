/**
 * Recorded captures in the data folder (`gatehouse record`), one sealed file each. A file's name has the last day on
 * which it is kept and the code that erases it, so both work without the key. The name is sealed with the content:
 * a renamed file can't be read.
 */
import { hkdfSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Recording } from '../domain/capture/recording.ts';
import type { DeletionTime } from '../domain/clock.ts';
import { writeDurably } from '../store/sql/durable-file.ts';
import { readOrCreateKeyFile } from '../store/sql/key-file.ts';
import { StoreError } from '../store/sql/port.ts';
import { createKeyRing, createSealer, readKeyRing, type Sealer } from '../store/sql/secrets.ts';
import { ConfigError } from './errors.ts';
import { injectedKey } from './injected-key.ts';
import { type DatabaseLocation, dataPaths } from './location.ts';
import { removeEach } from './remove-each.ts';

const DAY_MS = 86_400_000;
const KEY_BYTES = 32;
const FORMAT = 1;
const LENGTH_BYTES = 4;
/** A draft is what a power failure left. */
const NAME = /^(\d{4}-\d{2}-\d{2})-([A-Z0-9]{8})-(\d+)\.recording(?:\.draft)?$/;

/** A saved recording, as its file's name has it. */
export type SavedRecording = { name: string; keptUntil: string; code: string; number: number };

/** Sealed with keys derived from those of the installation's database. @throws StoreError */
export async function openRecordings(
  dataDir: string,
  { databaseUrl, databaseKeys }: DatabaseLocation,
): Promise<{
  save: (recording: Recording) => Promise<SavedRecording>;
  read: (saved: SavedRecording) => Promise<Recording>;
}> {
  const { recordings: folder, key, database } = dataPaths(dataDir);
  const sealer =
    databaseUrl === null
      ? sealerOf([injectedKey() ?? readOrCreateKeyFile(key, database)])
      : sealerOf((await readKeyRing(databaseKeys ?? { file: '' })).keys.values());
  return {
    async save(recording) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { keptUntil, code } = recording;
      const earlier = (await listRecordings(dataDir)).filter((one) => one.code === code);
      const number = 1 + Math.max(0, ...earlier.map((one) => one.number));
      const name = `${keptUntil}-${code}-${number}.recording`;
      await writeDurably(path.join(folder, name), sealer.seal(placeOf(name), bytesOf(recording)));
      return { name, keptUntil, code, number };
    },
    async read({ name }) {
      const sealed = await readFile(path.join(folder, name));
      return recordingOf(opened(sealer, name, sealed));
    },
  };
}

function opened(sealer: Sealer, name: string, sealed: Buffer): Buffer {
  try {
    return sealer.open(placeOf(name), sealed);
  } catch (cause) {
    throw new StoreError(
      'database_damaged',
      `The recording ${name} cannot be decrypted: it was changed or renamed, or belongs to another installation.`,
      { cause },
    );
  }
}

/** Oldest end first. */
export async function listRecordings(dataDir: string): Promise<SavedRecording[]> {
  const saved = await savedIn(dataDir);
  return saved
    .filter(({ name }) => !name.endsWith('.draft'))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/**
 * @param code of one sitting; null deletes all
 * @returns how many were deleted
 */
export async function deleteRecordings(dataDir: string, code: string | null): Promise<number> {
  return removeAll(dataDir, (saved) => code === null || saved.code === code);
}

/** Deletes those whose last day is over, without the key. @returns how many were deleted */
export async function removeDueRecordings(dataDir: string, time: DeletionTime): Promise<number> {
  return removeAll(dataDir, ({ keptUntil }) => time >= Date.parse(keptUntil) + DAY_MS);
}

async function removeAll(dataDir: string, isDue: (saved: SavedRecording) => boolean): Promise<number> {
  const due = (await savedIn(dataDir)).filter(isDue);
  await removeEach(due.map(({ name }) => path.join(dataPaths(dataDir).recordings, name)));
  return due.filter(({ name }) => !name.endsWith('.draft')).length;
}

async function savedIn(dataDir: string): Promise<SavedRecording[]> {
  const { recordings: folder } = dataPaths(dataDir);
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).flatMap((name) => {
    const [, keptUntil, code, number] = NAME.exec(name) ?? [];
    if (keptUntil === undefined || code === undefined) return [];
    return [{ name, keptUntil, code, number: Number(number) }];
  });
}

const placeOf = (name: string): Buffer => Buffer.from(JSON.stringify(['recording', name]));

/** A key of its own, so that neither opens what the other sealed. */
const sealerOf = (keys: Iterable<Buffer>): Sealer =>
  createSealer(
    createKeyRing(
      [...keys].map((key) => Buffer.from(hkdfSync('sha256', key, '', 'gatehouse recordings', KEY_BYTES))),
    ),
  );

/** The length of the description, the description as JSON, then each still's bytes. */
function bytesOf({ stills, ...about }: Recording): Buffer {
  const sizes = [...stills].map(([seq, jpeg]) => [seq, jpeg.length]);
  const json = Buffer.from(JSON.stringify({ format: FORMAT, ...about, stills: sizes }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...stills.values()]);
}

function recordingOf(bytes: Buffer): Recording {
  let at = LENGTH_BYTES + bytes.readUInt32BE();
  // Authenticated, so it is what this program wrote.
  const about = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, at)) as Omit<Recording, 'stills'> & {
    format: number;
    stills: [seq: number, length: number][];
  };
  if (about.format !== FORMAT)
    throw new ConfigError(
      'This recording was made by a newer version of Gatehouse. Use that version to read it.',
    );
  const { format: _, stills: sizes, ...rest } = about;
  const stills = new Map(sizes.map(([seq, length]) => [seq, bytes.subarray(at, (at += length))] as const));
  return { ...rest, stills };
}
