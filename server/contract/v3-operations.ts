/** What the API reference says of each v3 operation: words, keys and errors. The schemas are in `v3.ts`. */

export type OperationKey = 'secret' | 'publishable or secret' | 'test secret' | 'any';

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  key: OperationKey;
  deprecated?: true;
  /** `detail` codes by status; the validation body of 422 is understood. */
  errors: Readonly<Record<number, readonly string[]>>;
};

const KEY_ERRORS = ['authentication_required', 'invalid_key_type', 'invalid_or_revoked_key'] as const;

export const V3_OPERATIONS = {
  initialize: {
    operationId: 'initialize',
    summary: 'Start a run',
    description:
      'Mints a session and answers with the hosted link to send the person to. When the run ends they return with ' +
      '`?vyt=<token>&vyc=<0|1>` appended; `vyc` is a hint, the token must be confirmed on your server. With ' +
      '`expire_in_days` (deprecated) a durable invite is minted instead.',
    key: 'publishable or secret',
    errors: {
      400: [
        'identifiers_require_secret_key',
        'one_identifier_only',
        'identifier_unrecognized',
        'start_path_requires_origin',
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
      429: ['too_many_sessions'],
    },
  },
  readConfirmation: {
    operationId: 'readConfirmation',
    summary: 'Exchange a result token for the verdict',
    description:
      'Gate access on `verified`. A declined or locked pass is no error. A token of another company, or of the other ' +
      'partition, reads as nonexistent. Tokens can be exchanged for 30 minutes.',
    key: 'secret',
    errors: {
      401: [...KEY_ERRORS, 'invalid_confirmation_token'],
      404: ['not found'],
      410: ['token_expired'],
    },
  },
  lockConfirmation: {
    operationId: 'lockConfirmation',
    summary: 'Mark a pass consumed',
    description:
      'Locks the person’s passes on the verification, not only the one of the token: later runs there come back ' +
      'denied. Repeating it changes nothing. For a cap such as once a week, set a limit on the verification instead.',
    key: 'secret',
    errors: {
      401: [...KEY_ERRORS, 'invalid_confirmation_token'],
      404: ['not found'],
      410: ['token_expired'],
    },
  },
  lookUpByIdentity: {
    operationId: 'lookUpByIdentity',
    summary: 'Find the latest pass of an email or phone',
    description: 'A token is the stronger check: it proves that this run has just finished.',
    key: 'secret',
    errors: {
      400: ['one_identifier_only', 'identifier_unrecognized'],
      401: KEY_ERRORS,
      404: ['no_settled_pass'],
    },
  },
  settleTestPass: {
    operationId: 'settleTestPass',
    summary: 'Settle a test pass with a chosen verdict',
    description: 'A real token of a real pass in the test partition, removed by the test-data cleanup.',
    key: 'test secret',
    errors: {
      400: ['unknown_reason'],
      401: KEY_ERRORS,
      403: ['test_key_required'],
      404: ['no_matching_verification'],
    },
  },
  lookUpVerification: {
    operationId: 'lookUpVerification',
    summary: 'Find one verification',
    description: 'By its id or yours; with neither, the default verification.',
    key: 'secret',
    errors: { 401: KEY_ERRORS, 404: ['not found'] },
  },
  listVerifications: {
    operationId: 'listVerifications',
    summary: 'List verifications',
    description: 'Oldest first, so that pages are stable.',
    key: 'secret',
    errors: { 401: KEY_ERRORS },
  },
  testKey: {
    operationId: 'testKey',
    summary: 'Test a key',
    description: 'Always answers 200; a bad key gives `valid` false.',
    key: 'any',
    deprecated: true,
    errors: {},
  },
} as const satisfies Record<string, Operation>;
