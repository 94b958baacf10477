import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 with a prepared key (RFC 2104). Node's own HMAC sets up a context and a key object each time, which
 * costs four times as much as the two hashes; this is on the path of every confirmation read.
 */
export function hmacSha256(key: Uint8Array): (message: Uint8Array) => Buffer {
  const inner = padded(key, 0x36);
  const outer = padded(key, 0x5c);
  return (message) => sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, message]))]));
}

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  return block.map((byte) => byte ^ pad) as Buffer;
}
