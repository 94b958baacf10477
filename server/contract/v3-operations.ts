/** The v3 operations in the API reference. The schemas are in `v3.ts`. */
import type { Operation } from './operations.ts';
import { SECRET_ONLY_FIELDS } from './v3.ts';

const KEY_ERRORS = ['authentication_required', 'invalid_key_type', 'invalid_or_revoked_key'] as const;

const CONFIRMATION = {
  verified: true,
  status: 'approved',
  reasons: [],
  declined: false,
  group: 'spring-fair',
  groups: [],
  id: '01a215cd-66db-720d-a232-5c2a30107a7c',
  confirmed_at: '2026-11-26T18:30:00.000Z',
  locked: false,
  is_test: false,
  score: 4,
  band: 'low',
  external_id: 'order-1042',
  identity: null,
  verification: { external_id: null, external_tenant_id: null },
} as const;

const VERIFICATION = {
  verification_id: '01a215cd-6000-7000-8000-000000000001',
  external_id: null,
  external_tenant_id: null,
  origin: 'https://shop.example.com',
  return_path: '/return',
  start_path: null,
  redirect_url: null,
  asset_id: null,
  config: { require_account: false, is_test: false, is_demo: false, track_attributes: [] },
} as const;

export const V3_OPERATIONS = {
  initialize: {
    generation: 'v3',
    operationId: 'initialize',
    repeatable: true,
    summary: 'Start a run',
    description:
      'Creates a session and returns the hosted link to send the person to. When the run ends, they return with ' +
      '`?vyt=<token>&vyc=<0|1>` appended. `vyc` is only a hint: confirm the token on your server. With ' +
      '`expire_in_days` (deprecated), a durable invite is created instead.',
    key: 'publishable or secret',
    success: 'The hosted link.',
    reply: {
      url: 'https://verify.example.com/verification?vys=vs_0mwwyuxe0PpP7f7rbNEpL2YUJhCcTc7DTmivFKuXA',
      session_id: 'vs_0mwwyuxe0PpP7f7rbNEpL2YUJhCcTc7DTmivFKuXA',
      invite_id: null,
    },
    fieldKeys: { secret: SECRET_ONLY_FIELDS, test: ['config'] },
    example: {
      redirect_url: 'https://shop.example.com/return',
      external_id: 'order-1042',
      group: 'spring-fair',
    },
    errors: {
      400: [
        'identifiers_require_secret_key',
        'one_identifier_only',
        'identifier_unrecognized',
        'start_path_requires_origin',
        'return_path_requires_origin',
        'invalid_origin',
        'invalid_redirect_url',
        'redirect_url_requires_session',
        'group_requires_session',
        'expire_in_days_requires_email',
        'metadata_requires_identifier',
      ],
      401: KEY_ERRORS,
      403: ['config_requires_test_key'],
      404: ['no_matching_verification'],
      409: ['identity_already_claimed', 'external_id_already_exists'],
      422: ['config_incomplete: missing …'],
      429: ['too_many_sessions', 'too_many_uploads'],
      503: ['uploads_busy'],
    },
  },
  readConfirmation: {
    generation: 'v3',
    operationId: 'readConfirmation',
    summary: 'Exchange a result token for the verdict',
    description:
      'Grant access based on `verified`. A declined or locked pass is not an error. A token of another company or of ' +
      'the other partition is not found, nor is that of a run in review until a reviewer decides. You can exchange a ' +
      'token for 30 minutes.',
    key: 'secret',
    success: 'The verdict.',
    reply: CONFIRMATION,
    errors: {
      401: [...KEY_ERRORS, 'invalid_confirmation_token'],
      404: ['not found'],
      410: ['token_expired'],
    },
  },
  lockConfirmation: {
    generation: 'v3',
    operationId: 'lockConfirmation',
    repeatable: true,
    summary: 'Mark a pass as used',
    description:
      'Locks all passes that the person has on the verification, not only the one of the token. Later runs there are ' +
      'denied. Repeating the call changes nothing. For a limit such as once a week, set one on the verification instead.',
    key: 'secret',
    success: 'The verdict of the locked pass.',
    reply: { ...CONFIRMATION, verified: false, locked: true },
    errors: {
      401: [...KEY_ERRORS, 'invalid_confirmation_token'],
      404: ['not found'],
      410: ['token_expired'],
    },
  },
  lookUpByIdentity: {
    generation: 'v3',
    operationId: 'lookUpByIdentity',
    summary: 'Find the latest pass of an email or phone',
    description:
      'A result token is the stronger check: it proves that the person has just finished this run.',
    key: 'secret',
    success: 'The verdict of the latest pass.',
    reply: CONFIRMATION,
    example: { email: 'guest@example.com' },
    errors: {
      400: ['one_identifier_only', 'identifier_unrecognized'],
      401: KEY_ERRORS,
      404: ['no_settled_pass'],
    },
  },
  advanceTestClock: {
    generation: 'v3',
    operationId: 'advanceTestClock',
    repeatable: true,
    summary: 'Let time pass for the test data',
    description:
      'Makes everything in the test partition of your company older at once: sessions expire, skip windows, limits and caps ' +
      'end, webhooks are tried again. Live data is never moved. Time only passes; clear the test data to set the clock back.',
    key: 'test secret',
    success: 'The clock.',
    reply: { advanced_seconds: 86_400 },
    example: { advance_seconds: 86_400 },
    errors: {
      401: KEY_ERRORS,
      403: ['test_key_required'],
      409: ['test_clock_at_end', 'test_data_too_large'],
    },
  },
  readTestClock: {
    generation: 'v3',
    operationId: 'readTestClock',
    summary: 'Read the clock of the test data',
    description: 'How much time has passed for the test data beyond the real time.',
    key: 'test secret',
    success: 'The clock.',
    reply: { advanced_seconds: 86_400 },
    errors: { 401: KEY_ERRORS, 403: ['test_key_required'] },
  },
  resetTestClock: {
    generation: 'v3',
    operationId: 'resetTestClock',
    summary: 'Clear the test data and set its clock back',
    description:
      'Deletes all checks, cases and people in the test partition of your company. Live data, keys and usage counts stay.',
    key: 'test secret',
    success: 'The clock.',
    reply: { advanced_seconds: 0 },
    errors: { 401: KEY_ERRORS, 403: ['test_key_required'] },
  },
  settleTestPass: {
    generation: 'v3',
    operationId: 'settleTestPass',
    repeatable: true,
    summary: 'Settle a test pass with a chosen verdict',
    description:
      'Creates a pass in the test partition and returns a result token that you can exchange. The pass is deleted ' +
      'with the other test data.',
    key: 'test secret',
    success: 'The result token.',
    reply: { token: 'vyt_AfUbUKgbjwWdDVdds6lghnhQS6fqjQxmpFn6rPM3s', verified: false },
    example: { status: 'denied', reasons: ['collision'] },
    errors: {
      400: ['unknown_reason'],
      401: KEY_ERRORS,
      403: ['test_key_required'],
      404: ['no_matching_verification'],
    },
  },
  lookUpVerification: {
    generation: 'v3',
    operationId: 'lookUpVerification',
    summary: 'Find a verification',
    description: 'Send its ID or your own. With neither, you get the default verification.',
    key: 'secret',
    success: 'The verification and its hosted link.',
    reply: { url: 'https://verify.example.com/v/01a215cd-6000-7000-8000-000000000001', ...VERIFICATION },
    optionalBody: true,
    example: {},
    errors: { 401: KEY_ERRORS, 404: ['not found'] },
  },
  listVerifications: {
    generation: 'v3',
    operationId: 'listVerifications',
    summary: 'List verifications',
    description: 'Returns the oldest first, so that pages stay the same when you add one.',
    key: 'secret',
    success: 'One page of verifications.',
    reply: { items: [VERIFICATION], total: 1, limit: 25, offset: 0 },
    errors: { 401: KEY_ERRORS },
  },
  testKey: {
    generation: 'v3',
    operationId: 'testKey',
    summary: 'Test a key',
    description: 'Always returns 200. For a bad key, `valid` is false.',
    key: 'any',
    success: 'What the key is.',
    reply: {
      valid: true,
      key_type: 'sk_test',
      is_test: true,
      customer_id: '01a215cd-6000-7000-8000-000000000002',
    },
    deprecated: true,
    errors: {},
  },
} as const satisfies Record<string, Operation>;
