import { expect, test } from 'vitest';
import { storedZip } from './stored-zip.ts';

const entries = [
  { name: 'a.tflite', body: Uint8Array.of(1, 2, 3) },
  { name: 'longer-name.binarypb', body: new Uint8Array(50).fill(7) },
];

function readBack(zip: Buffer) {
  const end = zip.length - 22;
  let record = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const nameLength = zip.readUInt16LE(record + 28);
    const size = zip.readUInt32LE(record + 24);
    const header = zip.readUInt32LE(record + 42);
    const name = zip.toString('utf8', record + 46, record + 46 + nameLength);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    record += 46 + nameLength;
    return { name, start, body: new Uint8Array(zip.subarray(start, start + size)) };
  });
}

test('entries are stored uncompressed and start at multiples of 16 bytes', () => {
  const files = readBack(Buffer.from(storedZip(entries)));
  expect(files.map(({ name, body }) => ({ name, body }))).toEqual(entries);
  for (const { start } of files) expect(start % 16).toBe(0);
});

test('equal entries give equal bytes', () => {
  expect(storedZip(entries)).toEqual(storedZip(entries));
});
