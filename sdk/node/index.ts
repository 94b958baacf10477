/** Gatehouse for your server: start checks, read results, verify webhooks. */
export { Gatehouse, type CallOptions, type GatehouseOptions } from './client.ts';
export { verifyCode, type CodeCheck, type CodeOptions } from './codes.ts';
export { GatehouseError } from './errors.ts';
export {
  verifyV1Webhook,
  verifyWebhook,
  WebhookVerificationError,
  type V1WebhookEvent,
  type WebhookEvent,
} from './webhooks.ts';
export type {
  CodeKeys,
  Confirmation,
  HumansOnlyCode,
  InitializeRequest,
  InitializeResponse,
  LookupRequest,
  RedeemedCode,
  TestTokenRequest,
  TestClock,
  TestTokenResponse,
  ValidationProblem,
} from './types.ts';
