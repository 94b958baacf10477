import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlTx } from '../../store/sql/port.ts';

/** Something that happened in the demo's past; events are written in the order of their times, as they would have been. */
export type DemoEvent = { at: number; write(tx: SqlTx): Promise<void> };

/** What all parts of the demo write into. */
export type DemoTenant = {
  live: Scope;
  test: Scope;
  /** The default first, then the box office's, the members' club's and the crew's. */
  verificationIds: readonly string[];
  keys: {
    /** The secret key that v3 runs were made with. */
    secretKeyId: string;
    /** The key of v1 and v2, with its line, to which webhooks go. */
    apiKeyId: string;
    apiLineageId: string;
    testKeyId: string;
  };
  /** Who decided its cases; `actor` as the audit log has it. */
  reviewer: { id: string; actor: Actor };
  /** Of the faces that are enrolled. */
  model: { id: string; embeddingLength: number; thresholds: { near: number; samePerson: number } };
};
