/** The wire formats that v1 and v2 share. */
import { Type, type Static } from 'typebox';
import { oneOf } from './schemas.ts';

export const FailureBody = Type.Object(
  {
    status: oneOf(['failure'], { description: 'Always `failure`.' }),
    failure_code: Type.String({ description: 'Code of the error.' }),
    failure_reason: Type.String({ description: 'What is wrong and in which field, in English.' }),
  },
  { title: 'Failure' },
);
export type FailureBody = Static<typeof FailureBody>;
