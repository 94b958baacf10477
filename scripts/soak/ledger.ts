/** What the server has acknowledged to its callers. All of it must still be there whatever was done to the server. */
import type { Confirmation } from '../../server/contract/v3.ts';

export type Verdict = {
  sessionId: string;
  /** The secret key that may read it. */
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
  /** The organiser's own ids of v1 and v2 runs that the person saw end approved; each causes one webhook. */
  readonly approvals: Set<string>;
  /** Refusals and answers that nobody should ever get. */
  readonly faults: string[];
  /** Calls that died with the server and were made again. */
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

/** Whether the server still says of a run what it said before. `verified` is left out: a lock takes it back. */
export const saysTheSame = (
  verdict: Verdict,
  reported: Pick<Confirmation, 'status' | 'reasons' | 'locked'>,
): boolean =>
  reported.status === verdict.status &&
  reported.locked === verdict.locked &&
  reported.reasons.join() === verdict.reasons.join();
