/** People: search, profile, history, export, and erasure with a record. */
import { Type, type Static } from 'typebox';
import { AuditLine } from './audit.ts';
import { pageOf, PageQuery, ReasonText } from './common.ts';
import { Metadata, nullable, oneOf } from '../schemas.ts';
import { letIn, nullableInteger, orNull, ScoreParts, SESSION_STATUSES, ShownIdentity } from './sessions.ts';
import { GENERATIONS } from '../operations.ts';
import { VerificationLabel } from './verifications.ts';

export const PeopleQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Words of a name, an email, a phone number, an external ID or the person’s ID.',
    }),
  ),
  key: Type.Optional(Type.String({ maxLength: 200, description: 'Key of the metadata.' })),
  value: Type.Optional(
    Type.String({ maxLength: 500, description: 'Full value of that key, or its start with `*` at the end.' }),
  ),
  ...PageQuery,
});
export type PeopleQuery = Static<typeof PeopleQuery>;

export const PersonItem = Type.Object({
  person_id: Type.String(),
  short_id: Type.String(),
  name: nullable('Taken from the metadata.'),
  identity: orNull(ShownIdentity),
  external_id: nullable(),
  passes: Type.Integer(),
  created_at: Type.String(),
  last_seen_at: Type.String(),
});
export type PersonItem = Static<typeof PersonItem>;

/** Most recently seen first. */
export const PeoplePage = pageOf(PersonItem);
export type PeoplePage = Static<typeof PeoplePage>;

/** `GET /people/twins`. Two people stay two; an admin may erase one or leave both. */
export const TwinList = Type.Object({
  items: Type.Array(
    Type.Object({
      identifier: Type.String({ description: 'An address from before addresses were made canonical.' }),
      person_id: Type.String(),
      same_as: Type.String({ description: 'The canonical address, which the other person has.' }),
      other_person_id: Type.String(),
    }),
  ),
});
export type TwinList = Static<typeof TwinList>;

/** How many look-alikes a page lists. */
export const MOST_LOOK_ALIKES = 20;

/** `GET /people/{person_id}/look-alikes`: people whom a reviewer has told apart from this one, the latest first. */
export const LookAlikes = Type.Object({
  items: Type.Array(
    Type.Object({
      person_id: Type.String(),
      short_id: Type.String(),
      name: nullable('Taken from the metadata, else the first account or credential.'),
      since: Type.String(),
    }),
    { maxItems: MOST_LOOK_ALIKES },
  ),
});
export type LookAlikes = Static<typeof LookAlikes>;

/** `POST /people/{person_id}/look-alikes`: tells two people apart, or takes it back. */
export const LookAlikeChange = Type.Object({
  other: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The other person’s ID, email, phone, external ID or test face, complete.',
  }),
  told_apart: Type.Boolean(),
  reason: ReasonText,
});
export type LookAlikeChange = Static<typeof LookAlikeChange>;

export const MetadataKeys = Type.Object({ items: Type.Array(Type.String()) });
export type MetadataKeys = Static<typeof MetadataKeys>;

/** Never includes the template. */
const TemplateFact = Type.Object({
  model: Type.String(),
  is_current: Type.Boolean({ description: 'Created by the current model.' }),
  quality: Type.Number(),
  created_at: Type.String(),
  event: Type.Optional(Type.String({ description: 'The event that keeps this face apart.' })),
  kept_until: Type.Optional(Type.String({ description: 'When it is deleted with the event’s faces.' })),
});

const ConnectionFact = Type.Object({
  generation: oneOf(GENERATIONS),
  reference_user_id: Type.String(),
  connection: oneOf(['none', 'connected', 'revoked', 'denied']),
  changed_at: Type.String(),
});

export const PersonProfile = Type.Object({
  ...PersonItem.properties,
  metadata: Metadata,
  identities: Type.Array(
    Type.Object({ provider: Type.String(), identifier: Type.String(), proven_at: Type.String() }),
  ),
  external_ids: Type.Array(
    Type.Object({ external_id: Type.String(), verification_id: Type.String(), bound_at: Type.String() }),
  ),
  groups: Type.Array(
    Type.Object({
      group: nullable('Null if there is no group.'),
      passes: Type.Integer(),
      approved: Type.Integer(),
    }),
  ),
  test_faces: Type.Array(Type.String()),
  templates: Type.Array(TemplateFact),
  connections: Type.Array(ConnectionFact),
  /** Of the latest pass that has one. */
  score: nullableInteger('0 to 100, higher is riskier.'),
  score_parts: orNull(ScoreParts),
  capture_signed: orNull(
    Type.Boolean({ description: 'Of the same run: a paired kiosk signed its pictures.' }),
  ),
  /** Actions on the person and their latest passes, newest first. */
  changes: Type.Array(AuditLine),
});
export type PersonProfile = Static<typeof PersonProfile>;

export const HistoryItem = Type.Object({
  pass_id: Type.String(),
  session_id: nullable(),
  status: oneOf(SESSION_STATUSES),
  let_in: letIn,
  reasons: Type.Array(Type.String()),
  group: nullable(),
  external_id: nullable(),
  generation: oneOf(GENERATIONS),
  verification: VerificationLabel,
  score: nullableInteger(),
  settled_at: Type.String(),
});
export type HistoryItem = Static<typeof HistoryItem>;

/** Newest first. */
export const HistoryPage = pageOf(HistoryItem);
export type HistoryPage = Static<typeof HistoryPage>;

/** `POST /people/{person_id}/erase`: `confirm` is the person's short ID. */
export const PersonErase = Type.Object({ reason: ReasonText, confirm: Type.String({ maxLength: 64 }) });
export type PersonErase = Static<typeof PersonErase>;

/** The record of an erasure: when, by whom, and how much was removed. */
export const ErasureProof = Type.Object({
  proof_id: Type.String(),
  person_id: Type.String({ description: 'A random ID that no longer identifies anyone.' }),
  short_id: Type.String(),
  company_id: Type.String(),
  partition: Type.String(),
  erased_at: Type.String(),
  actor: Type.String({ description: '`operator:<id>`, `person`, `cli`, `system`.' }),
  actor_name: nullable(
    'Current name of the operator or kiosk, or the key’s prefix and last four characters.',
  ),
  reason: nullable(),
  removed: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Rows deleted or cleared, by table.',
  }),
  remaining: Type.Integer({ description: 'Rows that still identified the person afterwards; 0.' }),
  audit_seq: nullableInteger('The entry of the audit log.'),
  audit_hash: nullable('Its hash, hexadecimal.'),
});
export type ErasureProof = Static<typeof ErasureProof>;

export const ErasureQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 64, description: 'Full ID of the person or the proof.' })),
  ...PageQuery,
});
export type ErasureQuery = Static<typeof ErasureQuery>;

/** Newest first. */
export const ErasurePage = pageOf(ErasureProof);
export type ErasurePage = Static<typeof ErasurePage>;
