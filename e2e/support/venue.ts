/** An organiser's set-up for a test: separate companies and verifications with a config. */
import type { VerificationConfig } from '../../server/domain/companies/verification-config.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import type { Gatehouse } from './service/server.ts';

/** Each company is a separate scope, so a person who passed at another is unknown here. */
export const newCompany = (gatehouse: Gatehouse, name: string): Promise<NewCompany> =>
  gatehouse.cli<NewCompany>(['company', 'create'], { name });

/** A verification of the company. @returns its id */
export async function newVerification(
  gatehouse: Gatehouse,
  company: NewCompany,
  config: VerificationConfig,
): Promise<string> {
  const { verification_id } = await gatehouse.cli<{ verification_id: string }>(['verification', 'create'], {
    company: company.company_id,
    config: JSON.stringify(config),
  });
  return verification_id;
}
