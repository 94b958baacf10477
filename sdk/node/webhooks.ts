/** Checks that a webhook call came from your Gatehouse. Pass the body as it arrived, before anything parses it. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

type Headers = Readonly<Record<string, string | string[] | undefined>> | { get(name: string): string | null };

/** The call is not what its signature says, or is too old. Answer 401. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

export type WebhookEvent = { type: string; timestamp: string; data: Record<string, unknown> };

export type V1WebhookEvent = {
  transaction_id: string;
  user_id: string;
  reference_user_id: string;
  type: string;
  payload: Record<string, unknown>;
  created_at: string;
};

/** Clocks of the two machines may differ by this much. */
const TOLERANCE_S = 300;
const SHORTEST_KEY_BYTES = 24;
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * A call in the form of Standard Webhooks.
 * @param secret `whsec_…`, or `whpk_…` if the destination signs with a key pair; several during a rotation
 * @param nowS the present time in seconds, for tests
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string | readonly string[],
  nowS: number = Date.now() / 1_000,
): WebhookEvent {
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !time || !signatures) throw new WebhookVerificationError('A webhook header is missing.');
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowS - Number(time)) > TOLERANCE_S) {
    throw new WebhookVerificationError('The call is too old, or the clocks differ.');
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), bytesOf(body)]);
  const given = signatures.split(' ');
  if (![secret].flat().some((one) => given.some((signature) => isSignedBy(one, signed, signature)))) {
    throw new WebhookVerificationError('No signature matches.');
  }
  return JSON.parse(bytesOf(body).toString('utf8')) as WebhookEvent;
}

/**
 * A call of v1: `X-Hub-Signature-256`.
 * @param secret the `shared_secret` of the configuration, with its `whsec_`
 * @throws WebhookVerificationError
 */
export function verifyV1Webhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string | readonly string[],
): V1WebhookEvent {
  const given = headerOf(headers, 'x-hub-signature-256') ?? '';
  // An empty one, as of a variable that is not set, would let anyone sign.
  const isRight = (one: string) =>
    one.startsWith('whsec_') &&
    isEqual(`sha256=${createHmac('sha256', one).update(bytesOf(body)).digest('hex')}`, given);
  if (![secret].flat().some(isRight)) throw new WebhookVerificationError('The signature does not match.');
  return JSON.parse(bytesOf(body).toString('utf8')) as V1WebhookEvent;
}

function isSignedBy(secret: string, signed: Buffer, signature: string): boolean {
  const [version, value = ''] = signature.split(',');
  if (version === 'v1' && secret.startsWith('whsec_')) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    if (key.length < SHORTEST_KEY_BYTES) throw new TypeError('The secret is not one of Standard Webhooks.');
    return isEqual(createHmac('sha256', key).update(signed).digest('base64'), value);
  }
  if (version === 'v1a' && secret.startsWith('whpk_')) {
    const der = Buffer.concat([ED25519_PREFIX, Buffer.from(secret.slice('whpk_'.length), 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, signed, key, Buffer.from(value, 'base64'));
  }
  return false;
}

function headerOf(headers: Headers, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const entry = Object.entries(headers as Record<string, string | string[] | undefined>).find(
    ([key]) => key.toLowerCase() === name,
  );
  return typeof entry?.[1] === 'string' ? entry[1] : undefined;
}

const bytesOf = (body: string | Uint8Array): Buffer =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
