/** How a ticket's code is found without being stored: by its HMAC. */
import { createHmac } from 'node:crypto';

/** Purpose of the key among the installation's. */
export const TICKET_KEYS = 'tickets';

/** Bytes of `tickets.code_hash`. */
export type HashCode = (code: string) => Buffer;

export const hasherOf =
  (key: Uint8Array): HashCode =>
  (code) =>
    createHmac('sha256', key).update(code, 'utf8').digest();
