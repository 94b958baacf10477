import { parseReturnAddress } from '../../domain/address.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findDefaultVerification, type Verification } from '../../store/companies/verifications.ts';
import { EMPTY_REQUEST } from '../../domain/runs/session-request.ts';
import type { SessionRequest } from '../../domain/runs/session-request.ts';
import { Refusal } from '../../refusals/refusal.ts';

/**
 * A run as v1 and v2 request it: the person's ID, where they return to, and the pool, which each generation names in
 * its own way (decisions §4.2).
 * @throws Refusal `INVALID_REQUEST` if no person can be sent to the address
 */
export function connectRunRequest(of: {
  externalId: string;
  redirect: { field: string; url: string | undefined };
  pool: string | undefined;
}): SessionRequest {
  const { field, url } = of.redirect;
  if (url !== undefined && !parseReturnAddress(url)) {
    throw new Refusal('INVALID_REQUEST', {
      message: `${field}: use an absolute https address without a user name or password; http is for localhost and private addresses only.`,
    });
  }
  return {
    ...EMPTY_REQUEST,
    externalId: of.externalId,
    redirectUrl: url ?? null,
    group: of.pool ?? null,
  };
}

/**
 * v1 and v2 name no verification, so they use the company's default.
 * @throws Refusal `DOES_NOT_EXIST`
 */
export async function defaultVerification(db: SqlReader, companyId: string): Promise<Verification> {
  const verification = await findDefaultVerification(db, companyId);
  if (!verification)
    throw new Refusal('DOES_NOT_EXIST', {
      message: 'The company has no default verification. Create one in the console.',
    });
  return verification;
}
