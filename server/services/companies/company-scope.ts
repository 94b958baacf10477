import type { PartitionName } from '../../contract/console/common.ts';
import type { Scope } from '../../domain/scope.ts';
import {
  type Company,
  findOperatorsCompany,
  listOperatorsCompanies,
} from '../../store/companies/companies.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { ConsoleError, notFound } from '../errors.ts';

/**
 * The scope of a call: the given company, else the oldest; the given partition, else live. Only companies that the
 * operator may see: any other is as unknown as one that does not exist.
 * @throws ConsoleError `not_found`, `no_company`
 */
export async function companyScope(
  db: SqlReader,
  operatorId: string,
  query: { company_id?: string; partition?: PartitionName },
): Promise<{ scope: Scope; company: Company }> {
  const { company_id: companyId, partition = 'live' } = query;
  const company =
    companyId === undefined
      ? (await listOperatorsCompanies(db, operatorId))[0]
      : await findOperatorsCompany(db, operatorId, companyId);
  if (!company) {
    throw companyId === undefined ? new ConsoleError('no_company') : notFound();
  }
  return { scope: { companyId: company.id, partition }, company };
}
