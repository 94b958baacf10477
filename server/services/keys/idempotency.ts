/**
 * Calls that may be repeated: a key of the client's stands for one effect, and the reply to the first call is the reply to all
 * (`Idempotency-Key`). It is kept in the transaction of the effect, so there is either both or neither.
 */
import { olderThan } from '../../domain/clock.ts';
import { canonicalJson } from '../../domain/idempotency.ts';
import { deleteOldReplies, findKeptReply, keepReply } from '../../store/keys/idempotency.ts';
import { isUniqueViolation, type SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { inBatches } from '../ports/batches.ts';
import { isSameHash, sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';
import type { Caller } from './keys.ts';

export const REPLY_KEPT_MS = 24 * 3_600_000;

/** Keeps the reply of a call; `subjectId` is the session, invite or pass that it is about. */
export type KeepReply<T> = (tx: SqlTx, reply: T, subjectId: string) => Promise<void>;

/** Whose keys they are: an API key, or a phone of the door team. */
export type Repeater = Pick<Caller, 'scope' | 'lineageId'> & { kind: Caller['kind'] | 'phone' };

export type RepeatableCall = {
  caller: Repeater;
  operation: string;
  key: string;
  /** All that was sent, parsed. */
  sent: unknown;
};

/** Fingerprints of this process's calls that have not ended. */
const running = new Map<string, Uint8Array>();

/**
 * Does the work once for each key of a kind of a family’s keys, partition and operation within 24 hours. A refusal keeps nothing, so the
 * call can be corrected and sent again.
 * @throws Refusal `idempotency_key_reused` if the key came with other contents, `idempotency_key_in_use` while the
 * first call with it is running
 */
export async function once<T>(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { caller, operation, key, sent }: RepeatableCall,
  work: (keep: KeepReply<T>) => Promise<T>,
): Promise<{ reply: T; isReplayed: boolean }> {
  const { scope, lineageId, kind } = caller;
  // Each key of a pair has its own: anyone who reads a page's source has the publishable one, and could take the others first.
  const id = sha256(JSON.stringify([lineageId, kind, scope.partition, operation, key])).toString('hex');
  const fingerprint = sha256(`${key} ${canonicalJson(sent)}`);
  const kept = async (): Promise<{ reply: T; isReplayed: boolean } | null> => {
    const found = await findKeptReply(db, scope, id);
    if (!found || found.createdAt <= clock.now() - REPLY_KEPT_MS) return null;
    if (!isSameHash(found.fingerprint, fingerprint)) throw reused();
    return { reply: JSON.parse(found.reply) as T, isReplayed: true };
  };
  const other = running.get(id);
  if (other) throw isSameHash(other, fingerprint) ? inUse() : reused();
  running.set(id, fingerprint);
  try {
    const earlier = await kept();
    if (earlier) return earlier;
    const reply = await work((tx, made, subjectId) => {
      const createdAt = clock.now();
      const endedBefore = createdAt - REPLY_KEPT_MS;
      return keepReply(tx, scope, id, {
        fingerprint,
        reply: JSON.stringify(made),
        subjectId,
        createdAt,
        endedBefore,
      });
    });
    return { reply, isReplayed: false };
  } catch (error) {
    if (!isUniqueViolation(error, 'idempotency_keys_pkey')) throw error;
    // Another node was first; its effect and its reply are committed.
    const first = await kept();
    if (!first) throw error;
    return first;
  } finally {
    running.delete(id);
  }
}

/** Deletes replies that are not given again. */
export async function forgetReplies({ db, deletions }: Pick<Ports, 'db' | 'deletions'>): Promise<void> {
  const time = deletions.deletionTime();
  if (time === null) return;
  const before = olderThan(time, REPLY_KEPT_MS);
  await inBatches(db, (tx, limit) => deleteOldReplies(tx, before, limit), { lock: { companyId: null } });
}

const reused = (): Refusal =>
  new Refusal('idempotency_key_reused', {
    message: 'Idempotency-Key: it was sent before with another body. Use a new key.',
  });

const inUse = (): Refusal =>
  new Refusal('idempotency_key_in_use', {
    message: 'Idempotency-Key: the first call with it is still running. Try again.',
  });
