/**
 * The icon files of Windows and macOS: both are containers of PNG pictures. Made here, because the packer would
 * download a program for it.
 */

export type Picture = { sizePx: number; png: Uint8Array };

const ICO_FRONT_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const ICO_KIND = 1;
const BITS_PER_PIXEL = 32;
/** An ICO has one byte for a size, in which 0 means 256. */
const ICO_LARGEST_PX = 256;

/**
 * An ICO with PNG entries, as supported by Windows since Vista.
 * @throws RangeError for a picture larger than 256 px
 */
export function icoOf(pictures: readonly Picture[]): Buffer {
  const front = Buffer.alloc(ICO_FRONT_BYTES + ICO_ENTRY_BYTES * pictures.length);
  front.writeUInt16LE(ICO_KIND, 2);
  front.writeUInt16LE(pictures.length, 4);
  let offset = front.length;
  for (const [index, { sizePx, png }] of pictures.entries()) {
    if (sizePx > ICO_LARGEST_PX) throw new RangeError(`An ICO holds up to 256 px, not ${sizePx}.`);
    const at = ICO_FRONT_BYTES + ICO_ENTRY_BYTES * index;
    front.writeUInt8(sizePx % ICO_LARGEST_PX, at);
    front.writeUInt8(sizePx % ICO_LARGEST_PX, at + 1);
    front.writeUInt16LE(1, at + 4);
    front.writeUInt16LE(BITS_PER_PIXEL, at + 6);
    front.writeUInt32LE(png.length, at + 8);
    front.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([front, ...pictures.map(({ png }) => png)]);
}

/** Apple's names for PNG entries by their size in pixels; if there are two, the second is for Retina displays. */
const ICNS_TYPES: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};
const ICNS_FRONT_BYTES = 8;

/** An ICNS with PNG entries, as supported by macOS since 10.7. Leaves out sizes without a name. */
export function icnsOf(pictures: readonly Picture[]): Buffer {
  const entries = pictures.flatMap(({ sizePx, png }) =>
    (ICNS_TYPES[sizePx] ?? []).map((type) => Buffer.concat([icnsFront(type, png.length), png])),
  );
  const bytes = entries.reduce((sum, entry) => sum + entry.length, 0);
  return Buffer.concat([icnsFront('icns', bytes), ...entries]);
}

function icnsFront(type: string, contentBytes: number): Buffer {
  const front = Buffer.alloc(ICNS_FRONT_BYTES);
  front.write(type, 'latin1');
  front.writeUInt32BE(ICNS_FRONT_BYTES + contentBytes, 4);
  return front;
}
