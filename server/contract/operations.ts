/** The type of an operation in the API reference, and the error codes that operations return. */

/** Generations of the interface. They differ in what a run's own ID names and in their defaults. */
export const GENERATIONS = ['v1', 'v2', 'v3'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** Keys that an operation accepts, in the words of the reference. */
type OperationKey =
  | 'secret'
  | 'publishable or secret'
  | 'test secret'
  | 'any'
  | 'API-KEY'
  | 'API-KEY of a demo account, or none';

export type Operation = {
  generation: Generation;
  operationId: string;
  summary: string;
  description: string;
  key: OperationKey;
  /** Describes the success reply. */
  success: string;
  /** An example reply that matches the schema. */
  reply: Readonly<Record<string, unknown>> | readonly unknown[];
  deprecated?: true;
  /** Body fields that require a certain kind of key. */
  fieldKeys?: Readonly<Record<'secret' | 'test', readonly string[]>>;
  /** An example body that matches the schema. Required if the operation takes a body. */
  example?: Readonly<Record<string, unknown>>;
  /** Lists in the body of which one item may be sent alone. */
  oneOrList?: readonly string[];
  /** Takes an `Idempotency-Key`. */
  repeatable?: true;
  /** The body may be left out; it then counts as empty. */
  optionalBody?: true;
  /** Error codes by status, except those that every operation of the generation has. */
  errors: Readonly<Record<number, readonly ErrorCode[]>>;
};

/** `detail` in v3, `failure_code` in v1 and v2. */
export const ERROR_CODES = {
  authentication_required: {
    meaning: 'The request has no key.',
    action: 'Send the `Authorization` header.',
  },
  invalid_key_type: {
    meaning: 'The key has an unknown form, or is publishable where a secret key is required.',
    action: 'Use a secret key, from your server.',
  },
  invalid_or_revoked_key: {
    meaning: 'The key is unknown or revoked.',
    action: 'Check the key in the console under Keys.',
  },
  identifiers_require_secret_key: {
    meaning: 'The request has a publishable key and a field that requires a secret key.',
    action: 'Start the run from your server with a secret key, or remove the field.',
  },
  one_identifier_only: {
    meaning: 'The request has both `email` and `phone`, or a lookup has neither.',
    action: 'Send one of them.',
  },
  identifier_unrecognized: {
    meaning: '`email` or `phone` is not a valid address or number.',
    action: 'Ask the person to correct it.',
  },
  start_path_requires_origin: { meaning: '`start_path` was sent without `origin`.', action: 'Send both.' },
  return_path_requires_origin: { meaning: '`return_path` was sent without `origin`.', action: 'Send both.' },
  invalid_origin: {
    meaning:
      '`origin` is not one domain or origin: it is `null`, a wildcard, a list, or has a path or spaces.',
    action: 'Send a value such as `shop.example.com`.',
  },
  invalid_redirect_url: {
    meaning: '`redirect_url` is not an absolute https address, or it contains a user name or password.',
    action: 'Correct the address. http works only for localhost and private addresses.',
  },
  redirect_url_requires_session: {
    meaning: '`redirect_url` was sent with `expire_in_days`.',
    action: 'Remove `expire_in_days`.',
  },
  group_requires_session: {
    meaning: '`group` or `include_groups` was sent with `expire_in_days`.',
    action: 'Remove `expire_in_days`.',
  },
  expire_in_days_requires_email: {
    meaning: '`expire_in_days` was sent without `email`.',
    action: 'Send `email` as well, or remove `expire_in_days`.',
  },
  metadata_requires_identifier: {
    meaning: '`metadata` was sent without `email`, `phone` or `external_id`.',
    action: 'Send one of them, so that the metadata belongs to a person.',
  },
  config_requires_test_key: {
    meaning: '`config` was sent with a live key.',
    action: 'Use a test key, or change the verification in the console.',
  },
  no_matching_verification: {
    meaning: 'Your company has no verification that matches the request.',
    action: 'Check `verification_id` and `origin`, or create the verification in the console.',
  },
  too_many_sessions: {
    meaning: 'This address started too many sessions with publishable keys or links within an hour.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  too_many_uploads: {
    meaning: 'Too many large bodies from this address are on their way at once.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  uploads_busy: {
    meaning: 'Too many large bodies are on their way at once.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  identity_already_claimed: {
    meaning: 'Another person has proved this email address or phone number.',
    action: 'Ask the person for a different one.',
  },
  external_id_already_exists: {
    meaning: 'This `external_id` belongs to a run of another verification.',
    action: 'Use a different `external_id`.',
  },
  'config_incomplete: missing …': {
    meaning: '`config` names options that this server doesn’t know. The code ends with their names.',
    action: 'Remove these options.',
  },
  invalid_confirmation_token: {
    meaning: 'The token is malformed or its signature is wrong.',
    action: 'Don’t grant access. Send the `vyt` unchanged.',
  },
  'not found': {
    meaning:
      'The resource doesn’t exist, or belongs to another company or partition. While a reviewer has the run, the body also has ' +
      '`"state": "in_review"`.',
    action:
      'Check the ID or token, and use the key of the partition it was created in. In review, ask again later.',
  },
  token_expired: {
    meaning: 'The token is older than 30 minutes.',
    action: 'Start a new run, or look up the person’s latest pass.',
  },
  no_settled_pass: {
    meaning: 'No run with this email address or phone number has a verdict yet.',
    action: 'Try again when the run has ended, or start one.',
  },
  pass_not_verified: {
    meaning: 'The pass was denied, locked or revoked, or its person was erased.',
    action: 'Give codes only to people whose confirmation has `verified: true`.',
  },
  no_event_of_group: {
    meaning: 'The run has no `group`, or none of your events in this partition uses its group.',
    action: 'Start the run with the group of the event, which the console shows under Events.',
  },
  event_over: { meaning: 'The event has ended.', action: 'Make codes before the end of the event.' },
  invalid_code: {
    meaning:
      'The code was not made here for your company and partition, was changed, or was ended with its key.',
    action: 'Don’t accept it.',
  },
  code_redeemed: {
    meaning: 'The code was redeemed before. `redeemed_at` says when.',
    action: 'Don’t accept it a second time.',
  },
  code_expired: { meaning: 'The event of the code has ended.', action: 'Don’t accept it.' },
  unknown_reason: {
    meaning: '`reasons` contains an unknown reason.',
    action: 'Use reasons from the list on this page.',
  },
  invalid_idempotency_key: {
    meaning: '`Idempotency-Key` is empty, longer than 255 characters or not visible ASCII.',
    action: 'Send a new UUID for each effect, quoted or bare.',
  },
  idempotency_key_reused: {
    meaning: 'The `Idempotency-Key` was sent before with another body or path.',
    action: 'Use a new key for a new call. Repeat a call without changes.',
  },
  idempotency_key_in_use: {
    meaning: 'The first call with this `Idempotency-Key` is still running.',
    action: 'Try again after a moment, with the same key.',
  },
  webhook_not_found: {
    meaning: 'Your company has no webhook with this ID in this partition.',
    action: 'List the webhooks, and use the key of their partition.',
  },
  invalid_destination: {
    meaning:
      'The address is no absolute https address, or leads to this server, a private or a loopback address. `reason` says which, and ' +
      'names the setting that allows the host.',
    action:
      'Correct the address, or ask the operator to allow the host. Test keys may use loopback addresses.',
  },
  too_many_webhooks: {
    meaning: 'Your company already has 20 webhooks in this partition.',
    action: 'Delete one, or change one.',
  },
  event_not_sent: {
    meaning: 'The webhook is not set up for this event, or its receiver answered 410.',
    action: 'Add the event to the webhook.',
  },
  test_clock_at_end: {
    meaning: 'The clock of the test data would be more than 366 days ahead.',
    action: 'Clear the test data, which sets it back.',
  },
  test_data_too_large: {
    meaning: 'The test data has more than 5,000 sessions or passes, too many to move at once.',
    action: 'Clear the test data.',
  },
  test_key_required: {
    meaning: 'The request has a live or publishable key.',
    action: 'Use a secret test key (`sk_test_…`).',
  },
  unknown_host: {
    meaning: 'The service does not accept the host name of the request. `reason` names its address.',
    action: 'Call the address that `reason` names, or ask your operator to allow the name.',
  },
  payload_too_large: { meaning: 'The body is larger than this call accepts.', action: 'Send less.' },
  unsupported_media_type: {
    meaning: 'The body has a `Content-Encoding`, such as gzip.',
    action: 'Send the body as it is.',
  },
  internal_error: {
    meaning: 'An unexpected error occurred.',
    action: 'Try again. If it persists, give your operator the `error_id`.',
  },
  storage_unavailable: {
    meaning: 'The service cannot store anything for now.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  SERVICE_TEMPORARILY_UNAVAILABLE: {
    meaning: 'The service is under maintenance or out of capacity.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  INVALID_API_ACCESS: {
    meaning: 'A required field is missing.',
    action: 'Send the field that `failure_reason` names.',
  },
  INVALID_API_KEY: {
    meaning: 'The API key is missing, unknown or revoked.',
    action: 'Send the `API-KEY` header, and check the key in the console under Keys.',
  },
  INVALID_REQUEST: {
    meaning:
      'A field has a wrong value, or v1 misses a required field. With 413 the body is larger than 64 KiB, with 415 it has a ' +
      '`Content-Encoding`.',
    action: 'Correct the field that `failure_reason` names.',
  },
  DOES_NOT_EXIST: {
    meaning: 'The resource doesn’t exist, or belongs to another key.',
    action: 'Check the ID, and use the key it was created with.',
  },
  EXPIRED: {
    meaning: 'The token is older than 15 minutes.',
    action: 'Send the `external_id` instead.',
  },
  DEMO_ACCOUNT_REQUIRED: {
    meaning: 'The API key belongs to a production account.',
    action: 'Use a key of a demo account, or no key.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'The `Idempotency-Key` was sent before with another body.',
    action: 'Use a new key for a new call. Repeat a call without changes.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    meaning: 'The first call with this `Idempotency-Key` is still running.',
    action: 'Try again after a moment, with the same key.',
  },
  RATE_LIMITED: {
    meaning: 'This address made more than 5 calls in a minute without a valid key.',
    action: 'Try again after the number of seconds in `Retry-After`.',
  },
  INTERNAL_ERROR: {
    meaning: 'An unexpected error occurred.',
    action: 'Try again. If it persists, give your operator the error ID in `failure_reason`.',
  },
} as const satisfies Record<string, { meaning: string; action: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
