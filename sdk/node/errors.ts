import type { ValidationProblem } from './types.ts';

/** Where the reply came from, for your log and for a report to the operator. */
type Facts = {
  status: number;
  problems?: ValidationProblem[];
  /** `Request-Id` of the reply. */
  requestId?: string | null;
  /** Seconds after which the service asks you to try again. */
  retryAfterS?: number | null;
  cause?: unknown;
};

/**
 * A call that did not succeed. `code` is the service’s `detail`; `unreachable` if there was no reply in time, and `invalid_request`
 * with `problems` if the request does not match its schema.
 */
export class GatehouseError extends Error {
  readonly code: string;
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  readonly problems: ValidationProblem[];
  readonly requestId: string | null;
  readonly retryAfterS: number | null;

  constructor(code: string, { status, problems = [], requestId = null, retryAfterS = null, cause }: Facts) {
    const where = problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    const told = status === 0 ? 'Gatehouse did not answer' : `Gatehouse answered ${status}`;
    super(`${told}: ${code}${where === '' ? '' : ` (${where})`}`, { cause });
    this.name = 'GatehouseError';
    this.code = code;
    this.status = status;
    this.problems = problems;
    this.requestId = requestId;
    this.retryAfterS = retryAfterS;
  }
}
