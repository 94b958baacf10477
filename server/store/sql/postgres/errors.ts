import pg from 'pg';
import { StoreError, UniqueViolation } from '../port.ts';

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A deadlock or a failed serialisation: PostgreSQL has rolled back the transaction, and it may run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

const LOST =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout expired)/;

/** All connections of the pool were in use for as long as a statement waits for one. The pool has no code for this. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** The server is unavailable, is stopping, or is not the primary. */
export function isConnectionLost(error: unknown): error is Error {
  const code = codeOf(error);
  if (/^(08|57P0[1-5]|25006|25P03)/.test(code)) return true;
  if (error instanceof pg.DatabaseError) return false;
  if (UNREACHABLE.includes(code)) return true;
  return error instanceof Error && LOST.test(error.message);
}

const BUSY = 'PostgreSQL is too busy to answer in time.';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

/** Node has its own codes for certificates in addition to OpenSSL's. The driver reports a server without TLS only as a message. */
const isTlsFailure = (error: unknown): boolean =>
  /CERT|UNABLE_TO|SELF_SIGNED|^ERR_(TLS|SSL)|^EPROTO$/.test(codeOf(error)) ||
  messageOf(error) === 'The server does not support SSL connections' ||
  // The driver opens the files in sslrootcert, sslcert and sslkey.
  (error instanceof Error && 'syscall' in error && error.syscall === 'open');

/** Turns the driver's failures into errors of the port; anything else passes through unchanged. */
export function explainPostgresError(error: unknown): unknown {
  const cause = { cause: error };
  if (isTlsFailure(error)) {
    return new StoreError(
      'database_unreachable',
      `The TLS connection to PostgreSQL failed (${messageOf(error)}). Its certificate must be for the name in the address. For a private certificate authority, add sslrootcert=FILE.`,
      cause,
    );
  }
  if (isConnectionLost(error)) {
    return new StoreError(
      'database_unreachable',
      'PostgreSQL cannot be reached, or is not the primary. Check that it is running and that the address is correct.',
      cause,
    );
  }
  const code = codeOf(error);
  if (isPoolBusy(error)) return new StoreError('database_busy', BUSY, cause);
  if (!(error instanceof pg.DatabaseError)) return error;
  if (code === '23505') return new UniqueViolation(error.constraint ?? '', cause);
  if (code.startsWith('XX')) {
    return new StoreError(
      'database_damaged',
      'PostgreSQL reports a damaged database. Restore a backup.',
      cause,
    );
  }
  if (code === '53100') {
    return new StoreError('database_full', 'The disk of PostgreSQL is full. Free some space.', cause);
  }
  // Too many connections, a lock that was not granted in time, a statement that took too long, a repeated deadlock.
  if (['53300', '55P03', '57014', '40001', '40P01'].includes(code)) {
    return new StoreError('database_busy', BUSY, cause);
  }
  if (code === '42501' || code === '28P01' || code === '28000' || code === '3D000') {
    return new StoreError(
      'database_not_writable',
      `PostgreSQL refused the database or its user (${error.message}). Check the address and the user's privileges.`,
      cause,
    );
  }
  return error;
}
