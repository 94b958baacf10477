/** The v1 operations in the API reference. The schemas are in `v1.ts` and `v1-webhooks.ts`. */
import type { Operation } from './operations.ts';

const KEY_ONLY = { 401: ['INVALID_API_KEY'] } as const;

export const V1_OPERATIONS = {
  registerUser: {
    generation: 'v1',
    operationId: 'registerUser',
    repeatable: true,
    summary: 'Register a person',
    description:
      'Returns an invite link. If you register the same `reference_user_id` again with the same key, you get the same ' +
      '`user_id` and a new link.',
    key: 'API-KEY',
    success: 'The invite link.',
    reply: {
      status: 'success',
      invite_url: 'https://verify.example.com/invite/9pQ2xWc7',
      user_id: 'bcu_4mX9tQ2Lk8',
      connection_verified: false,
    },
    oneOrList: ['data_request'],
    example: {
      reference_user_id: 'guest-1042',
      data_request: [{ type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID' }],
    },
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY },
  },
  readUserStatus: {
    generation: 'v1',
    operationId: 'readUserStatus',
    summary: 'Get the status of a person',
    description: 'Safe to poll. To get changes without polling, set up webhooks.',
    key: 'API-KEY',
    success: 'The status.',
    reply: {
      status: 'success',
      has_connection: true,
      simple_data_request_response: [
        {
          type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID',
          result: { humanness_score: 96, unique_human_id: '01a215cd-6000-7000-8000-000000000003' },
        },
      ],
    },
    example: { reference_user_id: 'guest-1042' },
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY, 404: ['DOES_NOT_EXIST'] },
  },
} as const satisfies Record<string, Operation>;

export const V1_WEBHOOK_OPERATIONS = {
  saveWebhookConfig: {
    generation: 'v1',
    operationId: 'saveWebhookConfig',
    summary: 'Set where events of a type are sent',
    description:
      'Creates or changes the configuration of this type for your API key, and enables it again if it was disabled. ' +
      'The destination is an absolute https address on the public internet; the operator can allow other hosts. ' +
      'Pending calls go to the new address. Check signatures with `shared_secret`.',
    key: 'API-KEY',
    success: 'The configuration.',
    reply: {
      status: 'success',
      webhook_type: 'USER_VERIFICATION_COMPLETED',
      destination_url: 'https://shop.example.com/webhooks',
      shared_secret: 'whsec_…',
    },
    example: {
      webhook_type: 'USER_VERIFICATION_COMPLETED',
      destination_url: 'https://shop.example.com/webhooks',
    },
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY },
  },
  listWebhookConfigs: {
    generation: 'v1',
    operationId: 'listWebhookConfigs',
    summary: 'List where events are sent',
    description: 'Returns all configurations of your API key, newest first.',
    key: 'API-KEY',
    success: 'A JSON array.',
    reply: [
      { webhook_type: 'USER_VERIFICATION_COMPLETED', destination_url: 'https://shop.example.com/webhooks' },
    ],
    errors: KEY_ONLY,
  },
  deleteWebhookConfig: {
    generation: 'v1',
    operationId: 'deleteWebhookConfig',
    summary: 'Stop sending events of a type',
    description: 'Deletes the configuration. Pending calls end as `FAILED`.',
    key: 'API-KEY',
    success: 'The deleted type.',
    reply: { status: 'success', webhook_type: 'USER_VERIFICATION_COMPLETED' },
    example: { webhook_type: 'USER_VERIFICATION_COMPLETED' },
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY, 404: ['DOES_NOT_EXIST'] },
  },
  listWebhookCalls: {
    generation: 'v1',
    operationId: 'listWebhookCalls',
    summary: 'List recent calls',
    description: 'Returns up to 50 calls, newest first.',
    key: 'API-KEY',
    success: 'A JSON array.',
    reply: [
      {
        transaction_id: 'ewh:2f6a1c9e-7d0b-4b55-9c61-3f2f8f1f7a10',
        webhook_type: 'USER_VERIFICATION_COMPLETED',
        status: 'COMPLETED',
        attempts: 1,
        created_at: '2026-11-26T18:30:00.000Z',
        next_attempt_at: null,
        last_attempt_at: '2026-11-26T18:30:00.214Z',
        completed_at: '2026-11-26T18:30:00.214Z',
      },
    ],
    errors: KEY_ONLY,
  },
  rerunWebhookCall: {
    generation: 'v1',
    operationId: 'rerunWebhookCall',
    summary: 'Send a call again',
    description:
      'Creates a new call with a new `transaction_id` and otherwise the same body. It goes to the address that is ' +
      'configured now.',
    key: 'API-KEY',
    success: 'The new call.',
    reply: { status: 'success', transaction_id: 'ewh:7b0f4c9e-1d2f-4f0e-8a55-0c1b7c3f9d21' },
    example: { transaction_id: 'ewh:2f6a1c9e-7d0b-4b55-9c61-3f2f8f1f7a10' },
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY, 404: ['DOES_NOT_EXIST'] },
  },
  listWebhookEvents: {
    generation: 'v1',
    operationId: 'listWebhookEvents',
    summary: 'List recent attempts',
    description: 'Returns up to 50 attempts with their responses, newest first.',
    key: 'API-KEY',
    success: 'A JSON array.',
    reply: [
      {
        transaction_id: 'ewh:2f6a1c9e-7d0b-4b55-9c61-3f2f8f1f7a10',
        attempt: 1,
        http_status: 204,
        response_body: '',
        network_failure: null,
        duration_ms: 182,
        created_at: '2026-11-26T18:30:00.214Z',
      },
    ],
    errors: KEY_ONLY,
  },
} as const satisfies Record<string, Operation>;
