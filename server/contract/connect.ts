/** What v1 and v2 have in common on the wire. */
import { Type, type Static } from 'typebox';

/** Ids that the customer chooses; the limits are those of v3. */
export const MAX_ID_LENGTH = 255;

export const FailureBody = Type.Object({
  status: Type.Unsafe<'failure'>({ type: 'string', enum: ['failure'], description: 'That it failed.' }),
  failure_code: Type.String({ description: 'For programs.' }),
  failure_reason: Type.String({ description: 'For people: what was wrong, and with which field.' }),
});
export type FailureBody = Static<typeof FailureBody>;
