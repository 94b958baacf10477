/** Why an attempt got no complete response, in English, with a code that the console translates. */
import { messagesOf } from '../../../locales/node.ts';
import type { WebhooksMessages } from '../../../locales/types/webhooks.ts';

type Failures = WebhooksMessages['failures'];

const MAX_CHARS = 500;

/** The host name resolves to an address that webhooks may not be sent to. */
export class RefusedAddressError extends Error {
  constructor(host: string, address: string) {
    super(failureText('REFUSED_ADDRESS', `${host}, ${address}`));
    this.name = 'RefusedAddressError';
  }
}

/** @param detail follows the code: what a reader needs to find the cause */
export function failureText(code: keyof Failures, detail?: string): string {
  const { failures } = messagesOf('webhooks', 'en');
  return `${failures[code]} (${detail === undefined ? code : `${code}: ${detail}`})`.slice(0, MAX_CHARS);
}

/** The failure of a connection, by the system’s code for it; an unknown code keeps the system’s own text. */
export function failureMessage(error: Error): string {
  if (error instanceof RefusedAddressError) return error.message;
  // Several addresses were tried and each failed: the first failure is reported.
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  if (code === null) return cause.message.slice(0, MAX_CHARS);
  return isKnown(code) ? failureText(code) : `${cause.message} (${code})`.slice(0, MAX_CHARS);
}

const isKnown = (code: string): code is keyof Failures =>
  Object.hasOwn(messagesOf('webhooks', 'en').failures, code);
