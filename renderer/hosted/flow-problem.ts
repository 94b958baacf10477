/** What went wrong with a flow call, in the closed set of kinds that the page knows how to answer. */
import { FLOW_ERRORS, type FlowError } from '../../server/contract/flow.ts';

export type FlowProblemCode = FlowError | 'server';

export class FlowProblem extends Error {
  readonly code: FlowProblemCode;

  constructor(code: FlowProblemCode) {
    super(code);
    this.name = 'FlowProblem';
    this.code = code;
  }
}

const isFlowError = (value: unknown): value is FlowError =>
  (FLOW_ERRORS as readonly unknown[]).includes(value);

/** The problem that an error reply stands for. @param body the parsed JSON body, or null */
export function problemOf(status: number, body: unknown): FlowProblem {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  if (isFlowError(detail)) return new FlowProblem(detail);
  return new FlowProblem(status === 404 ? 'not found' : 'server');
}

/** Any thrown value as a problem. */
export const asFlowProblem = (error: unknown): FlowProblem =>
  error instanceof FlowProblem ? error : new FlowProblem('server');
