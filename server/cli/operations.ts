import { MAX_DAILY_LIMIT } from '../contract/console/usage.ts';
import { MAX_TEST_CLOCK_S } from '../contract/v3.ts';
import { systemClock } from '../services/ports/clock.ts';
import { changeCompany } from '../services/companies/details.ts';
import { changeDailyLimit, createCompany, listAllCompanies } from '../services/companies/companies.ts';
import { readMaintenance, setMaintenance } from '../services/maintenance/maintenance.ts';
import { switchMaintenance } from '../services/maintenance/plan.ts';
import { readToday } from '../services/usage/usage.ts';
import { isoOrNull } from '../services/wire/values.ts';
import { advanceTestClock, showTestClock } from '../services/people/test-clock.ts';
import { clearTestData } from '../services/people/test-data.ts';
import { CliError, type CommandInput, optionalText, requiredText, warn } from './io.ts';
import { CLI_ACTOR, inCompany, withDatabase } from './with-database.ts';
import { verifyAudit } from '../store/operators/audit.ts';

/** Sets how many runs of a company can settle per day. */
export async function limitSet(input: CommandInput): Promise<unknown> {
  const text = requiredText(input, 'daily');
  const dailyLimit = Number(text);
  if (!/^\d+$/.test(text) || dailyLimit > MAX_DAILY_LIMIT) {
    throw new CliError(`--daily must be a whole number from 0 to ${MAX_DAILY_LIMIT}, not "${text}".`);
  }
  return inCompany(input, async (deps, companyId) => {
    await changeDailyLimit(deps.db, deps.clock, { companyId, dailyLimit, actor: CLI_ACTOR });
    const { counted } = await readToday(deps, { companyId, partition: 'live' }, dailyLimit);
    if (counted > 0 && dailyLimit <= counted)
      warn(`${counted} checks have counted today, so no further check completes until 00:00 UTC.`);
    return { company_id: companyId, daily_limit: dailyLimit };
  });
}

/** Deletes all data in a company’s test partition. */
export async function testDataClear(input: CommandInput): Promise<unknown> {
  const removed = await inCompany(input, ({ db, clock }, companyId) =>
    clearTestData(db, clock, { companyId, before: null, actor: CLI_ACTOR }),
  );
  return { removed };
}

export const testClockShow = (input: CommandInput): Promise<unknown> =>
  inCompany(input, ({ db }, companyId) => showTestClock(db, companyId));

/** Lets time pass for a company's test data. */
export async function testClockAdvance(input: CommandInput): Promise<unknown> {
  const text = requiredText(input, 'seconds');
  const seconds = Number(text);
  if (!/^[1-9]\d*$/.test(text) || seconds > MAX_TEST_CLOCK_S)
    throw new CliError(`--seconds must be a whole number from 1 to ${MAX_TEST_CLOCK_S}, not "${text}".`);
  return inCompany(input, (deps, companyId) =>
    advanceTestClock(deps, companyId, { seconds, actor: CLI_ACTOR }),
  );
}

export async function maintenanceOn(input: CommandInput): Promise<unknown> {
  const until = optionalText(input, 'until') ?? null;
  const state = await withDatabase(input, async (db) => {
    await switchMaintenance({ db, clock: systemClock }, { on: true, until }, CLI_ACTOR);
    return readMaintenance(db);
  });
  return { maintenance: 'on', until: isoOrNull(state.until) };
}

export async function maintenanceOff(input: CommandInput): Promise<unknown> {
  await withDatabase(input, (db) => setMaintenance(db, systemClock, { on: false, until: null }, CLI_ACTOR));
  return { maintenance: 'off', until: null };
}

/** Walks the hash chain of the audit log. */
export async function auditVerify(input: CommandInput): Promise<unknown> {
  const { entries, brokenAt } = await withDatabase(input, verifyAudit);
  if (brokenAt !== null) {
    throw new CliError(
      `The audit log was changed: entry ${brokenAt} does not match the entries before it. Stop the service, keep the data as it is, and compare it with a backup.`,
    );
  }
  return { intact: true, entries };
}

/** Prints the new company with its complete keys, once. */
export async function companyCreate(input: CommandInput): Promise<unknown> {
  const name = requiredText(input, 'name');
  return withDatabase(input, (db) => createCompany(db, systemClock, { name, actor: CLI_ACTOR }), {
    mayBegin: true,
  });
}

/** Changes a company's name and its contact for guests' questions about their data. */
export async function companyUpdate(input: CommandInput): Promise<unknown> {
  const name = optionalText(input, 'name');
  const contact = optionalText(input, 'privacy-contact');
  if (name === undefined && contact === undefined) throw new CliError('Name --name or --privacy-contact.');
  if (name?.trim() === '') throw new CliError('The name is empty.');
  const change = {
    ...(name !== undefined && { name }),
    ...(contact !== undefined && { privacy_contact: contact }),
  };
  return inCompany(input, async (deps, companyId) => {
    const details = await changeCompany(deps, { companyId, change, actor: CLI_ACTOR });
    return { company_id: companyId, ...details };
  });
}

export const companyList = (input: CommandInput): Promise<unknown> => withDatabase(input, listAllCompanies);
