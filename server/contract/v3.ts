/** The v3 interface on the wire. Names, types, limits and nullability are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import {
  MAX_ADDRESS_CHARS,
  MAX_CONFIG_BYTES,
  MAX_EMAIL_CHARS,
  MAX_JSON_BYTES,
  MAX_NAME_CHARS,
  MAX_PASS_PARAMS_BYTES,
  MAX_PHONE_CHARS,
} from './text-bounds.ts';

/** Sent fields: an explicit null is taken out of a body before validation, so it counts as absent (decisions §1.4). */
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
const optionalAddress = (description: string) => optionalText(MAX_ADDRESS_CHARS, description);
const optionalEmail = (description: string) => optionalText(MAX_EMAIL_CHARS, description);
const optionalPhone = (description: string) => optionalText(MAX_PHONE_CHARS, description);
const optionalId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));
const optionalUuid = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));

const nullableString = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description && { description }) });

/** A JSON object of one kind of value. */
const record = <T>(options: object) => Type.Unsafe<Record<string, T>>({ type: 'object', ...options });

export const InitializeRequest = Type.Object({
  origin: optionalAddress('Domain the verification starts from.'),
  return_path: optionalAddress('Path on `origin` the person returns to.'),
  start_path: optionalAddress('Path on `origin` the person comes from. Requires `origin`.'),
  verification_id: optionalUuid('Secret keys. Targets a verification directly.'),
  verification_external_id: optionalAddress(
    'Secret keys. Deprecated. The customer’s own id for a verification.',
  ),
  email: optionalEmail('Secret keys. Seeds the run with an identity and locks the flow to it.'),
  phone: optionalPhone('Secret keys. Seeds the run with a phone identity.'),
  external_id: optionalId('Secret keys. The customer’s own id for this run.'),
  external_tracker: optionalAddress('Deprecated. Accepted, not recorded.'),
  group: optionalId('Secret keys. Uniqueness pool of the run.'),
  include_groups: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Secret keys. Other groups whose history also counts.',
    }),
  ),
  redirect_url: optionalAddress('Secret keys. Where the person lands when the run ends.'),
  pass_params: Type.Optional(
    record<string>({
      additionalProperties: { type: 'string' },
      [MAX_JSON_BYTES]: MAX_PASS_PARAMS_BYTES,
      description:
        'Extra query parameters of the return address, at most 8,192 bytes as JSON in all. Keys that start with `vy` are ignored.',
    }),
  ),
  expire_in_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, description: 'Deprecated. Mints a durable invite.' }),
  ),
  config: Type.Optional(
    record<unknown>({
      [MAX_JSON_BYTES]: MAX_CONFIG_BYTES,
      description: 'Test keys. Replaces the stored config for this run. At most 16,384 bytes as JSON.',
    }),
  ),
  auto_return: Type.Optional(Type.Boolean({ description: 'Return at once when the check settles.' })),
  metadata: Type.Optional(
    record<string | number | boolean>({
      maxProperties: 50,
      propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
      additionalProperties: { type: ['string', 'number', 'boolean'], minLength: 1, maxLength: 1024 },
      description: 'Secret keys. The customer’s own fields about the person.',
    }),
  ),
});
export type InitializeRequest = Static<typeof InitializeRequest>;

export const InitializeResponse = Type.Object({
  url: Type.String(),
  session_id: nullableString(),
  invite_id: nullableString('Deprecated. Only with `expire_in_days`.'),
});
export type InitializeResponse = Static<typeof InitializeResponse>;

export const ConfirmationIdentity = Type.Object({
  provider: Type.Unsafe<'email' | 'phone' | 'test'>({ type: 'string', enum: ['email', 'phone', 'test'] }),
  identifier: Type.String(),
});

export type ConfirmationIdentity = Static<typeof ConfirmationIdentity>;

export const Confirmation = Type.Object({
  verified: Type.Boolean(),
  status: Type.Unsafe<'approved' | 'denied'>({ type: 'string', enum: ['approved', 'denied'] }),
  reasons: Type.Array(Type.String()),
  declined: Type.Boolean(),
  group: nullableString(),
  groups: Type.Array(Type.String()),
  id: Type.String({ deprecated: true }),
  confirmed_at: Type.String({ format: 'date-time', deprecated: true }),
  locked: Type.Boolean({ deprecated: true }),
  is_test: Type.Boolean({ deprecated: true }),
  score: Type.Unsafe<number | null>({ type: ['integer', 'null'], deprecated: true }),
  band: Type.Unsafe<string | null>({ type: ['string', 'null'], deprecated: true }),
  external_id: Type.Unsafe<string | null>({ type: ['string', 'null'], deprecated: true }),
  identity: Type.Unsafe<ConfirmationIdentity | null>({
    ...ConfirmationIdentity,
    type: ['object', 'null'],
    deprecated: true,
  }),
  verification: Type.Object({ external_id: nullableString(), external_tenant_id: nullableString() }),
});
export type Confirmation = Static<typeof Confirmation>;

export const LookupRequest = Type.Object({
  email: optionalEmail('The person’s email as sent to initialize.'),
  phone: optionalPhone('The person’s phone, as an alternative.'),
  verification_id: optionalUuid('Narrow to one verification.'),
  group: optionalId('Narrow to one group.'),
});
export type LookupRequest = Static<typeof LookupRequest>;

export const TestTokenRequest = Type.Object({
  status: Type.Optional(
    Type.Unsafe<'approved' | 'denied'>({ type: 'string', enum: ['approved', 'denied'], default: 'approved' }),
  ),
  reasons: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_NAME_CHARS }), {
      maxItems: 20,
      description: 'Findings to settle with.',
    }),
  ),
  verification_id: optionalUuid('Default: the company’s default verification.'),
});
export type TestTokenRequest = Static<typeof TestTokenRequest>;

export const TestTokenResponse = Type.Object({ token: Type.String(), verified: Type.Boolean() });
export type TestTokenResponse = Static<typeof TestTokenResponse>;

const RECORD_FIELDS = {
  verification_id: Type.String(),
  external_id: nullableString(),
  external_tenant_id: nullableString(),
  origin: nullableString(),
  return_path: nullableString(),
  start_path: nullableString(),
  redirect_url: nullableString(),
  asset_id: nullableString(),
  config: Type.Object(
    {
      require_account: Type.Boolean({ default: false }),
      is_test: Type.Boolean({ default: false }),
      is_demo: Type.Boolean({ default: false }),
      track_attributes: Type.Array(Type.Unknown(), { default: [] }),
    },
    { additionalProperties: true },
  ),
};

export const VerificationRecord = Type.Object(RECORD_FIELDS);
export const VerificationLookupResponse = Type.Object({ url: Type.String(), ...RECORD_FIELDS });

export const VerificationLookupRequest = Type.Object({
  id: optionalUuid('Its id.'),
  external_id: optionalAddress('The customer’s own id for it.'),
});
export type VerificationLookupRequest = Static<typeof VerificationLookupRequest>;

export const VerificationListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 25 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
});

export const VerificationList = Type.Object({
  items: Type.Array(VerificationRecord),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
});

export const TokenParams = Type.Object({ token: Type.String() });

export const KeyTestResponse = Type.Object({
  valid: Type.Boolean(),
  key_type: Type.Unsafe<'pk_live' | 'pk_test' | 'sk_live' | 'sk_test' | 'unknown'>({
    type: 'string',
    enum: ['pk_live', 'pk_test', 'sk_live', 'sk_test', 'unknown'],
  }),
  is_test: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
  customer_id: nullableString(),
});
export type KeyTestResponse = Static<typeof KeyTestResponse>;

export const ErrorBody = Type.Object({ detail: Type.String() });
export const ValidationErrorBody = Type.Object({
  detail: Type.Array(
    Type.Object({
      loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
      msg: Type.String(),
      type: Type.String(),
      input: Type.Optional(Type.Unknown()),
      ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});

/** Fields of initialize that only a secret key may send (contract, "Authentication", v3). */
export const SECRET_ONLY_FIELDS = [
  'verification_id',
  'verification_external_id',
  'email',
  'phone',
  'external_id',
  'group',
  'include_groups',
  'redirect_url',
  'metadata',
] as const satisfies readonly (keyof InitializeRequest)[];
