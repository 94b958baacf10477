/** A failed flow call, by the closed set of kinds that pages handle. */
import { FLOW_ERRORS, type FlowError } from '../../server/contract/flow.ts';
import { asRequestError } from '../http/request-error.ts';

export type FlowRefusalCode = FlowError | 'server';

export type FlowRefusal = {
  code: FlowRefusalCode;
  /** The server's details in addition to the code. */
  details: { triesLeft: number | null; retryAfterS: number | null };
};

/** Any thrown value as a refusal. */
export function flowRefusalOf(error: unknown): FlowRefusal {
  const { code, status, facts, retryAfterS } = asRequestError(error);
  const triesLeft = facts['tries_left'];
  return {
    code: FLOW_ERRORS.find((known) => known === code) ?? (status === 404 ? 'not found' : 'server'),
    details: { triesLeft: typeof triesLeft === 'number' ? triesLeft : null, retryAfterS },
  };
}
