/** What adding a passkey and signing in with one share: the console's name, and challenges that are answered once. */
import type * as WebAuthn from '@simplewebauthn/server';
import { Refusal } from '../../refusals/refusal.ts';
import { keepChallenge } from '../../store/operators/passkeys.ts';
import { sha256 } from '../ports/ids.ts';
import type { Ports } from '../ports/ports.ts';

/** The name and the origin of the console that a browser uses; null if browsers allow no passkeys. */
export type RelyingParty = { id: string; origin: string } | null;

export const CHALLENGE_LIFE_MS = 5 * 60_000;
/** Of all operators; beyond it the oldest end. */
const MOST_CHALLENGES = 1_000;
/** What the answers of all browsers have in common. */
export const KIND = { type: 'public-key', clientExtensionResults: {} } as const;

/** Loaded with the first passkey, so that no start waits for it. */
export async function webAuthn(): Promise<typeof WebAuthn> {
  // Its certificates need it.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}

/** How an authenticator knows the operator. */
export const handleOf = (operatorId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(operatorId);

/** @throws Refusal `passkey_needs_name` at an address without a name */
export function required(party: RelyingParty): NonNullable<RelyingParty> {
  if (party === null) throw new Refusal('passkey_needs_name');
  return party;
}

/** Until it is answered, at most for its life. @param operatorId null for a sign-in, which may be anybody's */
export function keep(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  challenge: string,
  operatorId: string | null,
): Promise<void> {
  const now = clock.now();
  const kept = { hash: sha256(challenge), operatorId, expiresAt: now + CHALLENGE_LIFE_MS };
  return keepChallenge(db, kept, { now, most: MOST_CHALLENGES });
}

/** The challenge that a browser answers; null if its text makes no sense. */
export function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
