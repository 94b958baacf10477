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
import { answer, CliError, type CommandInput, optionalText, requiredText, warn } from './io.ts';
import { asCliError, CLI_ACTOR, requiredCompany, withDatabase } from './with-database.ts';
import { verifyAudit } from '../store/operators/audit.ts';

/** Sets how many runs of a company can settle per day. */
export async function limitSet(input: CommandInput): Promise<void> {
  const text = requiredText(input, 'daily');
  const dailyLimit = Number(text);
  if (!/^\d+$/.test(text) || dailyLimit > MAX_DAILY_LIMIT) {
    throw new CliError(`--daily must be a whole number from 0 to ${MAX_DAILY_LIMIT}, not "${text}".`);
  }
  const { companyId, counted } = await withDatabase(input, async (db) => {
    const id = await requiredCompany(db, input);
    await changeDailyLimit(db, systemClock, { companyId: id, dailyLimit, actor: CLI_ACTOR });
    const scope = { companyId: id, partition: 'live' } as const;
    const { counted } = await readToday({ db, clock: systemClock }, scope, dailyLimit);
    return { companyId: id, counted };
  });
  if (counted > 0 && dailyLimit <= counted)
    warn(`${counted} checks have counted today, so no further check completes until 00:00 UTC.`);
  answer(input, { company_id: companyId, daily_limit: dailyLimit });
}

/** Deletes all data in a company’s test partition. */
export async function testDataClear(input: CommandInput): Promise<void> {
  const removed = await withDatabase(input, async (db) =>
    clearTestData(db, systemClock, {
      companyId: await requiredCompany(db, input),
      before: null,
      actor: CLI_ACTOR,
    }),
  );
  answer(input, { removed });
}

export async function testClockShow(input: CommandInput): Promise<void> {
  answer(input, await withDatabase(input, async (db) => showTestClock(db, await requiredCompany(db, input))));
}

/** Lets time pass for a company's test data. */
export async function testClockAdvance(input: CommandInput): Promise<void> {
  const text = requiredText(input, 'seconds');
  const seconds = Number(text);
  if (!/^[1-9]\d*$/.test(text) || seconds > MAX_TEST_CLOCK_S)
    throw new CliError(`--seconds must be a whole number from 1 to ${MAX_TEST_CLOCK_S}, not "${text}".`);
  const clock = await asCliError(
    withDatabase(input, async (db) => {
      const companyId = await requiredCompany(db, input);
      return advanceTestClock({ db, clock: systemClock }, companyId, { seconds, actor: CLI_ACTOR });
    }),
  );
  answer(input, clock);
}

export async function maintenanceOn(input: CommandInput): Promise<void> {
  const text = optionalText(input, 'until');
  const state = await asCliError(
    withDatabase(input, async (db) => {
      const until = text ?? null;
      await switchMaintenance({ db, clock: systemClock }, { on: true, until }, CLI_ACTOR);
      return readMaintenance(db);
    }),
  );
  answer(input, { maintenance: 'on', until: isoOrNull(state.until) });
}

export async function maintenanceOff(input: CommandInput): Promise<void> {
  await withDatabase(input, (db) => setMaintenance(db, systemClock, { on: false, until: null }, CLI_ACTOR));
  answer(input, { maintenance: 'off', until: null });
}

/** Walks the hash chain of the audit log. */
export async function auditVerify(input: CommandInput): Promise<void> {
  const { entries, brokenAt } = await withDatabase(input, verifyAudit);
  if (brokenAt !== null) {
    throw new CliError(
      `The audit log was changed: entry ${brokenAt} does not match the entries before it. Stop the service, keep the data as it is, and compare it with a backup.`,
    );
  }
  answer(input, { intact: true, entries });
}

/** Prints the new company with its complete keys, once. */
export async function companyCreate(input: CommandInput): Promise<void> {
  const name = requiredText(input, 'name');
  answer(
    input,
    await asCliError(
      withDatabase(input, (db) => createCompany(db, systemClock, { name, actor: CLI_ACTOR }), {
        mayBegin: true,
      }),
    ),
  );
}

/** Changes a company's name and its contact for guests' questions about their data. */
export async function companyUpdate(input: CommandInput): Promise<void> {
  const name = optionalText(input, 'name');
  const contact = optionalText(input, 'privacy-contact');
  if (name === undefined && contact === undefined) throw new CliError('Name --name or --privacy-contact.');
  if (name?.trim() === '') throw new CliError('The name is empty.');
  answer(
    input,
    await withDatabase(input, async (db) => {
      const companyId = await requiredCompany(db, input);
      const change = {
        ...(name !== undefined && { name }),
        ...(contact !== undefined && { privacy_contact: contact }),
      };
      const details = await changeCompany(
        { db, clock: systemClock },
        { companyId, change, actor: CLI_ACTOR },
      );
      return { company_id: companyId, ...details };
    }),
  );
}

export async function companyList(input: CommandInput): Promise<void> {
  answer(input, await withDatabase(input, listAllCompanies));
}
