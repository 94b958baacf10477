/** The wire formats that v1 and v2 share. */
import { Type, type Static } from 'typebox';

/** IDs that the customer chooses; the limits are those of v3. */
export const MAX_ID_LENGTH = 255;

export const FailureBody = Type.Object(
  {
    status: Type.Unsafe<'failure'>({ type: 'string', enum: ['failure'], description: 'Always `failure`.' }),
    failure_code: Type.String({ description: 'Code of the error.' }),
    failure_reason: Type.String({ description: 'What is wrong and in which field, in English.' }),
  },
  { title: 'Failure' },
);
export type FailureBody = Static<typeof FailureBody>;
