/** What the API reference says of each v1 and v2 operation. The schemas are in `v1.ts` and `v2.ts`. */

export type ConnectOperation = {
  generation: 'v1' | 'v2';
  operationId: string;
  summary: string;
  description: string;
  key: 'API-KEY' | 'API-KEY of a demo account, or none';
  /** `failure_code`s by status; those of every operation are understood. */
  errors: Readonly<Record<number, readonly string[]>>;
};

export const V2_OPERATIONS = {
  createVerification: {
    generation: 'v2',
    operationId: 'createVerification',
    summary: 'Start a v2 run',
    description:
      'Registers a person and answers with the hosted link to send them to, as it is. When the run ends they return ' +
      'to `redirect` with `vy_token` and `vy_status` (`approved`, `denied` or `pending`) appended. An `external_id` ' +
      'may come again: its status is complete once any of its runs is. With `phone` the link is a direct one.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], 401: ['INVALID_API_KEY'], 429: ['RATE_LIMITED'] },
  },
  readVerificationStatus: {
    generation: 'v2',
    operationId: 'readVerificationStatus',
    summary: 'Read how a v2 run stands',
    description:
      'Safe to poll. Send `token` or `external_id`; with both, the token decides and the id must belong to it. A ' +
      'person in flight, denied, declined or in review reads false.',
    key: 'API-KEY',
    errors: {
      400: ['INVALID_API_ACCESS', 'INVALID_REQUEST'],
      401: ['INVALID_API_KEY'],
      404: ['DOES_NOT_EXIST'],
      410: ['EXPIRED'],
      429: ['RATE_LIMITED'],
    },
  },
  makeSandboxPhoneNumber: {
    generation: 'v2',
    operationId: 'makeSandboxPhoneNumber',
    summary: 'Draw a test number',
    description: 'A number of the test ranges, and its code. Without a key, 5 calls a minute.',
    key: 'API-KEY of a demo account, or none',
    errors: {
      400: ['INVALID_REQUEST'],
      401: ['INVALID_API_KEY'],
      403: ['DEMO_ACCOUNT_REQUIRED'],
      429: ['RATE_LIMITED'],
    },
  },
  readSandboxCode: {
    generation: 'v2',
    operationId: 'readSandboxCode',
    summary: 'Read the code of a test number',
    description: 'Only numbers of the test ranges have a code here. Without a key, 5 calls a minute.',
    key: 'API-KEY of a demo account, or none',
    errors: {
      400: ['INVALID_API_ACCESS', 'INVALID_REQUEST'],
      401: ['INVALID_API_KEY'],
      403: ['DEMO_ACCOUNT_REQUIRED'],
      429: ['RATE_LIMITED'],
    },
  },
} as const satisfies Record<string, ConnectOperation>;

export const V1_OPERATIONS = {
  registerUser: {
    generation: 'v1',
    operationId: 'registerUser',
    summary: 'Register a person',
    description:
      'Answers with an invite link. Registering a known `reference_user_id` again under the same key gives the same ' +
      '`user_id` with a fresh link.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], 401: ['INVALID_API_KEY'] },
  },
  readUserStatus: {
    generation: 'v1',
    operationId: 'readUserStatus',
    summary: 'Read how a person stands',
    description: 'Safe to poll; webhooks tell the same without asking.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], 401: ['INVALID_API_KEY'], 404: ['DOES_NOT_EXIST'] },
  },
} as const satisfies Record<string, ConnectOperation>;
