/** Control cases: for admins `/console/api/settings/controls`, for reviewers part of `/console/api/reviews/agreement`. */
import { Type, type Static } from 'typebox';
import { ReasonText, Version, withVersion } from './common.ts';
import { oneOf } from '../schemas.ts';

/** One control case for so many real ones. More often, reviewers would work for the measurement. */
export const CONTROL_RATE = { least: 10, most: 200, usual: 30 } as const;
/** Bounds of the pictures; more of one person would only be recognised. */
export const MOST_CONTROL_PEOPLE = 50;
export const MOST_CONTROL_PICTURES = 6;
export const MAX_CONTROL_PICTURE_BYTES = 8 * 1024 * 1024;
export const MAX_CONTROL_NAME = 40;
/** How long a picture is kept at most. */
export const MOST_CONTROL_DAYS = 365;

export const CONTROL_ANSWERS = ['same', 'different'] as const;

/** Why no control case can be opened; null if one can. */
export const CONTROL_OBSTACLES = ['off', 'pictures'] as const;

const ControlPerson = Type.Object({
  name: Type.String({ description: 'As an admin calls the person; no reviewer sees it.' }),
  pictures: Type.Array(Type.String(), { description: 'IDs.' }),
  kept_until: Type.String(),
});

/** `GET /settings/controls`. It does not say whether one is waiting. */
export const ControlSettings = Type.Object({
  version: Version,
  one_in: Type.Integer({ description: 'One control case for so many real ones; 0: none.' }),
  people: Type.Array(ControlPerson),
  obstacle: Type.Union([oneOf(CONTROL_OBSTACLES), Type.Null()]),
});
export type ControlSettings = Static<typeof ControlSettings>;

/** `PUT /settings/controls`, for every company. */
export const ControlChange = Type.Object({
  one_in: Type.Integer({ minimum: 0, maximum: CONTROL_RATE.most }),
  reason: ReasonText,
  ...withVersion,
});
export type ControlChange = Static<typeof ControlChange>;

/** `PUT /settings/controls/people/{name}/pictures`; the body is the picture. */
export const ControlPictureQuery = {
  agreed: Type.Literal('yes', {
    description: 'The person agreed that reviewers see the picture and that it is kept for so long.',
  }),
  keep_days: Type.Integer({ minimum: 1, maximum: MOST_CONTROL_DAYS }),
};

/** How many control cases a reviewer decided, with the exact 95 % interval of their error rate. */
export const ControlRate = Type.Object({
  operator_id: Type.String(),
  name: Type.String(),
  decided: Type.Integer(),
  wrong: Type.Integer(),
  low: Type.Number({ description: 'Lower end of the error rate’s interval, 0 to 1.' }),
  high: Type.Number({ description: 'Upper end.' }),
});
export type ControlRate = Static<typeof ControlRate>;

/** One of the reader’s own, told once the decision has taken effect. */
export const ControlTold = Type.Object({
  case_id: Type.String(),
  decided_at: Type.String(),
  decision: oneOf(['same_person', 'different_people', 'same_person_allow']),
  answer: oneOf(CONTROL_ANSWERS),
  wrong: Type.Boolean(),
});
export type ControlTold = Static<typeof ControlTold>;
