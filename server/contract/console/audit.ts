/** The audit log, for admins: `GET /console/api/audit`, `GET …/audit/export`, `POST …/audit/verify`. */
import { Type, type Static } from 'typebox';
import { nullable, pageOf, PageQuery } from './common.ts';

const filters = {
  actor: Type.Optional(
    Type.String({ maxLength: 120, description: 'Full value, or its start with `*` at the end.' }),
  ),
  action: Type.Optional(
    Type.String({ maxLength: 120, description: 'Full value, or its start with `*` at the end.' }),
  ),
  subject: Type.Optional(Type.String({ maxLength: 200 })),
  company_id: Type.Optional(Type.String({ maxLength: 64 })),
  from: Type.Optional(Type.String({ maxLength: 40, description: 'Start, in ISO 8601, inclusive.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'End, in ISO 8601, exclusive.' })),
};
export const AuditFilters = Type.Object(filters);
export type AuditFilters = Static<typeof AuditFilters>;
export const AuditQuery = Type.Object({ ...filters, ...PageQuery });
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditItem = Type.Object({
  seq: Type.Integer(),
  at: Type.String(),
  actor: Type.String({ description: '`operator:<id>`, `cli`, `key:<id>`, `system`.' }),
  actor_name: nullable('Current name of the operator, or the key’s prefix and last four characters.'),
  action: Type.String(),
  company_id: nullable(),
  partition: nullable(),
  subject: Type.String({ description: 'ID of what was changed, or a word such as `installation`.' }),
  subject_name: nullable('Its current name; null if it has none or no longer exists.'),
  details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
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
  head_hash: nullable('Hash of the last entry. Store it elsewhere to notice a cut-off end.'),
});
export type AuditVerdict = Static<typeof AuditVerdict>;
