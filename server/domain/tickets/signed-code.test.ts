import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readSignedCode, readSigningKeys } from './signed-code.ts';

const KEY =
  'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUNvd0JRWURLMlZ3QXlFQUE2RUh2L1BPRUw0ZGNOMFk1MHZBbVdmazFqQ2JwUTFmSGR5R1pCSlZNYmc9Ci0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQo=';
const ITEM =
  '=4g3+5CVxLF2hLUG41ZKJQ4hpuUkg8YlcdrbkhVV7xGeoeIvAzI5Q9jQCO/I3FdzJRJrVtgbQBssyx6l4CWcuJtCBDhSodkZFR2QiFUCKAEAOAQA';
const VARIATION =
  '==gDkzVo+MpNdl0kKOmM6kJlnwFnx/c0/9NsYPCwTq0NNu0w+IKmqQ47FtVmouYnO985iSA5VK/uIxXzjXLn7Dq/AADAooCIHghCBDhSodkZFR2QiFUCKAEAWAQA';
const TIMED =
  '=MwbnpTxSefQEvd2Pl7zkNAK0XcAEtpu6EDwdZg6L+y+JPFDP3/2GQwY1xKokuLKhQPyj5WfEEUkRElJJqsAcIgBJ3JuADjBJjZlAjiCBDxUSFFUP5UTMtUCKAEAaAQA';

const PRIVATE = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(Array.from({ length: 32 }, (_, at) => at)),
  ]),
  format: 'der',
  type: 'pkcs8',
});
const keys = readSigningKeys([KEY]);
const NONE = { variation: 0, subevent: 0, validFrom: null, validUntil: null };

/** A code of any bytes, with a head that can be wrong. */
function codeOf(payload: Buffer, { version = 1, length = payload.length, size = 64, end = '' } = {}): string {
  const head = Buffer.from([version, length >> 8, length & 255, size >> 8, size & 255]);
  const bytes = Buffer.concat([head, payload, sign(null, payload, PRIVATE), Buffer.from(end)]);
  return Array.from(bytes.toString('base64')).reverse().join('');
}
const ITEM_1 = Buffer.from([0x10, 1]);

describe('a signed code', () => {
  it('of a product', () => expect(readSignedCode(ITEM, keys)).toEqual({ item: 1345, ...NONE }));

  it('of a variation and a date of a series, with times of zero', () =>
    expect(readSignedCode(VARIATION, keys)).toEqual({ ...NONE, item: 1345, variation: 7, subevent: 42 }));

  it('of a product with times', () =>
    expect(readSignedCode(TIMED, keys)).toEqual({
      ...NONE,
      item: 1345,
      validFrom: 1_764_100_800_000,
      validUntil: 1_764_187_200_000,
    }));

  it('is tried with every key of the event', () => {
    const other =
      'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUNvd0JRWURLMlZ3QXlFQVBVQVhwNzMyUlBhV2RZNktxQzZlU3Y0U1VxV1RWSlFhWDFZb3Q2TVlNWGc9Ci0tLS0tRU5EIFBVQkxJQyBLRVktLS0tLQo=';
    expect(readSignedCode(ITEM, readSigningKeys([other, KEY]))).toMatchObject({ item: 1345 });
    expect(readSignedCode(ITEM, readSigningKeys([other]))).toBeNull();
    expect(readSignedCode(ITEM, [])).toBeNull();
  });

  it('skips texts and fields that it does not know', () => {
    const payload = Buffer.from([
      0x0a, 2, 65, 66, 0x10, 1, 0x38, 9, 0x41, 1, 2, 3, 4, 5, 6, 7, 8, 0x4d, 1, 2, 3, 4,
    ]);
    expect(readSignedCode(codeOf(payload), keys)).toEqual({ item: 1, ...NONE });
  });

  it('with nothing in it names no product', () =>
    expect(readSignedCode(codeOf(Buffer.alloc(0)), keys)).toEqual({ item: 0, ...NONE }));
});

describe('nothing else', () => {
  it.each([
    ['a changed letter', ITEM.replace('CBDh', 'CBDi')],
    ['a code that was not reversed', Array.from(ITEM).reverse().join('')],
    ['a shorter one', ITEM.slice(4)],
    ['without its padding', ITEM.slice(1)],
    ['letters of the other alphabet', ITEM.replace('+', '-')],
    ['an empty one', ''],
    ['any other code', 'A-1234567'],
    ['another version', codeOf(ITEM_1, { version: 2 })],
    ['a signature of another length', codeOf(ITEM_1, { size: 63 })],
    ['a payload that is said to be longer', codeOf(ITEM_1, { length: 3 })],
    ['bytes behind the signature', codeOf(ITEM_1, { end: 'abc' })],
    ['a payload that is cut off', codeOf(Buffer.from([0x10]))],
    ['a number that does not end', codeOf(Buffer.from([0x10, ...Array<number>(11).fill(0xff)]))],
    ['a text that is longer than the payload', codeOf(Buffer.from([0x0a, 9, 65]))],
    ['a field of a type that does not exist', codeOf(Buffer.from([0x17]))],
    ['Unicode', 'ö'.repeat(4)],
  ])('%s', (_, code) => expect(readSignedCode(code, keys)).toBeNull());

  it('keys that are no Ed25519 keys in a PEM are left out', () => {
    const pem = createPublicKey(PRIVATE).export({ type: 'spki', format: 'pem' }).toString();
    expect(readSigningKeys(['', 'x', pem, Buffer.from('PEM').toString('base64')])).toEqual([]);
    expect(readSigningKeys([Buffer.from(pem).toString('base64')])).toHaveLength(1);
  });
});
