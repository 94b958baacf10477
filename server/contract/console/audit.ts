/** The audit log, for admins: `GET /console/api/audit`, `GET …/audit/export`, `POST …/audit/verify`. */
import { Type, type Static } from 'typebox';
import { pageOf, PageQuery } from './common.ts';
import { nullable, oneOf } from '../schemas.ts';
import { orNull } from './sessions.ts';
import { VerificationLabel } from './verifications.ts';

/** Every action of the audit log. Each has a sentence in `locales/<language>/audit.json`. */
export const AUDIT_ACTIONS = [
  'key.issue',
  'key.rename',
  'key.roll',
  'key.revoke',
  'key.refused',
  'company.create',
  'company.adopt',
  'limit.set',
  'verification.create',
  'verification.update',
  'operator.create',
  'operator.rename',
  'operator.role',
  'operator.disable',
  'operator.enable',
  'operator.companies',
  'operator.reset',
  'operator.passphrase',
  'operator.pin_set',
  'operator.pin_removed',
  'operator.pin_used',
  'operator.pin_failed',
  'operator.sign_in_failed',
  'operator.locked_out',
  'operator.role_refused',
  'operator.sign_in',
  'operator.sign_out',
  'operator.sign_out_everywhere',
  'operator.session_ended',
  'operator.second_factor_on',
  'operator.second_factor_off',
  'operator.second_factor_reset',
  'operator.recovery_codes',
  'operator.passkey_added',
  'operator.passkey_renamed',
  'operator.passkey_removed',
  'operator.passkeys_reset',
  'filter.save',
  'filter.delete',
  'review.open',
  'review.request',
  'review.claim',
  'review.release',
  'review.assign',
  'review.choose',
  'review.opinion',
  'review.undo',
  'review.note',
  'review.photo',
  'review.decide',
  'review.control',
  'review.controls',
  'review.control_picture',
  'review.control_picture_removed',
  'run.settle',
  'run.join',
  'run.skip',
  'run.expire',
  'session.reopen',
  'session.cancel',
  'session.export',
  'session.again',
  'invite.revoke',
  'pass.test',
  'pass.override',
  'pass.lock',
  'pass.unlock',
  'person.export',
  'person.import',
  'person.erase',
  'person.block',
  'person.unblock',
  'person.told_apart',
  'person.told_apart_undone',
  'person.disconnect',
  'test_clock.advance',
  'test_data.clear',
  'retention.change',
  'retention.run',
  'retention.put_off',
  'retention.resumed',
  'retention.confirm',
  'clock.accepted',
  'event.create',
  'event.update',
  'event.logo',
  'event.logo_removed',
  'event.picture',
  'event.picture_removed',
  'shift.create',
  'shift.revoke',
  'shift.join',
  'shift.call',
  'shift.call_ended',
  'ticket.admit',
  'ticket.leave',
  'ticket.let_in',
  'ticket.children',
  'ticket.undo',
  'ticket_rules.change',
  'ticket_source.add',
  'ticket_source.import',
  'ticket_source.remove',
  'ticket_source.choose',
  'ticket_source.tell_again',
  'kiosk.create',
  'kiosk.update',
  'kiosk.revoke',
  'kiosk.code',
  'kiosk.paired',
  'kiosk.unpaired',
  'kiosk.command',
  'webhook_config.save',
  'webhook_config.delete',
  'webhook_config.disable',
  'webhook_destination.pause',
  'webhook_destination.resume',
  'webhook_secret.show',
  'webhook_secret.rotate',
  'webhook_call.rerun',
  'webhook_call.try_now',
  'webhook_call.rerun_failed',
  'webhook_call.test',
  'webhook_allow_hosts.save',
  'usage.export',
  'audit.export',
  'audit.checkpoint',
  'lan.changed',
  'lan.authority_created',
  'metrics_token.make',
  'metrics_token.revoke',
  'recording.make',
  'recording.delete',
  'result_token_key.rotate',
  'database_key.rotate',
  'database_log.damaged',
  'data.reopen',
  'maintenance.on',
  'maintenance.off',
  'maintenance.plan',
  'maintenance.cancel',
  'backup.create',
  'backup.settings',
  'backup.phrase',
  'backup.phrase_withdrawn',
  'backup.restore_begun',
  'backup.restore_confirmed',
  'backup.restore',
  'oidc.change',
  'sms.change',
  'sms.test',
  'matching.margin',
  'matching.second_opinion',
  'limits.change',
  'languages.change',
  'company.zone',
  'company.change',
  'company.remove',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const filters = {
  actor: Type.Optional(
    Type.String({
      maxLength: 120,
      description:
        'Full value, its start with `*` at the end, or part of a name of an operator, kiosk or key.',
    }),
  ),
  action: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description:
        'Full value, its start with `*` at the end, or a part of it; several, separated by commas.',
    }),
  ),
  subject: Type.Optional(
    Type.String({ maxLength: 200, description: 'ID, its last eight characters, or part of a name.' }),
  ),
  by: Type.Optional(
    oneOf(['people'], {
      description: 'Only what operators did or tried, and what was done for them by a command.',
    }),
  ),
  company_id: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Start, in ISO 8601, inclusive.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'End, in ISO 8601, exclusive.' })),
};
export const AuditFilters = Type.Object(filters);
export type AuditFilters = Static<typeof AuditFilters>;
export const AuditQuery = Type.Object({ ...filters, ...PageQuery });
export type AuditQuery = Static<typeof AuditQuery>;

const line = {
  seq: Type.Integer(),
  at: Type.String(),
  actor: Type.String({ description: '`operator:<id>`, `cli`, `key:<id>`, `system`.' }),
  actor_name: nullable(
    'Current name of the operator or kiosk, or the key’s prefix and last four characters.',
  ),
  action: Type.String({ description: 'One of the actions of this version, or of an earlier one.' }),
  company_id: nullable(),
  partition: nullable(),
  subject: Type.String({ description: 'ID of the changed object, or a word such as `installation`.' }),
  subject_name: nullable('Its current name; null if it has none or no longer exists.'),
  subject_verification: orNull(VerificationLabel),
  to_name: nullable('Current name of the reviewer whom a case was assigned to; null for other actions.'),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
};
/** An action on one case or person. `details` holds only what its sentence and its reason need. */
export const AuditLine = Type.Object(line);
export type AuditLine = Static<typeof AuditLine>;

export const AuditItem = Type.Object({
  ...line,
  hash: Type.String({ description: 'SHA-256 of the entry and the one before it, hexadecimal.' }),
});
export type AuditItem = Static<typeof AuditItem>;

/** Newest first. */
export const AuditPage = pageOf(AuditItem);
export type AuditPage = Static<typeof AuditPage>;

export const AuditVerdict = Type.Object({
  intact: Type.Boolean(),
  entries: Type.Integer(),
  broken_at: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'First entry that does not match the chain.',
  }),
  head_hash: nullable(
    'Hash of the newest entry. Store it elsewhere to notice that the end of its chain was cut off.',
  ),
});
export type AuditVerdict = Static<typeof AuditVerdict>;
