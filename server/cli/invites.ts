import { listCompanyInvites, revokeCompanyInvite } from '../services/runs/invites.ts';
import { CliError, type CommandInput, requiredText } from './io.ts';
import { CLI_ACTOR, inCompany } from './with-database.ts';

export const invitesList = (input: CommandInput): Promise<unknown> =>
  inCompany(input, ({ db }, companyId) => listCompanyInvites(db, companyId));

export async function invitesRevoke(input: CommandInput): Promise<unknown> {
  const inviteId = requiredText(input, 'invite');
  const reason = requiredText(input, 'reason');
  const revoked = await inCompany(input, ({ db, clock }, companyId) =>
    revokeCompanyInvite(db, clock, { companyId, inviteId, reason, actor: CLI_ACTOR }),
  );
  if (!revoked)
    throw new CliError(
      `This company has no active invite ${inviteId}. Run "gatehouse invites list" to see its invites.`,
    );
  return { invite_id: inviteId, state: 'revoked' };
}
