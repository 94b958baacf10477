/**
 * The recovery phrase: 24 words (BIP-39, 256 bits and a checksum) that open backups on another machine. The words yield two
 * key pairs. The installation stores the public half of the one that opens backups, so that they can be made without
 * entering the words, and the private half of the one that signs them: a backup's file contains the former, and only
 * the words or the database yield the latter.
 */
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { generateMnemonic, mnemonicToEntropy, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { Refusal } from '../../refusals/refusal.ts';

const ENTROPY_BITS = 256;
/** RFC 8410: the bytes before the 32 bytes of an X25519 key in PKCS #8 and SPKI. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const KEY_BYTES = 32;
/** The same for Ed25519. */
const SIGNING_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Of phrases from before backups were signed. A newer phrase has another key, for which only signed backups count. */
const UNSIGNED_INFO = 'gatehouse backup, recovery key 1';
const INFO = 'gatehouse backup, recovery key 2';
const SIGNING_INFO = 'gatehouse backup, signing key 1';

type KeyPair = { privateKey: KeyObject; publicKey: Buffer };

/** What a phrase yields. */
export type RecoveryKey = {
  /** Opens backups that are signed. */
  signed: KeyPair;
  /** Opens those of an earlier version, which nobody signed. */
  unsigned: KeyPair;
  /** Secret bytes of the key that signs. */
  signingKey: Buffer;
};

export function makeRecoveryPhrase(): string {
  return generateMnemonic(wordlist, ENTROPY_BITS);
}

/** Parses words regardless of spacing and case. @throws Refusal `wrong_phrase` */
export function recoveryKeyOf(phrase: string): RecoveryKey {
  const words = phrase.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ');
  if (words.split(' ').length !== 24 || !validateMnemonic(words, wordlist)) {
    throw new Refusal('wrong_phrase', {
      message: 'This is not a recovery phrase of 24 words. Check the spelling and order of the words.',
    });
  }
  const entropy = mnemonicToEntropy(words, wordlist);
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', entropy, '', info, KEY_BYTES));
  return {
    signed: keyPairOf(derive(INFO)),
    unsigned: keyPairOf(derive(UNSIGNED_INFO)),
    signingKey: derive(SIGNING_INFO),
  };
}

function keyPairOf(seed: Buffer): KeyPair {
  const privateKey = privateKeyOf(PRIVATE_PREFIX, seed);
  return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
}

const privateKeyOf = (prefix: Buffer, seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });

/** Ed25519 (RFC 8032). */
export const signatureOf = (signingKey: Uint8Array, bytes: Uint8Array): Buffer =>
  sign(null, bytes, privateKeyOf(SIGNING_PREFIX, signingKey));

export const isSignedBy = (signingKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, bytes, createPublicKey(privateKeyOf(SIGNING_PREFIX, signingKey)), signature);

/** A secret that only the owner of `publicKey` can derive, from the bytes stored with it (RFC 7748). */
export function sharedSecretFor(publicKey: Uint8Array): { ephemeral: Buffer; secret: Buffer } {
  const pair = generateKeyPairSync('x25519');
  const secret = diffieHellman({ privateKey: pair.privateKey, publicKey: publicKeyOf(publicKey) });
  return { ephemeral: rawPublicKey(pair.publicKey), secret };
}

export function sharedSecretOf({ privateKey }: KeyPair, ephemeral: Uint8Array): Buffer {
  return diffieHellman({ privateKey, publicKey: publicKeyOf(ephemeral) });
}

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });

const rawPublicKey = (key: KeyObject): Buffer =>
  key.export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
