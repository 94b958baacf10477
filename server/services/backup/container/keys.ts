/** Wraps a backup's data key for each way to open it. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { CIPHER, type Header, KEY_BYTES, NONCE_BYTES, type SealedBox, TAG_BYTES } from './format.ts';
import { BackupError } from '../../errors.ts';
import { type RecoveryKey, sharedSecretFor, sharedSecretOf } from '../recovery-phrase.ts';

const SALT_BYTES = 32;

/** The secrets that can open a backup. */
export type BackupKey = { kind: 'database'; key: Uint8Array } | { kind: 'recovery'; key: RecoveryKey };

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

/** @throws BackupError `wrong_key`, `wrong_phrase`, `no_recovery` */
export function unwrapDataKey(keys: Header['keys'], opener: BackupKey): Buffer {
  switch (opener.kind) {
    case 'database': {
      const { salt, box } = keys.database;
      const key = wrappingKey(opener.key, Buffer.from(salt, 'hex'), DATABASE);
      const dataKey = unseal(key, box, DATABASE);
      if (dataKey) return dataKey;
      throw new BackupError(
        'wrong_key',
        'This backup was made with another database key. Restore it with its recovery phrase (--phrase-file FILE).',
      );
    }
    case 'recovery':
      return unwrapWithPhrase(keys.recovery, opener.key);
  }
}

function unwrapWithPhrase(wrapped: Header['keys']['recovery'], recovery: RecoveryKey): Buffer {
  if (!wrapped) {
    throw new BackupError(
      'no_recovery',
      'This backup was made before a recovery phrase was created. Restore it on the installation that made it.',
    );
  }
  const ephemeral = Buffer.from(wrapped.ephemeral, 'hex');
  const salt = Buffer.concat([ephemeral, recovery.publicKey]);
  const key = wrappingKey(sharedSecretOf(recovery, ephemeral), salt, RECOVERY);
  const dataKey = unseal(key, wrapped.box, RECOVERY);
  if (dataKey) return dataKey;
  throw new BackupError(
    'wrong_phrase',
    'This backup was made with another recovery phrase. Use the phrase that was valid when it was made.',
  );
}
