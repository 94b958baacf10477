import { type Identity, normaliseEmail, normalisePhone } from '../domain/identity.ts';
import { ServiceError } from './errors.ts';

/**
 * The credential in a request; null if there is none.
 * @throws ServiceError `one_identifier_only` for two, `identifier_unrecognized` for one that cannot be parsed
 */
export function readIdentity({ email, phone }: { email?: string; phone?: string }): Identity | null {
  if (email !== undefined && phone !== undefined) throw new ServiceError('one_identifier_only');
  if (email === undefined && phone === undefined) return null;
  const identity = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email);
  if (!identity) throw new ServiceError('identifier_unrecognized');
  return identity;
}
