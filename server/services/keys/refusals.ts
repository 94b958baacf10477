/**
 * Records failed sign-ins, refused keys and refused roles in the audit log without flooding it: the first of a kind
 * is written at once, further ones within the window become one entry with their number.
 */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import { findKeyByHash } from '../../store/keys/keys.ts';
import type { Ports } from '../ports/ports.ts';
import { sha256 } from '../ports/ids.ts';

export const REFUSAL_WINDOW_MS = 10 * 60_000;
/** Windows of one action open at a time; further sources are counted together. */
export const MAX_SOURCES = 50;
const FLUSH_EVERY_MS = 60_000;

type Refusal = {
  action:
    | 'operator.sign_in_failed'
    | 'operator.locked_out'
    | 'operator.pin_failed'
    | 'operator.role_refused'
    | 'key.refused';
  /** Who was refused, if known; otherwise `system`. */
  actor?: Actor;
  scope?: Scope | null;
  /** Operator or key; never the typed text. */
  subject: string;
  /** Address or kiosk; null if it would be a guest's. */
  source: string | null;
  /** Time of the first refusal of a window. */
  details?: Record<string, unknown>;
};

export type RefusalLog = {
  /** Returns at once, so that a refusal does not wait for the audit log. */
  note(refusal: Refusal): void;
  /** Writes the counts. */
  close(): Promise<void>;
};

type Window = { refusal: Refusal; openedAt: number; count: number };

export function createRefusalLog(db: Database, clock: Clock, onError: (error: unknown) => void): RefusalLog {
  const windows = new Map<string, Window>();
  let turn: Promise<void> = Promise.resolve();

  const write = ({ action, actor = 'system', scope, subject }: Refusal, details: object): void => {
    const entry = {
      at: clock.now(),
      actor,
      action,
      companyId: scope?.companyId ?? null,
      partition: scope?.partition ?? null,
      subject,
      details: { ...details },
    };
    turn = turn.then(() => db.tx((tx) => appendAudit(tx, entry), scope ?? undefined)).catch(onError);
  };

  const end = (key: string, { refusal, openedAt, count }: Window): void => {
    windows.delete(key);
    if (count === 0) return;
    const { source } = refusal;
    write(refusal, { ...(source !== null && { source }), count, since: new Date(openedAt).toISOString() });
  };

  const isOver = ({ openedAt }: Window): boolean => {
    const age = clock.now() - openedAt;
    return age >= REFUSAL_WINDOW_MS || age < 0;
  };

  const endOver = (): void => {
    for (const [key, window] of windows) if (isOver(window)) end(key, window);
  };

  const isCrowded = (action: string): boolean => {
    let open = 0;
    for (const { refusal } of windows.values()) if (refusal.action === action) open += 1;
    return open >= MAX_SOURCES;
  };

  const flushing = setInterval(endOver, FLUSH_EVERY_MS);
  flushing.unref();

  return {
    note(refusal) {
      endOver();
      const { action, actor, subject, source } = refusal;
      const key = JSON.stringify([action, actor, subject, source]);
      const known = windows.get(key);
      if (known) {
        known.count += 1;
        return;
      }
      if (!isCrowded(action)) {
        windows.set(key, { refusal, openedAt: clock.now(), count: 0 });
        write(refusal, { ...(source !== null && { source }), ...refusal.details });
        return;
      }
      const others = windows.get(action);
      if (others) others.count += 1;
      else {
        const lumped: Refusal = { action, subject: 'many', source: 'many' };
        windows.set(action, { refusal: lumped, openedAt: clock.now(), count: 1 });
      }
    },
    async close() {
      clearInterval(flushing);
      for (const [key, window] of windows) end(key, window);
      await turn;
    },
  };
}

/** Publishable keys are sent by guests' browsers, whose addresses stay out of the audit log. */
const PUBLISHABLE = /^pk_/;

/** Records the use of an inactive key in the audit log: by its ID if it was once active, never by its text. */
export async function noteRefusedKey(
  { db, refusals }: Pick<Ports, 'db'> & { refusals: RefusalLog },
  text: string,
  address: string,
): Promise<void> {
  const key = await findKeyByHash(db, sha256(text));
  refusals.note({
    action: 'key.refused',
    subject: key?.id ?? 'unknown key',
    scope: key ? { companyId: key.companyId, partition: key.partition } : null,
    source: PUBLISHABLE.test(text) ? null : address,
    details: { kind: /^(pk|sk|ak)_(live|test)_/.exec(text)?.[0].slice(0, -1) ?? 'unknown' },
  });
}
