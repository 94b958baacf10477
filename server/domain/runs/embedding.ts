/** Which pages may show a run in a frame and receive its result (decisions §6, "Who may embed"). */
import { parseOrigin, parseReturnAddress } from '../address.ts';
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

/** A source of `frame-ancestors`, which has no form for IPv6. */
const isEmbeddable = (origin: string): boolean => !origin.includes('[');

/**
 * Test runs may be embedded anywhere, live runs by the origins they return to and those on the verification's list.
 */
export function allowedEmbedders({ partition, request, verification }: EmbedSources): AllowedEmbedders {
  if (partition === 'test') return 'any';
  const places = [...(request === null ? [] : placesOf(request)), ...placesOf(verification)];
  // Earlier versions saved origins that no page can have.
  const origins = [...places, ...verification.embedOrigins].flatMap(
    (origin) => (origin === null ? null : parseEmbedOrigin(origin)) ?? [],
  );
  return [...new Set(origins)];
}

function placesOf({ redirectUrl, origin }: ReturnPlaces): (string | null)[] {
  return [redirectUrl === null ? null : (parseReturnAddress(redirectUrl.trim())?.origin ?? null), origin];
}

export const mayEmbed = (allowed: AllowedEmbedders, origin: string): boolean =>
  allowed === 'any' || allowed.includes(origin);

/** The directive `frame-ancestors`; null if any page may embed the run, since `*` leaves out files and sandboxed frames. */
export function frameAncestors(allowed: AllowedEmbedders): string | null {
  if (allowed === 'any') return null;
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`;
}

/** What a page claims that no message can be addressed to by its origin: a file, a sandboxed frame, an app's own scheme. */
export const isUnaddressable = (text: string): boolean =>
  text === 'null' || (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https?:/i.test(text));

/** The origin that an embedding page claims, exactly as browsers write it; null if no message may be sent to it. */
export const claimedOrigin = (text: string | null): string | null =>
  text !== null && parseOrigin(text) === text ? text : null;

/** An origin for the verification's list; null if it is not an origin, or if no policy can name it. */
export function parseEmbedOrigin(input: string): string | null {
  const origin = parseOrigin(input);
  return origin !== null && isEmbeddable(origin) ? origin : null;
}
