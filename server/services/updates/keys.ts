/**
 * The signature of updates: Ed25519 over the bytes of the manifest, with one or two keys. Their public halves are part of the
 * program, so nobody who can only write files or settings can add one. Two slots let a new key take over from an old one.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import keys from './keys.json' with { type: 'json' };

export const MOST_KEYS = 2;
/** So that a signature never counts for something else that is signed with the key. */
const PURPOSE = Buffer.from('gatehouse update 1\n');
const ID_CHARS = 16;

const UpdateKey = Type.Object(
  {
    id: Type.String({ pattern: `^[0-9a-f]{${ID_CHARS}}$` }),
    /** SubjectPublicKeyInfo, in base64. */
    public_key: Type.String({ maxLength: 100 }),
  },
  { additionalProperties: false },
);
export type UpdateKey = Static<typeof UpdateKey>;

/** `manifest.sig`. */
const Signatures = Type.Object(
  {
    signatures: Type.Array(
      Type.Object(
        { key: Type.String({ maxLength: 40 }), signature: Type.String({ maxLength: 100 }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_KEYS },
    ),
  },
  { additionalProperties: false },
);

/** The keys that this version accepts. */
export const acceptedKeys = (): readonly UpdateKey[] => keys.keys;

export function updateKeyOf(publicKey: KeyObject): UpdateKey {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(der).digest('hex').slice(0, ID_CHARS);
  return { id, public_key: der.toString('base64') };
}

const signedBytes = (manifest: Uint8Array): Buffer => Buffer.concat([PURPOSE, manifest]);

/** The content of `manifest.sig`. */
export function signManifest(
  manifest: Uint8Array,
  signers: readonly { key: UpdateKey; privateKey: KeyObject }[],
): Buffer {
  const signatures = signers.map(({ key, privateKey }) => ({
    key: key.id,
    signature: sign(null, signedBytes(manifest), privateKey).toString('base64'),
  }));
  return Buffer.from(JSON.stringify({ signatures } satisfies Static<typeof Signatures>));
}

/**
 * The ID of the accepted key that has signed the manifest. `unknown`: only other keys have. `wrong`: the manifest or the
 * signature was changed.
 */
export function signerOf(
  manifest: Uint8Array,
  signature: Uint8Array,
  accepted: readonly UpdateKey[],
): { key: string } | 'unknown' | 'wrong' {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(signature).toString('utf8'));
  } catch {
    return 'wrong';
  }
  if (!Value.Check(Signatures, value)) return 'wrong';
  const known = value.signatures.flatMap((each) => {
    const key = accepted.find(({ id }) => id === each.key);
    return key === undefined ? [] : [{ key, signature: Buffer.from(each.signature, 'base64') }];
  });
  if (known.length === 0) return 'unknown';
  const signed = signedBytes(manifest);
  const isRight = known.every(({ key, signature: bytes }) => {
    const publicKey = createPublicKey({
      key: Buffer.from(key.public_key, 'base64'),
      format: 'der',
      type: 'spki',
    });
    return verify(null, signed, publicKey, bytes);
  });
  return isRight && known[0] !== undefined ? { key: known[0].key.id } : 'wrong';
}
