/**
 * Everything that the server has acknowledged to its callers. All of it must still exist, whatever happens to the
 * server.
 */
import type { Confirmation } from '../../server/contract/v3.ts';

export type Verdict = {
  sessionId: string;
  /** The secret key that can read it. */
  key: string;
  vyt: string;
  settledAtMs: number;
  status: Confirmation['status'];
  reasons: readonly string[];
  locked: boolean;
};

export type Ledger = {
  readonly sessions: Set<string>;
  readonly verdicts: Verdict[];
  /** The organiser's own IDs of approved v1 and v2 runs; each causes one webhook. */
  readonly approvals: Set<string>;
  /** Refusals and answers that must never occur. */
  readonly faults: string[];
  /** Calls that failed with the server and were repeated. */
  interrupted: number;
  /** People who used the camera. */
  captures: number;
};

export const newLedger = (): Ledger => ({
  sessions: new Set(),
  verdicts: [],
  approvals: new Set(),
  faults: [],
  interrupted: 0,
  captures: 0,
});

/** Whether the server still reports the same about a run. Ignores `verified`, which a lock changes. */
export const saysTheSame = (
  verdict: Verdict,
  reported: Pick<Confirmation, 'status' | 'reasons' | 'locked'>,
): boolean =>
  reported.status === verdict.status &&
  reported.locked === verdict.locked &&
  reported.reasons.join() === verdict.reasons.join();
