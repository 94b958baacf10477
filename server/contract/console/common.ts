/** Shared by every call of the console's API. The renderer imports types and constants from here. */
import { type Static, type TSchema, Type } from 'typebox';
import { nullable, oneOf } from '../schemas.ts';

export const CONSOLE_API = '/console/api';

/** Sent with every call except GET; its value is `csrf_token` of `Me`. */
export const CSRF_HEADER = 'x-csrf-token';
/**
 * Sent as `1` with calls that no person made (refreshing after an announced change). They do not count as activity, so an
 * unattended page becomes idle.
 */
export const BACKGROUND_HEADER = 'x-background';

/** In each reply: the service's time in epoch milliseconds, which pages count down by. */
export const TIME_HEADER = 'x-gatehouse-time';

/** In ascending order; each role includes the permissions of those before it. */
export const ROLES = ['staff', 'reviewer', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether `role` has the permissions of `needed`. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const PARTITION_NAMES = ['live', 'test'] as const;
export type PartitionName = (typeof PARTITION_NAMES)[number];

/** Codes that mean that the operator is no longer signed in. */
export const SIGNED_OUT_ERRORS = [
  'sign_in_required',
  'session_idle',
  'session_over',
  'session_ended',
] as const;

/** The company and partition of a call. Defaults to the oldest company and `live`. */
export const ScopeQuery = {
  company_id: Type.Optional(Type.String({ maxLength: 64 })),
  partition: Type.Optional(oneOf(PARTITION_NAMES)),
} as const;

const MAX_PAGE = 100;
export const DEFAULT_PAGE = 50;
/** For lists: `cursor` is `next_cursor` of the previous page. */
export const PageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE })),
} as const;

/** One page of a list; `next_cursor` is null on the last. */
export const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), next_cursor: nullable() });

export const Done = Type.Object({ ok: Type.Literal(true) });
export type Done = Static<typeof Done>;

export const MIN_REASON_CHARS = 3;
export const MAX_REASON_CHARS = 500;
/** Why a change was made, for the audit log. */
export const ReasonText = Type.String({ minLength: MIN_REASON_CHARS, maxLength: MAX_REASON_CHARS });

/**
 * In a record: its fields as they were read. Sent back with a change, it keeps what others changed since; a field that both
 * changed is refused with `changed_meanwhile`. A change without it replaces what it names.
 */
export const Version = Type.String({
  maxLength: 65_536,
  description: 'Opaque. Send it with a change, so that nothing is replaced that you have not read.',
});
export const withVersion = { version: Type.Optional(Version) } as const;

/** With `changed_meanwhile`: both values of each field that somebody else has changed since it was read. */
export const Conflict = Type.Object({
  version: Type.String({ description: 'Sent instead, the change replaces these values.' }),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Its path, such as `config.limit.kind`.' }),
      yours: Type.Unknown(),
      theirs: Type.Unknown(),
      changed_by: nullable('Name of the operator or, for other actors, as in the audit log.'),
      changed_at: nullable(),
    }),
  ),
});
export type Conflict = Static<typeof Conflict>;

/** A change that needs nothing but its reason. */
export const WithReason = Type.Object({ reason: ReasonText });

/** How often one person may pass: the kinds of a verification's limit (decisions §5, config options). */
export const LIMIT_KINDS = ['none', 'total', 'day', 'week', 'month'] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

/** `GET /kiosks/{kiosk_id}/light` and `GET /verifications/{verification_id}/light`. */
export const PageLight = Type.Object({
  seen: Type.Integer({ description: 'Of those known, on whose faces the page’s light was seen.' }),
  known: Type.Integer({ description: 'The last captures that passed there, at most 40.' }),
  needed: Type.Integer({ description: 'Captures from which the light is known.' }),
  is_usual: Type.Boolean({ description: 'A face without the light goes to a reviewer.' }),
});
export type PageLight = Static<typeof PageLight>;
