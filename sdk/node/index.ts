/** Gatehouse for your server: start checks, read results, verify webhooks. */
export { Gatehouse, type CallOptions, type GatehouseOptions } from './client.ts';
export { GatehouseError } from './errors.ts';
export {
  verifyV1Webhook,
  verifyWebhook,
  WebhookVerificationError,
  type V1WebhookEvent,
  type WebhookEvent,
} from './webhooks.ts';
export type {
  Confirmation,
  InitializeRequest,
  InitializeResponse,
  LookupRequest,
  TestTokenRequest,
  TestClock,
  TestTokenResponse,
  ValidationProblem,
} from './types.ts';
