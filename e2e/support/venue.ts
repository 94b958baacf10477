/** What an organiser sets up for a test: companies of its own and verifications with a config. */
import type { VerificationConfig } from '../../server/domain/companies/verification-config.ts';
import type { NewCompany } from '../../server/services/companies/companies.ts';
import type { Gatehouse } from './server.ts';

/** Each company is a scope of its own: who passed at another is a stranger here. */
export const newCompany = (gatehouse: Gatehouse, name: string): Promise<NewCompany> =>
  gatehouse.cli<NewCompany>(['company', 'create', '--name', name]);

/** A verification of the company. @returns its id */
export async function newVerification(
  gatehouse: Gatehouse,
  company: NewCompany,
  config: VerificationConfig,
): Promise<string> {
  const { verification_id } = await gatehouse.cli<{ verification_id: string }>([
    'verification',
    'create',
    '--company',
    company.company_id,
    '--config',
    JSON.stringify(config),
  ]);
  return verification_id;
}
