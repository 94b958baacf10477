import { Type, type Static } from 'typebox';
import { nullable, oneOf } from '../../schemas.ts';
import type { ConsoleRoutes } from '../route.ts';

const FOUND_KINDS = ['person', 'session', 'event', 'key', 'request'] as const;

const Found = Type.Object({
  kind: oneOf(FOUND_KINDS),
  id: Type.String({ description: 'Of a call, the actor of its entries in the audit log.' }),
  title: nullable(
    'Name, external ID, or email or phone; of a key, its prefix and last four characters; of a call, its operation and status.',
  ),
  detail: nullable(
    'Of a person, their external ID; of a session or an event, when it started or starts; of a call, when.',
  ),
});
export type Found = Static<typeof Found>;

/** `GET /find`: a few of each kind that the operator’s role may read. */
export const FoundRecords = Type.Object({ items: Type.Array(Found) });
export type FoundRecords = Static<typeof FoundRecords>;

export const find = {
  records: {
    method: 'GET',
    path: '/find',
    role: 'staff',
    summary: 'Find people, sessions, events, keys and calls by name, ticket, ID or Request-Id',
    query: { q: Type.String({ minLength: 2, maxLength: 200 }) },
    reply: FoundRecords,
  },
} as const satisfies ConsoleRoutes;
