import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import {
  type Company,
  findCompany,
  findOperatorsCompany,
  insertCompany,
  listCompanies,
  listOperatorsCompanies,
  setDailyLimit,
} from '../../store/companies/companies.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { VerificationConfig } from '../../domain/companies/verification-config.ts';
import type { Database, SqlReader, SqlTx } from '../../store/sql/port.ts';
import { insertCapChange } from '../../store/usage/report.ts';
import { insertVerification } from '../../store/companies/verifications.ts';
import type { Clock } from '../ports/clock.ts';
import { newId } from '../ports/ids.ts';
import { readName, refuseLookAlike } from '../wire/names.ts';
import { type IssuedKeys, issueFirstKeys } from '../keys/keys.ts';
import { blankVerification } from './verifications.ts';
import type { PartitionName } from '../../contract/console/common.ts';
import type { Scope } from '../../domain/scope.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { type ChangeLog, mergeChange } from '../wire/versions.ts';

/** Contract, "Limits": the default daily verification limit of an account. */
export const DEFAULT_DAILY_LIMIT = 66_000;

export type NewCompany = { company_id: string; default_verification_id: string; keys: IssuedKeys };

/** Creates a company with its default verification and first keys in one transaction. Returns the keys only once. */
export async function createCompany(
  db: Database,
  clock: Clock,
  request: { name: string; actor: Actor },
): Promise<NewCompany> {
  return db.tx((tx) => addCompanyWithKeys(tx, clock.now(), request));
}

/** Like `createCompany` if the installation has no company yet; null if it has one, even for parallel callers. */
export async function createFirstCompany(
  db: Database,
  clock: Clock,
  request: { name: string; actor: Actor },
): Promise<NewCompany | null> {
  return db.tx(async (tx) => {
    if ((await listCompanies(tx)).length > 0) return null;
    return addCompanyWithKeys(tx, clock.now(), request);
  });
}

async function addCompanyWithKeys(
  tx: SqlTx,
  now: number,
  request: { name: string; actor: Actor },
): Promise<NewCompany> {
  const company = await addCompany(tx, now, request);
  return { ...company, keys: await issueFirstKeys(tx, company.company_id, now) };
}

/**
 * The part of a transaction that creates a company, without keys.
 * @param request.config of its default verification, `{}` if left out
 */
export async function addCompany(
  tx: SqlTx,
  now: number,
  request: { name: string; actor: Actor; config?: VerificationConfig },
): Promise<Omit<NewCompany, 'keys'>> {
  const company: Company = {
    id: newId(now),
    name: await readCompanyName(tx, request.name, null),
    dailyLimit: DEFAULT_DAILY_LIMIT,
    createdAt: now,
  };
  await insertCompany(tx, company);
  const verification = {
    ...blankVerification(company.id, now),
    isDefault: true,
    ...(request.config && { config: request.config }),
  };
  await insertVerification(tx, verification);
  await appendAudit(tx, {
    at: now,
    actor: request.actor,
    action: 'company.create',
    companyId: company.id,
    subject: company.id,
    details: { name: company.name },
  });
  return { company_id: company.id, default_verification_id: verification.id };
}

/**
 * @param ownId of the company that is renamed
 * @throws Refusal `name_unseen`, `name_looks_alike`
 */
export async function readCompanyName(tx: SqlTx, given: string, ownId: string | null): Promise<string> {
  const name = readName(given);
  const others = (await listCompanies(tx)).filter(({ id }) => id !== ownId);
  refuseLookAlike(
    name,
    others.map((other) => other.name),
  );
  return name;
}

type CompanyListItem = { company_id: string; name: string; daily_limit: number; created_at: string };

export async function listAllCompanies(db: SqlReader): Promise<CompanyListItem[]> {
  return (await listCompanies(db)).map(toListItem);
}

/** The companies that an operator may see: their own, oldest first, then the demo. */
export async function listCompaniesOf(db: SqlReader, operatorId: string): Promise<CompanyListItem[]> {
  return (await demoLast(db, await listOperatorsCompanies(db, operatorId))).map(toListItem);
}

const DEMO = 'demo';

/** The demo's company, if it exists. */
export async function findDemoCompany(db: SqlReader): Promise<string | null> {
  return (await findDemo(db))?.company_id ?? null;
}

export type SavedDemo = {
  company_id: string;
  size: string;
  /** False until all of it is written; missing in those of earlier versions. */
  is_done?: boolean;
  /** Of the last commit, with everything written by then. */
  at?: number;
  written?: number;
  /** Those that were made with it. */
  operator_ids?: readonly string[];
};

export const findDemo = (db: SqlReader): Promise<SavedDemo | null> => readSetting<SavedDemo>(db, DEMO);

export const saveDemo = (tx: SqlTx, demo: SavedDemo | null): Promise<void> => writeSetting(tx, DEMO, demo);

/** Lists the demo last, even if it is older than the operator's own company, which opens first. */
async function demoLast(db: SqlReader, companies: readonly Company[]): Promise<Company[]> {
  const demoId = companies.length > 1 ? await findDemoCompany(db) : null;
  const isDemo = ({ id }: Company) => id === demoId;
  return [...companies.filter((company) => !isDemo(company)), ...companies.filter(isDemo)];
}

const toListItem = (company: Company): CompanyListItem => ({
  company_id: company.id,
  name: company.name,
  daily_limit: company.dailyLimit,
  created_at: new Date(company.createdAt).toISOString(),
});

/**
 * Sets a company's daily cap of settlements. Applies immediately, even on a running server. The cap's history records
 * the change.
 * @returns the cap from now on
 * @throws Refusal `changed_meanwhile`
 */
export async function changeDailyLimit(
  db: Database,
  clock: Clock,
  request: {
    companyId: string;
    dailyLimit: number;
    actor: Actor;
    reason?: string;
    version?: string | undefined;
  },
): Promise<number> {
  return db.tx(async (tx) => {
    const { companyId, actor, reason, version } = request;
    const changedAt = clock.now();
    const fromLimit = (await findCompany(tx, companyId))?.dailyLimit ?? null;
    const sent = { daily_limit: request.dailyLimit };
    const current = { daily_limit: fromLimit };
    const log: ChangeLog = { subject: companyId, actions: ['limit.set'], companyId };
    const merged = await mergeChange(tx, { version, current, sent, log });
    const dailyLimit = merged.daily_limit ?? fromLimit ?? request.dailyLimit;
    await setDailyLimit(tx, companyId, dailyLimit);
    await insertCapChange(tx, companyId, {
      fromLimit,
      dailyLimit,
      changedAt,
      changedBy: actor,
      reason: reason ?? null,
    });
    await appendAudit(tx, {
      at: changedAt,
      actor,
      action: 'limit.set',
      companyId,
      subject: companyId,
      details: { from: fromLimit, to: dailyLimit, ...(reason !== undefined && { reason }) },
    });
    return dailyLimit;
  });
}

/**
 * The scope of a call: the given company, else the oldest that is not the demo; the given partition, else live. Only
 * companies that the operator may see: any other is as unknown as one that does not exist.
 * @throws Refusal `not_found`, `no_company`
 */
export async function companyScope(
  db: SqlReader,
  operatorId: string,
  query: { company_id?: string; partition?: PartitionName },
): Promise<{ scope: Scope; company: Company }> {
  const { company_id: companyId, partition = 'live' } = query;
  const company =
    companyId === undefined
      ? (await demoLast(db, await listOperatorsCompanies(db, operatorId)))[0]
      : await findOperatorsCompany(db, operatorId, companyId);
  if (!company) {
    throw companyId === undefined ? new Refusal('no_company') : notFound();
  }
  return { scope: { companyId: company.id, partition }, company };
}
