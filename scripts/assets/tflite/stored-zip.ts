/**
 * A ZIP without compression whose entries start at multiples of 16 bytes, because MediaPipe maps the models of a .task
 * file directly into memory. Dates are fixed, so equal input gives equal bytes. Source: PKWARE APPNOTE 6.3.
 */
import { crc32 } from 'node:zlib';

const DATA_ALIGNMENT = 16;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_BYTES = 22;
/** Extra field id of Android's zipalign, which readers skip. */
const ALIGNMENT_EXTRA_ID = 0xd935;
const VERSION = 10;
/** 1 January 1980, the earliest date in a ZIP. */
const DOS_DATE = 0x21;

type ZipEntry = { name: string; body: Uint8Array };

export function storedZip(entries: readonly ZipEntry[]): Uint8Array {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const { name, body } of entries) {
    const nameBytes = Buffer.from(name);
    const extra = alignmentExtra(offset + LOCAL_HEADER_BYTES + nameBytes.length);
    // CRC-32, compressed size and size are adjacent in both headers.
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crc32(body), 0);
    sizes.writeUInt32LE(body.length, 4);
    sizes.writeUInt32LE(body.length, 8);

    const header = Buffer.alloc(LOCAL_HEADER_BYTES);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(VERSION, 4);
    header.writeUInt16LE(DOS_DATE, 12);
    sizes.copy(header, 14);
    header.writeUInt16LE(nameBytes.length, 26);
    header.writeUInt16LE(extra.length, 28);

    const record = Buffer.alloc(CENTRAL_HEADER_BYTES);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(VERSION, 4);
    record.writeUInt16LE(VERSION, 6);
    record.writeUInt16LE(DOS_DATE, 14);
    sizes.copy(record, 16);
    record.writeUInt16LE(nameBytes.length, 28);
    record.writeUInt32LE(offset, 42);

    local.push(header, nameBytes, extra, body);
    central.push(record, nameBytes);
    offset += LOCAL_HEADER_BYTES + nameBytes.length + extra.length + body.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...local, directory, end]));
}

/** An extra field whose length moves the following data to the next aligned position. */
function alignmentExtra(position: number): Buffer {
  const headerBytes = 4;
  const fill = (DATA_ALIGNMENT - ((position + headerBytes) % DATA_ALIGNMENT)) % DATA_ALIGNMENT;
  const extra = Buffer.alloc(headerBytes + fill);
  extra.writeUInt16LE(ALIGNMENT_EXTRA_ID, 0);
  extra.writeUInt16LE(fill, 2);
  return extra;
}
