/** Which pages may show a run in a frame and receive its result (decisions §6, "Who may embed"). */
import { normaliseOrigin, parseReturnAddress } from '../address.ts';
import type { Partition } from '../scope.ts';

type ReturnPlaces = { redirectUrl: string | null; origin: string | null };

export type EmbedSources = {
  partition: Partition;
  /**
   * The origin in the request. Null if no secret key started the run: then only the verification's list counts.
   */
  request: ReturnPlaces | null;
  verification: ReturnPlaces & { embedOrigins: readonly string[] };
};

/** Origins in the form that browsers use, or any origin. */
export type AllowedEmbedders = 'any' | readonly string[];

/** Characters allowed in a `frame-ancestors` source; other hosts could add directives to the policy. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(:\d+)?$/;

/**
 * Test runs may be embedded anywhere, live runs by the origins they return to and those on the verification's list.
 */
export function allowedEmbedders({ partition, request, verification }: EmbedSources): AllowedEmbedders {
  if (partition === 'test') return 'any';
  const places = [...(request === null ? [] : placesOf(request)), ...placesOf(verification)];
  const origins = [...places, ...verification.embedOrigins].filter(
    (origin): origin is string => origin !== null && PLAIN_ORIGIN.test(origin),
  );
  return [...new Set(origins)];
}

function placesOf({ redirectUrl, origin }: ReturnPlaces): (string | null)[] {
  return [
    redirectUrl === null ? null : (parseReturnAddress(redirectUrl)?.origin ?? null),
    origin === null ? null : normaliseOrigin(origin),
  ];
}

export const mayEmbed = (allowed: AllowedEmbedders, origin: string): boolean =>
  allowed === 'any' || allowed.includes(origin);

/** The value of the directive `frame-ancestors`. */
export function frameAncestors(allowed: AllowedEmbedders): string {
  if (allowed === 'any') return 'frame-ancestors *';
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`;
}

/** The origin that an embedding page claims, exactly as browsers write it; null if no message may be sent to it. */
export const claimedOrigin = (text: string | null): string | null =>
  text !== null && normaliseOrigin(text) === text ? text : null;

/**
 * An origin for the verification's list; null if it is invalid, or must not be in a policy
 * (`https://*.example`).
 */
export function normaliseEmbedOrigin(input: string): string | null {
  const origin = normaliseOrigin(input);
  return origin !== null && PLAIN_ORIGIN.test(origin) ? origin : null;
}
