/** What the API reference says of v1's webhook administration. The schemas are in `v1-webhooks.ts`. */
import type { ConnectOperation } from './connect-operations.ts';

const KEY_ONLY = { 401: ['INVALID_API_KEY'] } as const;

export const V1_WEBHOOK_OPERATIONS = {
  saveWebhookConfig: {
    generation: 'v1',
    operationId: 'saveWebhookConfig',
    summary: 'Choose where events of a type go',
    description:
      'Makes or changes the one configuration of this type and API key, and switches it on again. The destination is ' +
      'an absolute https address on the public internet, unless the operator allow-listed its host. Calls that wait ' +
      'for the old address go to the new one. Sign checks use `shared_secret`, one per API key.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY },
  },
  listWebhookConfigs: {
    generation: 'v1',
    operationId: 'listWebhookConfigs',
    summary: 'List where events go',
    description: 'A bare array.',
    key: 'API-KEY',
    errors: KEY_ONLY,
  },
  deleteWebhookConfig: {
    generation: 'v1',
    operationId: 'deleteWebhookConfig',
    summary: 'Stop events of a type',
    description: 'Calls that wait end as `FAILED`.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY, 404: ['DOES_NOT_EXIST'] },
  },
  listWebhookCalls: {
    generation: 'v1',
    operationId: 'listWebhookCalls',
    summary: 'List recent calls',
    description: 'Up to 50, newest first, as a bare array.',
    key: 'API-KEY',
    errors: KEY_ONLY,
  },
  rerunWebhookCall: {
    generation: 'v1',
    operationId: 'rerunWebhookCall',
    summary: 'Send a call again',
    description:
      'Makes a new call with a `transaction_id` of its own, in its body too; all else is the same. It goes to the ' +
      'address that is configured now.',
    key: 'API-KEY',
    errors: { 400: ['INVALID_REQUEST'], ...KEY_ONLY, 404: ['DOES_NOT_EXIST'] },
  },
  listWebhookEvents: {
    generation: 'v1',
    operationId: 'listWebhookEvents',
    summary: 'List recent attempts',
    description: 'Up to 50, newest first, as a bare array: what each attempt was answered with.',
    key: 'API-KEY',
    errors: KEY_ONLY,
  },
} as const satisfies Record<string, ConnectOperation>;
