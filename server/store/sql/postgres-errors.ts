import pg from 'pg';
import { StoreError, UniqueViolation } from './port.ts';

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A deadlock or a failed serialisation: PostgreSQL has undone the transaction, and it may run again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** The pool has no code for a connection that did not come in time. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** The server is away, is stopping, or is not the primary. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return /^(08|57P0[1-3]|25006)/.test(code);
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return true;
  return error instanceof Error && LOST.test(error.message);
}

/** Turns the driver's failures into errors of the port; anything else passes through unchanged. */
export function explainPostgresError(error: unknown): unknown {
  const cause = { cause: error };
  if (isConnectionLost(error)) {
    return new StoreError(
      'database_unreachable',
      'PostgreSQL cannot be reached, or is not the primary. Check that it is running and that the address is correct.',
      cause,
    );
  }
  if (!(error instanceof pg.DatabaseError)) return error;
  const code = codeOf(error);
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
  // Too many connections, a lock that was not given in time, a statement that took too long, a repeated deadlock.
  if (['53300', '55P03', '57014', '40001', '40P01'].includes(code)) {
    return new StoreError('database_busy', 'PostgreSQL is too busy to answer in time.', cause);
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
