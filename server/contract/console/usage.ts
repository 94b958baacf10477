/**
 * Usage, for admins: `/console/api/usage`. Days are UTC. Live and test are metered separately, under the company's
 * single cap.
 */
import { Type, type Static } from 'typebox';
import { pageOf, PageQuery, ReasonText, Version, withVersion } from './common.ts';
import { nullable, nullableNumber, oneOf } from '../schemas.ts';
import { orNull } from './sessions.ts';
import { VerificationLabel } from './verifications.ts';

export const MAX_DAILY_LIMIT = 1_000_000_000;
/** Number of days that the page shows, and the maximum of one call. */
export const USAGE_DAYS = 90;
export const MAX_USAGE_DAYS = 366;

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD, UTC.' });
/** `GET /usage/today`. */
export const UsageToday = Type.Object({
  day,
  counted: Type.Integer({ description: 'Checks that count against the cap.' }),
  cap: Type.Integer(),
  version: Version,
  forecast: Type.Object({
    per_hour: nullableNumber('Counted checks an hour, from the last hour; null where there are too few.'),
    by_midnight: nullableNumber('How many will have counted when the day ends, ignoring the cap.'),
    cap_reached_at: nullable('Null if the limit is already reached, or won’t be today.'),
  }),
  ends_at: Type.String({ description: 'When the count resets.' }),
});
export type UsageToday = Static<typeof UsageToday>;

/** Both days inclusive. Defaults to the last 90 days. */
export const UsageRange = { from: Type.Optional(day), to: Type.Optional(day) } as const;

/** `GET /usage/days`: every day of the range, oldest first, including those without a check. */
export const UsageDay = Type.Object({
  day: Type.String(),
  counted: Type.Integer(),
  approved: Type.Integer(),
  in_review: Type.Integer({ description: 'Sent to a reviewer. The decision is not counted again.' }),
  denied: Type.Integer(),
});
export type UsageDay = Static<typeof UsageDay>;
export const UsageDays = Type.Object({ items: Type.Array(UsageDay) });

export const USAGE_PARTS = ['verification', 'group', 'outcome'] as const;
export type UsagePart = (typeof USAGE_PARTS)[number];

/** `GET /usage/parts?by=`: highest first, at most 100; `rest` is the sum of the others. */
export const UsageParts = Type.Object({
  items: Type.Array(
    Type.Object({
      key: Type.String({ description: 'ID of the verification, group or outcome; empty for no group.' }),
      verification: orNull(VerificationLabel),
      results: Type.Integer(),
    }),
  ),
  rest: Type.Integer(),
});
export type UsageParts = Static<typeof UsageParts>;

/** `PUT /usage/cap`. */
export const CapChange = Type.Object({
  daily_limit: Type.Integer({ minimum: 0, maximum: MAX_DAILY_LIMIT }),
  reason: ReasonText,
  ...withVersion,
});

/** `GET /usage/cap/changes`: newest first. */
export const CapChangeItem = Type.Object({
  from_limit: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  daily_limit: Type.Integer(),
  changed_at: Type.String(),
  changed_by: Type.String({ description: '`operator:<id>` or `cli`.' }),
  operator_name: nullable(),
  reason: nullable('Null if the command line changed it.'),
});
export type CapChangeItem = Static<typeof CapChangeItem>;
export const CapChangePage = pageOf(CapChangeItem);
export const CapChangeQuery = PageQuery;
/** Reply of `PUT /usage/cap`: today’s usage against the new limit, and the latest changes. */
export const CapChanged = Type.Object({ today: UsageToday, changes: CapChangePage });
export const UsagePartsQuery = { by: oneOf(USAGE_PARTS), ...UsageRange } as const;
