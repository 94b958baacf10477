/** Operators, for admins: `/console/api/operators`. */
import { Type, type Static } from 'typebox';
import { OperatorName, Passphrase } from './access.ts';
import { ReasonText, ROLES, Version, withVersion } from './common.ts';
import { nullable, oneOf } from '../schemas.ts';

const companies = (description: string, options: object = {}) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', maxLength: 64 },
    description,
    ...options,
  });
/** At least one, because an operator without companies could do nothing. */
const CHOSEN = { minItems: 1, maxItems: 1_000 };

export const OperatorRecord = Type.Object({
  operator_id: Type.String(),
  name: Type.String(),
  role: oneOf(ROLES),
  has_pin: Type.Boolean(),
  has_second_factor: Type.Boolean(),
  single_sign_on: Type.Boolean({ description: 'Signs in at the identity provider, which decides the role.' }),
  passkeys: Type.Integer({ description: 'Number of passkeys.' }),
  company_ids: companies('The companies that the operator is limited to; null for all.'),
  created_at: Type.String(),
  last_signed_in_at: nullable(),
  disabled_at: nullable(),
  locked_until: nullable('End of the longest lock at any place; null when sign-in is open everywhere.'),
  open_sessions: Type.Integer(),
  version: Version,
});
export type OperatorRecord = Static<typeof OperatorRecord>;
export const OperatorList = Type.Object({ items: Type.Array(OperatorRecord) });

/** `POST /operators`. Without a passphrase, one is generated and returned only once. */
export const OperatorCreate = Type.Object({
  name: OperatorName,
  role: oneOf(ROLES),
  passphrase: Type.Optional(Passphrase),
  company_ids: Type.Optional(companies('Left out or null: all companies, those to come included.', CHOSEN)),
});

/** `PATCH /operators/{operator_id}`. */
export const OperatorUpdate = Type.Object({
  name: Type.Optional(OperatorName),
  role: Type.Optional(oneOf(ROLES)),
  company_ids: Type.Optional(companies('Null: all companies, those to come included.', CHOSEN)),
  reason: ReasonText,
  ...withVersion,
});

/**
 * `POST /operators/{operator_id}/reset`: sets a new passphrase and removes PIN, lock and sessions. The second factor
 * stays.
 */
export const OperatorReset = Type.Object({ reason: ReasonText, passphrase: Type.Optional(Passphrase) });

export const OperatorWithPassphrase = Type.Object({
  operator: OperatorRecord,
  passphrase: nullable('The generated passphrase, shown once; null if one was given.'),
});
export type OperatorWithPassphrase = Static<typeof OperatorWithPassphrase>;
