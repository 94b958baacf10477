/** The v3 interface on the wire. Names, types, limits and nullability are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import {
  MAX_ADDRESS_CHARS,
  MAX_ID_LENGTH,
  MAX_CONFIG_BYTES,
  MAX_EMAIL_CHARS,
  MAX_JSON_BYTES,
  MAX_NAME_CHARS,
  MAX_PASS_PARAMS_BYTES,
  MAX_PHONE_CHARS,
  NO_SPACE_AROUND,
} from './text-bounds.ts';
import { nullable, oneOf } from './schemas.ts';

/**
 * Optional request fields. An explicit null is removed from a body before validation, so it counts as absent
 * (decisions §1.4).
 */
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
const optionalAddress = (description: string) => optionalText(MAX_ADDRESS_CHARS, description);
const optionalPath = (description: string) =>
  Type.Optional(Type.String({ maxLength: MAX_ADDRESS_CHARS, pattern: NO_SPACE_AROUND, description }));
const optionalEmail = (description: string) => optionalText(MAX_EMAIL_CHARS, description);
const optionalPhone = (description: string) => optionalText(MAX_PHONE_CHARS, description);
const optionalId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH, description }));
const optionalUuid = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }));

/** A JSON object of one kind of value. */
const record = <T>(options: object) => Type.Unsafe<Record<string, T>>({ type: 'object', ...options });

// A schema with a title is a named component of the OpenAPI document.
export const InitializeRequest = Type.Object(
  {
    origin: optionalAddress(
      'Domain that the verification starts from. Selects the verification when `verification_id` is absent.',
    ),
    return_path: optionalPath('Path on `origin` that the person returns to. No white space around it.'),
    start_path: optionalPath(
      'Path on `origin` that the person comes from. Requires `origin`. No white space around it.',
    ),
    verification_id: optionalUuid('Verification to run, instead of your company’s default.'),
    verification_external_id: Type.Optional(
      Type.String({
        maxLength: MAX_ADDRESS_CHARS,
        deprecated: true,
        description: 'Your own ID for a verification. Use `verification_id` instead.',
      }),
    ),
    email: optionalEmail('Email address of the person. The run accepts no other.'),
    phone: optionalPhone('Phone number of the person. The run accepts no other.'),
    external_id: optionalId('Your own ID for this run. The confirmation returns it.'),
    external_tracker: Type.Optional(
      Type.String({
        maxLength: MAX_ADDRESS_CHARS,
        deprecated: true,
        description: 'Accepted but not stored.',
      }),
    ),
    group: optionalId('Uniqueness pool of the run. Any ID works; you don’t need to register it first.'),
    include_groups: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH }), {
        minItems: 1,
        maxItems: 50,
        description: 'Other groups whose history also counts for this run.',
      }),
    ),
    redirect_url: optionalAddress('Address that the person returns to when the run ends.'),
    pass_params: Type.Optional(
      record<string>({
        additionalProperties: { type: 'string' },
        [MAX_JSON_BYTES]: MAX_PASS_PARAMS_BYTES,
        description:
          'Extra query parameters for the return address, up to 8,192 bytes of JSON in total. Names that start with `vy` are ignored.',
      }),
    ),
    expire_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        deprecated: true,
        description: 'Creates a durable invite instead of a session. The number itself is ignored.',
      }),
    ),
    config: Type.Optional(
      record<unknown>({
        [MAX_JSON_BYTES]: MAX_CONFIG_BYTES,
        description:
          'Replaces the stored options of the verification for this run. Up to 16,384 bytes of JSON.',
      }),
    ),
    auto_return: Type.Optional(
      Type.Boolean({
        description: 'Return the person without a result screen when the run is approved or declined.',
      }),
    ),
    metadata: Type.Optional(
      record<string | number | boolean>({
        maxProperties: 50,
        propertyNames: { type: 'string', minLength: 1, maxLength: 64 },
        additionalProperties: { type: ['string', 'number', 'boolean'], minLength: 1, maxLength: 1024 },
        description: 'Your own fields about the person.',
      }),
    ),
  },
  { title: 'InitializeRequest' },
);
export type InitializeRequest = Static<typeof InitializeRequest>;

export const InitializeResponse = Type.Object(
  {
    url: Type.String({ description: 'Hosted link. Send the person there.' }),
    session_id: nullable('ID of the session. Null if you sent `expire_in_days`.'),
    invite_id: nullable('ID of the invite. Null unless you sent `expire_in_days`.', {
      deprecated: true,
    }),
  },
  { title: 'InitializeResponse' },
);
export type InitializeResponse = Static<typeof InitializeResponse>;

const ConfirmationIdentity = Type.Object(
  {
    provider: oneOf(['email', 'phone', 'test'], { description: 'Type of the credential.' }),
    identifier: Type.String({ description: 'The email address, phone number or test name.' }),
  },
  { title: 'ConfirmationIdentity' },
);
type ConfirmationIdentity = Static<typeof ConfirmationIdentity>;

export const Confirmation = Type.Object(
  {
    verified: Type.Boolean({
      description: 'True if the person passed and the pass is not locked. Grant access based on this field.',
    }),
    status: oneOf(['approved', 'denied'], {
      description: 'The verdict. `approved` with `reasons` means that the person passed with findings.',
    }),
    reasons: Type.Array(Type.String(), {
      description: 'Findings behind the verdict. A denied pass has at least one; a clean pass has none.',
    }),
    declined: Type.Boolean({
      description: 'True if the person chose not to be checked. The pass is denied, but no check failed.',
    }),
    group: nullable('Group that the run was judged in. Null if you sent none.'),
    groups: Type.Array(Type.String(), { description: 'Groups whose history led to the findings.' }),
    id: Type.String({ deprecated: true, description: 'ID of the pass.' }),
    confirmed_at: Type.String({
      format: 'date-time',
      deprecated: true,
      description: 'Time of the verdict.',
    }),
    locked: Type.Boolean({ deprecated: true, description: 'True if the pass was marked as used.' }),
    is_test: Type.Boolean({
      deprecated: true,
      description: 'True if the pass belongs to the test partition.',
    }),
    score: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      deprecated: true,
      description: 'Risk score from 0 to 100. Higher is riskier.',
    }),
    band: nullable('Band of `score`: `low` below 30, `medium` below 70, otherwise `high`.', {
      deprecated: true,
    }),
    external_id: nullable('Your own ID for the run. Null if you sent none.', { deprecated: true }),
    identity: Type.Unsafe<ConfirmationIdentity | null>({
      ...ConfirmationIdentity,
      type: ['object', 'null'],
      deprecated: true,
      description: 'The credential that the person proved. Null unless the verification shares it.',
    }),
    verification: Type.Object(
      {
        external_id: nullable('Your own ID for the verification. Null if it has none.'),
        external_tenant_id: nullable('Your own ID for the tenant. Null if there is none.'),
      },
      { title: 'ConfirmationVerification', description: 'The verification that the run belongs to.' },
    ),
  },
  { title: 'Confirmation' },
);
export type Confirmation = Static<typeof Confirmation>;

export const LookupRequest = Type.Object(
  {
    email: optionalEmail('Email address of the person, as sent to `initialize`.'),
    phone: optionalPhone('Phone number of the person, as sent to `initialize`. Send this or `email`.'),
    verification_id: optionalUuid('Search only this verification. Omit it to search all of them.'),
    group: optionalId('Search only this group. Omit it to search all runs, with or without a group.'),
  },
  { title: 'LookupRequest' },
);
export type LookupRequest = Static<typeof LookupRequest>;

export const TestTokenRequest = Type.Object(
  {
    status: Type.Optional(
      oneOf(['approved', 'denied'], {
        default: 'approved',
        description: 'Verdict of the test pass. Without it, `approved`.',
      }),
    ),
    reasons: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_NAME_CHARS }), {
        maxItems: 20,
        description: 'Findings of the test pass. Each must be a known reason.',
      }),
    ),
    verification_id: optionalUuid(
      'Verification of the test pass. By default, your company’s default verification.',
    ),
  },
  { title: 'TestTokenRequest' },
);
export type TestTokenRequest = Static<typeof TestTokenRequest>;

export const TestTokenResponse = Type.Object(
  {
    token: Type.String({ description: 'Result token (`vyt`) of the test pass.' }),
    verified: Type.Boolean({ description: 'Value of `verified` that the token’s confirmation will have.' }),
  },
  { title: 'TestTokenResponse' },
);
export type TestTokenResponse = Static<typeof TestTokenResponse>;

/** Longer than everything that ends automatically. */
export const MAX_TEST_CLOCK_S = 366 * 86_400;

export const TestClockRequest = Type.Object(
  {
    advance_seconds: Type.Integer({
      minimum: 1,
      maximum: MAX_TEST_CLOCK_S,
      description: 'How much time passes for the test data: a day is `86400`.',
    }),
  },
  { title: 'TestClockRequest' },
);

export const TestClock = Type.Object(
  {
    advanced_seconds: Type.Integer({
      minimum: 0,
      maximum: MAX_TEST_CLOCK_S,
      description: 'How much time has passed by these calls since the test data was last cleared.',
    }),
  },
  { title: 'TestClock' },
);
export type TestClock = Static<typeof TestClock>;

const RECORD_FIELDS = {
  verification_id: Type.String({ description: 'ID of the verification.' }),
  external_id: nullable('Your own ID for the verification. Null if it has none.'),
  external_tenant_id: nullable('Your own ID for the tenant. Null if there is none.'),
  origin: nullable('Domain that runs start from.'),
  return_path: nullable('Path on `origin` that the person returns to.'),
  start_path: nullable('Path on `origin` that the person comes from.'),
  redirect_url: nullable('Address that the person returns to when a run ends.'),
  asset_id: nullable('ID of the picture shown with the verification.'),
  config: Type.Object(
    {
      require_account: Type.Boolean({ default: false, description: 'True if the person needs an account.' }),
      is_test: Type.Boolean({
        default: false,
        description: 'True if the verification belongs to the test partition.',
      }),
      is_demo: Type.Boolean({
        default: false,
        description: 'True if the verification is for demonstrations.',
      }),
      track_attributes: Type.Array(Type.Unknown(), {
        default: [],
        description: 'Attributes to record with each run.',
      }),
    },
    {
      title: 'VerificationConfig',
      additionalProperties: true,
      description: 'Options of the verification. Others than these can be present.',
    },
  ),
};

const VerificationRecord = Type.Object(RECORD_FIELDS, { title: 'Verification' });
export const VerificationLookupResponse = Type.Object(
  { url: Type.String({ description: 'Hosted link of the verification.' }), ...RECORD_FIELDS },
  { title: 'VerificationLookupResponse' },
);

export const VerificationLookupRequest = Type.Object(
  {
    id: optionalUuid('ID of the verification.'),
    external_id: optionalAddress('Your own ID for the verification.'),
  },
  { title: 'VerificationLookupRequest' },
);

export const VerificationListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 25, description: 'Verifications per page.' }),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Verifications to skip.' }),
});

export const VerificationList = Type.Object(
  {
    items: Type.Array(VerificationRecord, { description: 'Verifications on this page.' }),
    total: Type.Integer({ description: 'Number of verifications on all pages.' }),
    limit: Type.Integer({ description: 'The `limit` that was used.' }),
    offset: Type.Integer({ description: 'The `offset` that was used.' }),
  },
  { title: 'VerificationList' },
);

export const TokenParams = Type.Object({
  token: Type.String({ description: 'Result token: the `vyt` that the person returned with.' }),
});

export const KeyTestResponse = Type.Object(
  {
    valid: Type.Boolean({ description: 'False if the key is unknown or revoked.' }),
    key_type: oneOf(['pk_live', 'pk_test', 'sk_live', 'sk_test', 'unknown'], {
      description: 'Type of the key, judged by its prefix.',
    }),
    is_test: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'True for a test key. Null if the key is unknown or revoked.',
    }),
    customer_id: nullable('ID of the company that owns the key. Null if the key is unknown or revoked.'),
  },
  { title: 'KeyTestResponse' },
);
export type KeyTestResponse = Static<typeof KeyTestResponse>;

export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'Code of the error.' }),
    state: Type.Optional(
      oneOf(['in_review'], { description: 'With `not found`, while a reviewer has the run.' }),
    ),
    reasons: Type.Optional(
      Type.Array(Type.String(), { description: 'With `unknown_reason`: the unknown ones.' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          'With `unknown_host`: what to do; with `invalid_destination`: what is wrong; in English.',
      }),
    ),
    redeemed_at: Type.Optional(
      Type.String({ description: 'With `code_redeemed`: when the code was used up.' }),
    ),
    error_id: Type.Optional(
      Type.String({ description: 'With 500 and `storage_unavailable`: its ID in the log of the service.' }),
    ),
  },
  { title: 'Error' },
);
export const ValidationErrorBody = Type.Object(
  {
    detail: Type.Array(
      Type.Object(
        {
          loc: Type.Array(Type.Unsafe<string | number>({ type: ['string', 'integer'] }), {
            description: 'Path to the value: `body`, `query` or `path`, then names and positions.',
          }),
          msg: Type.String({ description: 'What is wrong, in English.' }),
          type: Type.String({ description: 'Kind of the problem, such as `missing` or `string_type`.' }),
          input: Type.Optional(Type.Unknown({ description: 'The value that was sent.' })),
          ctx: Type.Optional(
            Type.Record(Type.String(), Type.Unknown(), { description: 'The limit that the value breaks.' }),
          ),
        },
        { title: 'ValidationProblem' },
      ),
      { description: 'One entry for each problem.' },
    ),
  },
  {
    title: 'ValidationError',
    description: 'The request doesn’t match its schema. `detail` lists the problems.',
  },
);

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

/** @param score 0 to 100 */
export function bandOf(score: number): 'low' | 'medium' | 'high' {
  if (score < 30) return 'low';
  return score < 70 ? 'medium' : 'high';
}
