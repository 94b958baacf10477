/** Which pages may show a run in a frame and receive its result (decisions §6, "Who may embed"). */
import { normaliseOrigin, parseReturnAddress } from '../address.ts';
import type { Partition } from '../scope.ts';

type ReturnPlaces = { redirectUrl: string | null; origin: string | null };

export type EmbedSources = {
  partition: Partition;
  /** What the request named; null for a run that no secret key started: then the verification alone counts. */
  request: ReturnPlaces | null;
  verification: ReturnPlaces & { embedOrigins: readonly string[] };
};

/** Origins as browsers write them, or any at all. */
export type AllowedEmbedders = 'any' | readonly string[];

/** What a `frame-ancestors` source may consist of; other hosts could add directives to the policy. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(:\d+)?$/;

/** Test runs may be embedded anywhere; live ones by the origins that they return to and those on the verification's list. */
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

/** The directive of a content security policy. */
export function frameAncestors(allowed: AllowedEmbedders): string {
  if (allowed === 'any') return 'frame-ancestors *';
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`;
}

/** The origin that an embedding page claims, exactly as browsers write it; null where no message may go there. */
export const claimedOrigin = (text: string | null): string | null =>
  text !== null && normaliseOrigin(text) === text ? text : null;

/** An origin for the verification's list; null where it is none, or has no place in a policy (`https://*.example`). */
export function normaliseEmbedOrigin(input: string): string | null {
  const origin = normaliseOrigin(input);
  return origin !== null && PLAIN_ORIGIN.test(origin) ? origin : null;
}
