/** Verifications, for admins: `/console/api/verifications`. They belong to the company, not to a partition. */
import { Type, type Static } from 'typebox';
import { MAX_ADDRESS_CHARS, MAX_CONFIG_BYTES, MAX_ID_LENGTH, MAX_JSON_BYTES } from '../text-bounds.ts';
import { pageOf, Version, withVersion } from './common.ts';
import { nullable, nullableText } from '../schemas.ts';

/** 30 days. A longer window would make one check valid for a whole season. */
export const MAX_SKIP_WINDOW_HOURS = 720;
const MAX_EMBED_ORIGINS = 50;
const text = (description: string) => Type.Optional(nullableText(MAX_ADDRESS_CHARS, description));
const config = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

export const ConsoleVerification = Type.Object({
  verification_id: Type.String(),
  external_id: nullable(),
  external_tenant_id: nullable(),
  origin: nullable(),
  return_path: nullable(),
  start_path: nullable(),
  redirect_url: nullable(),
  embed_origins: Type.Array(Type.String()),
  unusable_origins: Type.Array(Type.String(), {
    description: 'Saved by an earlier version and ignored, because no page can have them.',
  }),
  config,
  is_default: Type.Boolean(),
  url: Type.String({ description: 'Its hosted link. Each visit creates a session.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
  version: Version,
});
export type ConsoleVerification = Static<typeof ConsoleVerification>;
/** What other pages name a verification by. */
export const VerificationLabel = Type.Object({
  verification_id: Type.String(),
  label: nullable('Its owner’s ID for it, else its origin; null if it has neither.'),
  is_default: Type.Boolean(),
  created_at: Type.String(),
});
export type VerificationLabel = Static<typeof VerificationLabel>;

/** `GET /verifications`: oldest first. */
export const VerificationPage = pageOf(ConsoleVerification);

/** `POST /verifications` and `PATCH /verifications/{verification_id}`. Null or an empty text clears a field. */
export const VerificationFields = Type.Object({
  ...withVersion,
  external_id: Type.Optional(
    nullableText(MAX_ID_LENGTH, 'The customer’s own ID, unique to the verification.'),
  ),
  external_tenant_id: text('The customer’s tenant ID.'),
  origin: text('Origin that guests come from, such as https://tickets.example.org.'),
  return_path: text('Path that guests return to.'),
  start_path: text('Path that checks start from.'),
  redirect_url: text('Address that guests return to instead.'),
  embed_origins: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_ADDRESS_CHARS }), {
      maxItems: MAX_EMBED_ORIGINS,
      description: 'Further origins whose pages may embed live checks.',
    }),
  ),
  config: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ ...config, [MAX_JSON_BYTES]: MAX_CONFIG_BYTES }),
  ),
});
export type VerificationFields = Static<typeof VerificationFields>;
