/**
 * The recovery phrase: 24 words (BIP-39, 256 bits and a checksum) that open backups on another machine. The
 * installation stores only the public half of the key pair derived from the words: backups can be made without
 * entering them, and someone who takes the machine does not get them.
 */
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { generateMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { BackupError } from '../errors.ts';

const ENTROPY_BITS = 256;
/** RFC 8410: the bytes before the 32 bytes of an X25519 key in PKCS #8 and SPKI. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const KEY_BYTES = 32;
const INFO = 'gatehouse backup, recovery key 1';

export type RecoveryKey = { privateKey: KeyObject; publicKey: Buffer };

export function makeRecoveryPhrase(): string {
  return generateMnemonic(wordlist, ENTROPY_BITS);
}

/** Parses words regardless of spacing and case. @throws BackupError `wrong_phrase` */
export function recoveryKeyOf(phrase: string): RecoveryKey {
  const words = phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ');
  if (words.split(' ').length !== 24 || !validateMnemonic(words, wordlist)) {
    throw new BackupError(
      'wrong_phrase',
      'This is not a recovery phrase of 24 words. Check the spelling and order of the words.',
    );
  }
  const entropy = mnemonicToEntropy(words, wordlist);
  const seed = Buffer.from(hkdfSync('sha256', entropy, '', INFO, KEY_BYTES));
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
}

/** A secret that only the owner of `publicKey` can derive, from the bytes stored with it (RFC 7748). */
export function sharedSecretFor(publicKey: Uint8Array): { ephemeral: Buffer; secret: Buffer } {
  const pair = generateKeyPairSync('x25519');
  const secret = diffieHellman({ privateKey: pair.privateKey, publicKey: publicKeyOf(publicKey) });
  return { ephemeral: rawPublicKey(pair.publicKey), secret };
}

export function sharedSecretOf({ privateKey }: RecoveryKey, ephemeral: Uint8Array): Buffer {
  return diffieHellman({ privateKey, publicKey: publicKeyOf(ephemeral) });
}

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });

const rawPublicKey = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
