/** The v2 operations in the API reference. The schemas are in `v2.ts`. */
import type { Operation } from './operations.ts';

export const V2_OPERATIONS = {
  createVerification: {
    generation: 'v2',
    operationId: 'createVerification',
    repeatable: true,
    summary: 'Start a v2 run',
    description:
      'Registers a person and returns the hosted link to send them to. When the run ends, they return to `redirect` ' +
      'with `vy_token` and `vy_status` (`approved`, `denied` or `pending`) appended. You can send the same ' +
      '`external_id` more than once: its status is complete once any of its runs is. With `phone`, the link skips the ' +
      'phone step.',
    key: 'API-KEY',
    success: 'The hosted link.',
    reply: {
      verification_url:
        'https://verify.example.com/connect?session_id=vs_0mwwyuxe0PpP7f7rbNEpL2YUJhCcTc7DTmivFKuXA',
      external_id: 'guest-1042',
    },
    optionalBody: true,
    example: {
      external_id: 'guest-1042',
      redirect: 'https://shop.example.com/return',
      region: 'spring-fair',
    },
    errors: { 400: ['INVALID_REQUEST'], 401: ['INVALID_API_KEY'], 429: ['RATE_LIMITED'] },
  },
  readVerificationStatus: {
    generation: 'v2',
    operationId: 'readVerificationStatus',
    summary: 'Get the status of a v2 run',
    description:
      'Safe to poll. Send `token` or `external_id`. If you send both, the token decides and the ID must belong to it. ' +
      'The status is false while the run is in progress or in review, and if it was denied or declined.',
    key: 'API-KEY',
    success: 'The status.',
    reply: { verification_complete: true, external_id: 'guest-1042' },
    example: { external_id: 'guest-1042' },
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
    summary: 'Get a test number',
    description: 'Returns a number from the test ranges with its code. Without a key, 5 calls a minute.',
    key: 'API-KEY of a demo account, or none',
    success: 'The number and its code.',
    reply: { phone_number: '+12105550142', verification_code: '550142' },
    optionalBody: true,
    example: { type: 'us', area_code: '210' },
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
    summary: 'Get the code of a test number',
    description: 'Works only for numbers from the test ranges. Without a key, 5 calls a minute.',
    key: 'API-KEY of a demo account, or none',
    success: 'The code.',
    reply: { verification_code: '550142' },
    example: { phone_number: '+12105550142' },
    errors: {
      400: ['INVALID_API_ACCESS', 'INVALID_REQUEST'],
      401: ['INVALID_API_KEY'],
      403: ['DEMO_ACCOUNT_REQUIRED'],
      429: ['RATE_LIMITED'],
    },
  },
} as const satisfies Record<string, Operation>;
