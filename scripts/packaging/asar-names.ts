/**
 * The names of the files inside an `asar` archive. The format: a 4-byte length of a length, 12 bytes further the length
 * of a JSON text in UTF-8, and that text, a tree of names (https://github.com/electron/asar#format).
 */
import { open } from 'node:fs/promises';

type Entry = { files?: Record<string, Entry>; unpacked?: boolean };

const TEXT_LENGTH_AT = 12;
const TEXT_AT = 16;

/** Files that lie outside, in the folder `….unpacked`, are left out. */
export async function asarNames(archive: string): Promise<string[]> {
  const file = await open(archive, 'r');
  try {
    const front = Buffer.alloc(TEXT_AT);
    await file.read(front, 0, TEXT_AT, 0);
    const text = Buffer.alloc(front.readUInt32LE(TEXT_LENGTH_AT));
    await file.read(text, 0, text.length, TEXT_AT);
    return namesOf(JSON.parse(text.toString('utf8')) as Entry, '');
  } finally {
    await file.close();
  }
}

function namesOf({ files = {} }: Entry, folder: string): string[] {
  return Object.entries(files).flatMap(([name, entry]) => {
    if (entry.files) return namesOf(entry, `${folder}${name}/`);
    return entry.unpacked === true ? [] : [`${folder}${name}`];
  });
}
