import { systemClock } from '../services/clock.ts';
import { createCompany, listAllCompanies } from '../services/companies/companies.ts';
import { answer, type CommandInput, requiredText } from './io.ts';
import { CLI_ACTOR, withDatabase } from './with-database.ts';

/** Prints the new company with its complete keys, once. */
export async function companyCreate(input: CommandInput): Promise<void> {
  const name = requiredText(input, 'name');
  answer(
    input,
    await withDatabase(input, (db) => createCompany(db, systemClock, { name, actor: CLI_ACTOR })),
  );
}

export async function companyList(input: CommandInput): Promise<void> {
  answer(input, await withDatabase(input, listAllCompanies));
}
