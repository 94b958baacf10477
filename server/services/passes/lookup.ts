/** POST /v3/confirmations: the latest settled pass of a credential (contract, confirmation rule 5; decisions §3.12). */
import type { Confirmation, LookupRequest } from '../../contract/v3.ts';
import { findLatestPassOfIdentity } from '../../store/passes/passes.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { toConfirmation } from './confirmations.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from '../keys/keys.ts';
import { readIdentity } from '../read-identity.ts';

/** @throws ServiceError `one_identifier_only`, `identifier_unrecognized`, `no_settled_pass` */
export async function lookUpByIdentity(
  { db }: { db: SqlReader },
  { scope }: Caller,
  body: LookupRequest,
): Promise<Confirmation> {
  const identity = readIdentity(body);
  if (!identity) throw new ServiceError('one_identifier_only');
  const pass = await findLatestPassOfIdentity(db, scope, identity, {
    verificationId: body.verification_id?.toLowerCase() ?? null,
    group: body.group ?? null,
  });
  if (!pass) throw new ServiceError('no_settled_pass');
  return toConfirmation(scope, pass);
}
