import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../../store/sql/port.ts';

/** An event in the demo's past. Events are written in chronological order, as in reality. */
export type DemoEvent = { at: number; write(tx: SqlTx): Promise<void> };

/** Shared state that all parts of the demo write to. */
export type DemoTenant = {
  live: Scope;
  test: Scope;
  /** The default first, then those of the box office, the members' club and the crew. */
  verificationIds: readonly string[];
  keys: {
    /** The secret key that started v3 runs. */
    secretKeyId: string;
    /** The key of v1 and v2 with its family, which receives webhooks. */
    apiKeyId: string;
    apiLineageId: string;
    testKeyId: string;
  };
  /** The reviewer of its cases; `actor` as in the audit log. */
  reviewer: { id: string; actor: Actor };
  /** Of the enrolled faces. */
  model: { id: string; embeddingLength: number; thresholds: { near: number; samePerson: number } };
};
