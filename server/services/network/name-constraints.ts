/** The extension that binds an authority to private addresses and local names (RFC 5280 §4.2.1.10), as DER. */

const SEQUENCE = 0x30;
const PERMITTED_SUBTREES = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** A name stands for itself and all below it. */
export const LOCAL_NAMES = ['localhost', 'local', 'lan', 'internal', 'home.arpa'] as const;

/** Loopback, RFC 1918, shared (RFC 6598) and link-local. */
export const PRIVATE_V4 = [
  [127, 0, 0, 0, 8],
  [10, 0, 0, 0, 8],
  [172, 16, 0, 0, 12],
  [192, 168, 0, 0, 16],
  [100, 64, 0, 0, 10],
  [169, 254, 0, 0, 16],
] as const;
/** Loopback, unique local (RFC 4193) and link-local: first bytes and the length of the prefix. */
const PRIVATE_V6 = [
  { last: 1, first: 0, second: 0, bits: 128 },
  { last: 0, first: 0xfc, second: 0, bits: 7 },
  { last: 0, first: 0xfe, second: 0x80, bits: 10 },
] as const;

export function nameConstraints(): ArrayBuffer {
  const subtrees = [
    ...LOCAL_NAMES.map((name) => der(DNS_NAME, Buffer.from(name, 'ascii'))),
    ...PRIVATE_V4.map(([a, b, c, d, bits]) =>
      der(IP_ADDRESS, Buffer.concat([Buffer.from([a, b, c, d]), mask(bits, 4)])),
    ),
    ...PRIVATE_V6.map(({ first, second, last, bits }) => {
      const address = Buffer.alloc(16);
      address[0] = first;
      address[1] = second;
      address[15] = last;
      return der(IP_ADDRESS, Buffer.concat([address, mask(bits, 16)]));
    }),
  ];
  const permitted = der(PERMITTED_SUBTREES, Buffer.concat(subtrees.map((base) => der(SEQUENCE, base))));
  return Uint8Array.from(der(SEQUENCE, permitted)).buffer;
}

function mask(bits: number, bytes: number): Buffer {
  return Buffer.from(
    Array.from({ length: bytes }, (_, n) => 0xff & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * n)))),
  );
}

/** Tag, length, content; contents below 64 KiB. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
