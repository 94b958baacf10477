/** Wraps a backup's data key for each way to open it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import {
  CIPHER,
  type Header,
  KEY_BYTES,
  NONCE_BYTES,
  type SealedBox,
  signedBytes,
  TAG_BYTES,
} from './format.ts';
import { Refusal } from '../../../refusals/refusal.ts';
import { isSignedBy, type RecoveryKey, sharedSecretFor, sharedSecretOf } from '../recovery-phrase.ts';

const SALT_BYTES = 32;

/** The secrets that can open a backup. With a phrase, the database's key is tried first: it proves more. */
export type BackupKey =
  | { kind: 'database'; key: Uint8Array }
  | { kind: 'recovery'; key: RecoveryKey; databaseKey?: Uint8Array };

/**
 * Who made a backup, as far as what opened it proves. `database`: somebody with the key of this database. `phrase`:
 * somebody with the phrase, or with data of that phrase. `none`: anybody who has seen a backup for this phrase.
 */
export type Proof = 'database' | 'phrase' | 'none';

export function seal(key: Uint8Array, content: Uint8Array, context: string): SealedBox {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const data = Buffer.concat([cipher.update(content), cipher.final()]);
  return {
    nonce: nonce.toString('hex'),
    data: data.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
  };
}

/** Null if the key is wrong or anything was changed. */
export function unseal(key: Uint8Array, box: SealedBox, context: string): Buffer | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, Buffer.from(box.nonce, 'hex'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(Buffer.from(box.tag, 'hex'));
    return Buffer.concat([decipher.update(Buffer.from(box.data, 'hex')), decipher.final()]);
  } catch {
    return null;
  }
}

const DATABASE = 'gatehouse backup 1, wrapped with the database key';
const RECOVERY = 'gatehouse backup 1, wrapped with the recovery key';

const wrappingKey = (secret: Uint8Array, salt: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, purpose, KEY_BYTES));

export function wrapDataKey(
  dataKey: Uint8Array,
  databaseKey: Uint8Array,
  recoveryPublicKey: Uint8Array | null,
): Header['keys'] {
  const salt = randomBytes(SALT_BYTES);
  return {
    database: {
      salt: salt.toString('hex'),
      box: seal(wrappingKey(databaseKey, salt, DATABASE), dataKey, DATABASE),
    },
    recovery: recoveryPublicKey && wrapForRecovery(dataKey, recoveryPublicKey),
  };
}

function wrapForRecovery(dataKey: Uint8Array, publicKey: Uint8Array): Header['keys']['recovery'] {
  const { ephemeral, secret } = sharedSecretFor(publicKey);
  const key = wrappingKey(secret, Buffer.concat([ephemeral, publicKey]), RECOVERY);
  return {
    public_key: Buffer.from(publicKey).toString('hex'),
    ephemeral: ephemeral.toString('hex'),
    box: seal(key, dataKey, RECOVERY),
  };
}

/** @throws Refusal `wrong_key`, `wrong_phrase`, `no_recovery`, `backup_forged` */
export function unwrapDataKey(header: Header, opener: BackupKey): { dataKey: Buffer; proof: Proof } {
  const databaseKey = opener.kind === 'database' ? opener.key : opener.databaseKey;
  const dataKey = databaseKey === undefined ? null : unwrapWithDatabase(header.keys.database, databaseKey);
  if (dataKey) return { dataKey, proof: 'database' };
  if (opener.kind === 'recovery') return unwrapWithPhrase(header, opener.key);
  throw new Refusal('wrong_key', {
    message:
      'This backup was made with another database key. Restore it with its recovery phrase (--phrase-file FILE).',
  });
}

/** Whether the installation with this key made the backup. */
export const isMadeWith = (header: Header, databaseKey: Uint8Array): boolean =>
  unwrapWithDatabase(header.keys.database, databaseKey) !== null;

function unwrapWithDatabase(
  { salt, box }: Header['keys']['database'],
  databaseKey: Uint8Array,
): Buffer | null {
  return unseal(wrappingKey(databaseKey, Buffer.from(salt, 'hex'), DATABASE), box, DATABASE);
}

function unwrapWithPhrase(header: Header, recovery: RecoveryKey): { dataKey: Buffer; proof: Proof } {
  const wrapped = header.keys.recovery;
  if (!wrapped) {
    throw new Refusal('no_recovery', {
      message:
        'This backup was made before a recovery phrase was created. Restore it on the installation that made it.',
    });
  }
  const isFor = ({ publicKey }: { publicKey: Buffer }) => wrapped.public_key === publicKey.toString('hex');
  const isSigned = isFor(recovery.signed);
  const pair = isSigned ? recovery.signed : recovery.unsigned;
  const ephemeral = Buffer.from(wrapped.ephemeral, 'hex');
  const salt = Buffer.concat([ephemeral, pair.publicKey]);
  const dataKey = isFor(pair)
    ? unseal(wrappingKey(sharedSecretOf(pair, ephemeral), salt, RECOVERY), wrapped.box, RECOVERY)
    : null;
  if (!dataKey)
    throw new Refusal('wrong_phrase', {
      message:
        'This backup was made with another recovery phrase. Use the phrase that was valid when it was made.',
    });
  if (!isSigned) return { dataKey, proof: 'none' };
  const signature = Buffer.from(header.signature ?? '', 'hex');
  if (isSignedBy(recovery.signingKey, signedBytes(header), signature)) return { dataKey, proof: 'phrase' };
  throw new Refusal('backup_forged', {
    message:
      'This backup is not signed with the key of its recovery phrase: somebody else made or changed it. Do not use it. Nothing was restored.',
  });
}
