/** The organiser's block list: people who are refused, or sent to a reviewer, for a time and a reason. */
import { Type, type Static } from 'typebox';
import { pageOf, ReasonText } from './common.ts';
import { nullable, oneOf } from '../schemas.ts';

/** `refuse`: denied, with the reason `blocked`; `review`: a reviewer decides each check. */
export const BLOCK_ACTIONS = ['refuse', 'review'] as const;
export type BlockAction = (typeof BLOCK_ACTIONS)[number];

/** A block is looked at again at least once a year. */
export const MOST_BLOCK_DAYS = 366;
export const MAX_BLOCK_CONTACT_CHARS = 200;

export const PersonBlock = Type.Object({
  person_id: Type.String(),
  short_id: Type.String(),
  name: nullable('Taken from the metadata, else the first account or credential.'),
  action: oneOf(BLOCK_ACTIONS),
  reason: Type.String(),
  contact: Type.String({ description: 'Whom the guest can ask, and where they can object.' }),
  created_at: Type.String(),
  created_by: Type.String({ description: 'An operator’s name, or `cli`.' }),
  expires_at: Type.String(),
  ended_at: nullable('Ended early or replaced.'),
  is_active: Type.Boolean(),
});
export type PersonBlock = Static<typeof PersonBlock>;

/** `GET /people/blocks`: those in effect, the newest first. */
export const BlockPage = pageOf(PersonBlock);
export type BlockPage = Static<typeof BlockPage>;

/** `GET /people/{person_id}/blocks`: also earlier ones. */
export const BlockList = Type.Object({ items: Type.Array(PersonBlock) });
export type BlockList = Static<typeof BlockList>;

/** `POST /people/{person_id}/block`: replaces a block in effect. */
export const BlockCreate = Type.Object({
  action: oneOf(BLOCK_ACTIONS),
  days: Type.Integer({ minimum: 1, maximum: MOST_BLOCK_DAYS, description: 'From now.' }),
  contact: Type.String({ minLength: 3, maxLength: MAX_BLOCK_CONTACT_CHARS }),
  reason: ReasonText,
});
export type BlockCreate = Static<typeof BlockCreate>;
