import { systemClock } from '../services/ports/clock.ts';
import { decideReview, listReviews } from '../services/reviews/reviews.ts';
import { listCompanies } from '../store/companies/companies.ts';
import type { Database } from '../store/sql/port.ts';
import { findCaseAnywhere } from '../store/reviews/cases.ts';
import { CliError, type CommandInput, optionalText, requiredChoice, requiredText } from './io.ts';
import { CLI_ACTOR, requiredCompany, withDatabase } from './with-database.ts';
import { REVIEW_DECISIONS } from '../contract/console/reviews.ts';

/** Open cases of one company or of all companies. */
export const reviewsList = (input: CommandInput): Promise<unknown> =>
  withDatabase(input, async (db) => listReviews(db, await companiesOf(db, input)));

async function companiesOf(db: Database, input: CommandInput): Promise<string[]> {
  if (optionalText(input, 'company') !== undefined) return [await requiredCompany(db, input)];
  return (await listCompanies(db)).map(({ id }) => id);
}

/** Settles a case with the decision of the person at this machine. */
export async function reviewsDecide(input: CommandInput): Promise<unknown> {
  const caseId = requiredText(input, 'case');
  const decision = requiredChoice(input, 'decision', REVIEW_DECISIONS);
  const reason = requiredText(input, 'reason');
  await withDatabase(input, async (db) => {
    const found = await findCaseAnywhere(db, caseId);
    if (!found)
      throw new CliError(`There is no case ${caseId}. Run "gatehouse reviews list" to see open cases.`);
    if (found.decision !== null)
      throw new CliError(
        `Case ${caseId} is already decided (${found.decision}). To change the result, open its session in the console.`,
      );
    if (found.pending) {
      throw new CliError(
        `Case ${caseId} has just been decided in the console (${found.pending.decision}) and takes effect within a minute.`,
      );
    }
    const { companyId } = found.scope;
    const by = { decision, reason, actor: CLI_ACTOR } as const;
    if (await decideReview(db, systemClock, { companyId, caseId }, by)) return;
    throw new CliError(
      `Someone who was enrolled while case ${caseId} waited has this face. Look at the case again, then decide.`,
    );
  });
  return { case_id: caseId, decision };
}
