/** What every call of the console's API shares. The renderer imports types and constants from here. */
import { Type, type Static, type TSchema } from 'typebox';

export const CONSOLE_API = '/console/api';

/** Sent with every call but GET; its value is `csrf_token` of `Me`. */
export const CSRF_HEADER = 'x-csrf-token';
/**
 * Sent as `1` with calls that no person asked for (refreshing after a live event): they do not count as activity, so
 * that an unattended page falls idle.
 */
export const BACKGROUND_HEADER = 'x-background';

/** From least to most; each may do what those before it may. */
export const ROLES = ['staff', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` is enough for what `needed` may do. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const PARTITION_NAMES = ['live', 'test'] as const;
export type PartitionName = (typeof PARTITION_NAMES)[number];

export const oneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
export const nullable = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description && { description }) });

/** As `nullable`, of a request. */
export const nullableText = (maxLength: number, description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, ...(description && { description }) });

/** Codes of a refusal that mean that nobody is signed in any more. */
export const SIGNED_OUT_ERRORS = [
  'sign_in_required',
  'session_idle',
  'session_over',
  'session_ended',
] as const;

/** Which company and partition a call is about; the oldest company and `live` where left out. */
export const ScopeQuery = {
  company_id: Type.Optional(Type.String({ maxLength: 64 })),
  partition: Type.Optional(oneOf(PARTITION_NAMES)),
} as const;

export const MAX_PAGE = 100;
export const DEFAULT_PAGE = 50;
/** Of lists: `cursor` is `next_cursor` of the page before. */
export const PageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE })),
} as const;

/** One page of a list; `next_cursor` is null on the last. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next_cursor: nullable() });

export const Done = Type.Object({ ok: Type.Literal(true) });
export type Done = Static<typeof Done>;

/** Why a change was made, for the audit log. */
export const ReasonText = Type.String({ minLength: 3, maxLength: 500 });
