/** Failures of v1 and v2 as they travel on the wire (contract, "v2 and v1 body"; decisions §4.1). */
const FAILURE_CODES = [
  'INVALID_API_ACCESS',
  'INVALID_API_KEY',
  'INVALID_REQUEST',
  'DOES_NOT_EXIST',
  'EXPIRED',
  'DEMO_ACCOUNT_REQUIRED',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'INTERNAL_ERROR',
  'SERVICE_TEMPORARILY_UNAVAILABLE',
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** A refusal that an integrator can act on: the code for the program, the reason for its author. */
export class ConnectFailure extends Error {
  readonly code: FailureCode;
  /** When it is worth retrying. */
  readonly retryAfterS: number | null;
  constructor(code: FailureCode, reason: string, retryAfterS: number | null = null) {
    super(reason);
    this.name = 'ConnectFailure';
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}
