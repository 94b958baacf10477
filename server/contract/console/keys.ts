/** Keys, for admins: `/console/api/keys`. A complete key is sent only once, in the reply that creates it. */
import { Type, type Static } from 'typebox';
import { pageOf, PageQuery, ReasonText, Version, withVersion } from './common.ts';
import { nullable, nullableText, oneOf } from '../schemas.ts';
import { MAX_NAME_CHARS } from '../text-bounds.ts';

/** `v3` is a publishable and a secret key; `connect` is the single API-KEY of v1 and v2. */
export const PAIR_TYPES = ['v3', 'connect'] as const;
export type PairType = (typeof PAIR_TYPES)[number];

/** `ending`: rolled, and active until the overlap ends. */
const KEY_STATES = ['active', 'ending', 'ended', 'revoked'] as const;
export type KeyStateName = (typeof KEY_STATES)[number];

/** How long the old key or secret keeps working. */
export const OVERLAPS = ['now', '1h', '24h', '7d'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const ConsoleKey = Type.Object({
  key_id: Type.String(),
  kind: Type.String({ description: '`pk_live`, `sk_test`, `ak_live`, …' }),
  display: Type.String({ description: 'Prefix and last four characters.' }),
  state: oneOf(KEY_STATES),
  created_at: Type.String(),
  last_used_at: nullable('To the minute.'),
  ends_at: nullable('When a roll ends it.'),
  revoked_at: nullable(),
  reason: nullable('Reason of its roll or revocation.'),
});
export type ConsoleKey = Static<typeof ConsoleKey>;

export const KeyPair = Type.Object({
  pair_id: Type.String(),
  lineage_id: Type.String({ description: 'Unchanged when the key is rolled.' }),
  name: nullable('What the keys are for; kept when they are rolled.'),
  version: Version,
  type: oneOf(PAIR_TYPES),
  state: oneOf(KEY_STATES, { description: 'End of the key that lasts longest.' }),
  keys: Type.Array(ConsoleKey),
  created_at: Type.String(),
  last_used_at: nullable(),
  ends_at: nullable('When the last of its keys stops working; null if none will.'),
  replaced_by: nullable('The pair that replaced this one.'),
});
export type KeyPair = Static<typeof KeyPair>;

/** `GET /keys`: newest first. */
const KEY_LISTS = ['working', 'gone'] as const;
export const KeyQuery = { list: Type.Optional(oneOf(KEY_LISTS)), ...PageQuery } as const;
export const KeyPage = pageOf(KeyPair);
export type KeyPage = Static<typeof KeyPage>;

/** `POST /keys/first`: all kinds in both partitions. Shown only once. */
export const IssuedKeys = Type.Object({
  pk_live: Type.String(),
  sk_live: Type.String(),
  pk_test: Type.String(),
  sk_test: Type.String(),
  ak_live: Type.String(),
  ak_test: Type.String(),
});

/** `POST /keys`. */
export const KeyIssue = Type.Object({
  type: oneOf(PAIR_TYPES),
  name: Type.Optional(nullableText(MAX_NAME_CHARS, 'What the keys are for.')),
  reason: ReasonText,
});

/** `PATCH /keys/{pair_id}`. Null or an empty text removes the name. */
export const KeyRename = Type.Object({ ...withVersion, name: nullableText(MAX_NAME_CHARS) });
export type KeyRename = Static<typeof KeyRename>;

/** `POST /keys/{pair_id}/roll`. */
export const KeyRoll = Type.Object({ overlap: oneOf(OVERLAPS), reason: ReasonText });

/** The complete keys are shown only in this reply. */
export const NewPair = Type.Object({
  pair_id: Type.String(),
  keys: Type.Array(Type.Object({ kind: Type.String(), key: Type.String() })),
  old_ends_at: nullable('For a roll: when the replaced keys stop working.'),
});
export type NewPair = Static<typeof NewPair>;
export const PairIssued = Type.Object({ ...NewPair.properties, pair: KeyPair });
export type PairIssued = Static<typeof PairIssued>;
export const PairRolled = Type.Object({ ...PairIssued.properties, replaced: KeyPair });
export type PairRolled = Static<typeof PairRolled>;

/** `POST /keys/{id}/revoke`, for a pair or for one key. */
export const KeysRevoked = Type.Object({ key_ids: Type.Array(Type.String()), pair: KeyPair });
export type KeysRevoked = Static<typeof KeysRevoked>;
