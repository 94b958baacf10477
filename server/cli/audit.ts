import { verifyAudit } from '../store/operators/audit.ts';
import { answer, CliError, type CommandInput } from './io.ts';
import { withDatabase } from './with-database.ts';

/** Walks the hash chain of the audit log. */
export async function auditVerify(input: CommandInput): Promise<void> {
  const { entries, brokenAt } = await withDatabase(input, verifyAudit);
  if (brokenAt !== null) {
    throw new CliError(`The audit log was changed: entry ${brokenAt} does not match the entries before it.`);
  }
  answer(input, { intact: true, entries });
}
