/** The token that a monitoring system reads the metrics with, where the console can be reached from other machines. */
import type { AuditAction } from '../../contract/console/audit.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { timingSafeEqual } from 'node:crypto';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';
import { randomBase62, sha256 } from '../ids.ts';

const SETTING = 'metrics_token';
/** 256 bits. */
const RANDOM_CHARS = 43;

type Stored = { hash: string };

/** Makes a token, in place of the one before. It is shown this once; its hash is kept. */
export async function makeMetricsToken(db: Database, clock: Clock, actor: Actor): Promise<string> {
  const token = `mt_${randomBase62(RANDOM_CHARS)}`;
  await save(db, clock, { hash: sha256(token).toString('hex') }, { actor, action: 'metrics_token.make' });
  return token;
}

/** No token works from the next request on. */
export function revokeMetricsToken(db: Database, clock: Clock, actor: Actor): Promise<void> {
  return save(db, clock, null, { actor, action: 'metrics_token.revoke' });
}

/** In constant time. Read from the database each time, so that a revocation by the command line counts at once. */
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
    await writeSetting(tx, SETTING, stored);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action,
      companyId: null,
      partition: null,
      subject: 'installation',
      details: {},
    });
  });
}
