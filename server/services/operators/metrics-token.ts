/** The token for a monitoring system that reads the metrics while the console can be reached from other machines. */
import type { AuditAction } from '../../contract/console/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { timingSafeEqual } from 'node:crypto';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { randomBase62, sha256 } from '../ports/ids.ts';

const SETTING = 'metrics_token';
/** 256 bits. */
const RANDOM_CHARS = 43;

type Stored = { hash: string };

/** Creates a token that replaces the previous one. Returns it only once; its hash is stored. */
export async function makeMetricsToken(db: Database, clock: Clock, actor: Actor): Promise<string> {
  const token = `mt_${randomBase62(RANDOM_CHARS)}`;
  await save(db, clock, { hash: sha256(token).toString('hex') }, { actor, action: 'metrics_token.make' });
  return token;
}

/** Revokes the token from the next request on. */
export function revokeMetricsToken(db: Database, clock: Clock, actor: Actor): Promise<void> {
  return save(db, clock, null, { actor, action: 'metrics_token.revoke' });
}

/**
 * Compares in constant time. Reads the database each time, so that a revocation by the command line applies
 * immediately.
 */
export async function isMetricsToken(db: SqlReader, text: string): Promise<boolean> {
  const stored = await readSetting<Stored>(db, SETTING);
  return stored !== null && timingSafeEqual(sha256(text), Buffer.from(stored.hash, 'hex'));
}

async function save(
  db: Database,
  clock: Clock,
  stored: Stored | null,
  { actor, action }: { actor: Actor; action: AuditAction },
): Promise<void> {
  await db.tx(async (tx) => {
    await changeSetting(tx, SETTING, stored, { at: clock.now(), actor, action });
  });
}
