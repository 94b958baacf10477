/** What went wrong with a flow call, in the closed set of kinds that the page knows how to answer. */
import { FLOW_ERRORS, type FlowError } from '../../server/contract/flow.ts';

export type FlowProblemCode = FlowError | 'server';

/** What a refusal says beside its kind. */
export type ProblemDetails = { triesLeft: number | null; retryAfterS: number | null };

const NO_DETAILS: ProblemDetails = { triesLeft: null, retryAfterS: null };

export class FlowProblem extends Error {
  readonly code: FlowProblemCode;
  readonly details: ProblemDetails;

  constructor(code: FlowProblemCode, details: ProblemDetails = NO_DETAILS) {
    super(code);
    this.name = 'FlowProblem';
    this.code = code;
    this.details = details;
  }
}

const isFlowError = (value: unknown): value is FlowError =>
  (FLOW_ERRORS as readonly unknown[]).includes(value);

/**
 * The problem that an error reply stands for.
 * @param body the parsed JSON body, or null
 * @param retryAfter the header of that name
 */
export function problemOf(status: number, body: unknown, retryAfter: string | null = null): FlowProblem {
  const { detail, tries_left: triesLeft } = fieldsOf(body);
  if (!isFlowError(detail)) return new FlowProblem(status === 404 ? 'not found' : 'server');
  const seconds = Number(retryAfter ?? Number.NaN);
  return new FlowProblem(detail, {
    triesLeft: typeof triesLeft === 'number' ? triesLeft : null,
    retryAfterS: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
  });
}

const fieldsOf = (body: unknown): Partial<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {};

/** Any thrown value as a problem. */
export const asFlowProblem = (error: unknown): FlowProblem =>
  error instanceof FlowProblem ? error : new FlowProblem('server');
