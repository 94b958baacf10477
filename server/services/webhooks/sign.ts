/** Signatures of webhook calls: v1 as the contract has it, v3 by Standard Webhooks 1.0.0 beside it. */
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isV3Event, type Signing } from '../../contract/webhook-types.ts';
import type { Claim } from '../../store/webhooks/outbox.ts';
import type { WebhookSecret } from '../../store/webhooks/configs.ts';

const SECRET_BYTES = 32;
const SHARED = 'whsec_';
const PRIVATE = 'whsk_';
const PUBLIC = 'whpk_';
/** Before the 32 bytes of a private and of a public Ed25519 key in DER (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_BYTES = 12;

/** A secret of v3: the prefix and 32 random bytes in padded standard base64, which strict decoders accept. */
export const newV3Secret = (signing: Signing): string =>
  (signing === 'key_pair' ? PRIVATE : SHARED) + randomBytes(SECRET_BYTES).toString('base64');

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');

const privateKeyOf = (secret: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytesOf(secret)]), format: 'der', type: 'pkcs8' });

/** What a receiver may see of a secret: all of a shared one, the public half of a pair. */
export function shownSecret(secret: string): string {
  if (!secret.startsWith(PRIVATE)) return secret;
  const der = createPublicKey(privateKeyOf(secret)).export({ format: 'der', type: 'spki' });
  return PUBLIC + der.subarray(SPKI_BYTES).toString('base64');
}

/** `atS`: seconds since 1970, of this attempt. */
type Message = { id: string; atS: number; body: Uint8Array };

/** One signature of `webhook-signature`. */
export function standardSignature(secret: string, { id, atS, body }: Message): string {
  const signed = Buffer.concat([Buffer.from(`${id}.${atS}.`), body]);
  return secret.startsWith(PRIVATE)
    ? `v1a,${sign(null, signed, privateKeyOf(secret)).toString('base64')}`
    : `v1,${createHmac('sha256', bytesOf(secret)).update(signed).digest('base64')}`;
}

/** Value of `X-Hub-Signature-256`: HMAC-SHA256 over the sent bytes (contract, "v2 and v1" 4). */
const hubSignature = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/**
 * The headers that sign one attempt.
 * @param secrets the newest first; those of v3 that have not ended all sign, so that receivers can change over
 */
export function signatureHeaders(
  { type, transactionId, body }: Pick<Claim, 'type' | 'transactionId' | 'body'>,
  secrets: readonly WebhookSecret[],
  nowMs: number,
): Record<string, string> {
  const [newest] = secrets;
  if (!newest) throw new Error('A webhook call has no secret to sign it.');
  if (!isV3Event(type)) return { 'x-hub-signature-256': hubSignature(newest.secret, body) };
  const atS = Math.floor(nowMs / 1_000);
  const current = secrets.filter(({ endsAt }) => endsAt === null || endsAt > nowMs);
  const signatures = current.map(({ secret }) => standardSignature(secret, { id: transactionId, atS, body }));
  return {
    'webhook-id': transactionId,
    'webhook-timestamp': String(atS),
    'webhook-signature': signatures.join(' '),
    ...(newest.secret.startsWith(SHARED) && { 'x-hub-signature-256': hubSignature(newest.secret, body) }),
  };
}
