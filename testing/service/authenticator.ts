/** A security key in software: makes passkeys and signs with them as WebAuthn says, or wrongly if a test asks for it. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { NewPasskey, PasskeySignIn } from '../../server/contract/console/access.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What a browser or an authenticator may do otherwise than it should. */
type Deviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Nobody put in a finger or a PIN. */
  unverified?: boolean;
  counter?: number;
  handle?: string;
};

export type SoftAuthenticator = {
  create(options: PublicKeyCredentialCreationOptionsJSON, deviation?: Deviation): Omit<NewPasskey, 'name'>;
  get(options: PublicKeyCredentialRequestOptionsJSON, deviation?: Deviation): PasskeySignIn;
};

/** @param origin of the page in its browser */
export function softAuthenticator(origin: string): SoftAuthenticator {
  const id = randomBytes(16);
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;
  let handle = '';
  const clientData = (type: string, challenge: string, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (rpId: string, flags: number, deviation: Deviation, credential = Buffer.alloc(0)) => {
    counter = deviation.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = deviation.unverified === true ? 0 : USER_VERIFIED;
    return Buffer.concat([
      createHash('sha256')
        .update(deviation.rpId ?? rpId)
        .digest(),
      Buffer.of(flags | USER_PRESENT | verified),
      count,
      credential,
    ]);
  };
  return {
    create(options, deviation = {}) {
      handle = options.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(keys.publicKey)]);
      const data = authData(options.rp.id ?? '', HAS_CREDENTIAL, deviation, credential);
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0)],
        ...[cborText('authData'), cborBytes(data)],
      ]);
      return {
        id: id.toString('base64url'),
        client_data: clientData('webauthn.create', options.challenge, deviation).toString('base64url'),
        attestation: attestation.toString('base64url'),
      };
    },
    get(options, deviation = {}) {
      const data = authData(options.rpId ?? '', 0, deviation);
      const client = clientData('webauthn.get', options.challenge, deviation);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        id: id.toString('base64url'),
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: sign('sha256', signed, keys.privateKey).toString('base64url'),
        user_handle: deviation.handle ?? handle,
      };
    },
  };
}

/** COSE (RFC 9053): an EC2 key for ES256 on P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = [x, y].map((half) => cborBytes(Buffer.from(half, 'base64url')));
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
    ...point.slice(0, 1),
    Buffer.of(0x22),
    ...point.slice(1),
  ]);
}

const cborText = (text: string): Buffer => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);

/** The shortest length, because readers encode a key again to find its end. At most 255 bytes. */
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(0x58, bytes.length), bytes]);
