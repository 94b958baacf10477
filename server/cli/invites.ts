import { systemClock } from '../services/ports/clock.ts';
import { listCompanyInvites, revokeCompanyInvite } from '../services/runs/invites.ts';
import { answer, CliError, type CommandInput, requiredText } from './io.ts';
import { CLI_ACTOR, requiredCompany, withDatabase } from './with-database.ts';

export async function invitesList(input: CommandInput): Promise<void> {
  answer(
    input,
    await withDatabase(input, async (db) => listCompanyInvites(db, await requiredCompany(db, input))),
  );
}

export async function invitesRevoke(input: CommandInput): Promise<void> {
  const inviteId = requiredText(input, 'invite');
  const reason = requiredText(input, 'reason');
  const revoked = await withDatabase(input, async (db) =>
    revokeCompanyInvite(db, systemClock, {
      companyId: await requiredCompany(db, input),
      inviteId,
      reason,
      actor: CLI_ACTOR,
    }),
  );
  if (!revoked)
    throw new CliError(
      `This company has no active invite ${inviteId}. Run "gatehouse invites list" to see its invites.`,
    );
  answer(input, { invite_id: inviteId, state: 'revoked' });
}
