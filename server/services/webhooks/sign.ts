import { createHmac } from 'node:crypto';

/** Value of `X-Hub-Signature-256`: HMAC-SHA256 over the sent bytes (contract, "v2 and v1" 4). */
export function signature(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
