/** The v1 interface on the wire. Names and types are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import { MAX_ID_LENGTH } from './connect.ts';
import { MAX_ADDRESS_CHARS } from './text-bounds.ts';

export const DATA_REQUEST_TYPES = [
  'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID',
  'IS_PHONE_NUMBER_VERIFIED',
] as const;
export type DataRequestType = (typeof DATA_REQUEST_TYPES)[number];

/** More than there are types, in case one is named twice. */
const MAX_DATA_REQUESTS = 20;

const DataRequest = Type.Object({
  type: Type.Unsafe<DataRequestType>({
    type: 'string',
    enum: [...DATA_REQUEST_TYPES],
    description: 'The kind of result.',
  }),
});

const referenceUserId = Type.String({
  minLength: 1,
  maxLength: MAX_ID_LENGTH,
  description: 'Your own id for the person.',
});

export const RegisterRequest = Type.Object({
  reference_user_id: referenceUserId,
  redirect_url: Type.Optional(
    Type.String({
      maxLength: MAX_ADDRESS_CHARS,
      description:
        'Where the person lands when the run ends: absolute and https; http for localhost or a private address.',
    }),
  ),
  uniqueness_region_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_ID_LENGTH,
      description: 'Uniqueness pool: one account for a person in each region.',
    }),
  ),
  data_request: Type.Optional(
    Type.Array(DataRequest, {
      maxItems: MAX_DATA_REQUESTS,
      description:
        'What `get_status` shall tell: objects with a `type` of `GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID` or ' +
        '`IS_PHONE_NUMBER_VERIFIED`. One object may stand without its array.',
    }),
  ),
});
export type RegisterRequest = Static<typeof RegisterRequest>;

const success = Type.Unsafe<'success'>({
  type: 'string',
  enum: ['success'],
  description: 'That it succeeded.',
});

export const RegisterResponse = Type.Object({
  status: success,
  invite_url: Type.String({ description: 'A fresh link: a QR code on a desktop, a link on a phone.' }),
  user_id: Type.String({ description: 'Our id for the person, the same each time they are registered.' }),
  connection_verified: Type.Boolean({ description: 'Whether an approved run stands already.' }),
});
export type RegisterResponse = Static<typeof RegisterResponse>;

export const GetStatusRequest = Type.Object({ reference_user_id: referenceUserId });
export type GetStatusRequest = Static<typeof GetStatusRequest>;

export const HumannessResult = Type.Object({
  humanness_score: Type.Integer({ minimum: 0, maximum: 100 }),
  unique_human_id: Type.String(),
});
export const PhoneVerifiedResult = Type.Object({ is_phone_number_verified: Type.Boolean() });

export type DataResult =
  | { type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID'; result: Static<typeof HumannessResult> }
  | { type: 'IS_PHONE_NUMBER_VERIFIED'; result: Static<typeof PhoneVerifiedResult> };

export const GetStatusResponse = Type.Object({
  status: success,
  has_connection: Type.Boolean({
    description: 'True once a run was approved, false again after a revocation or a denial.',
  }),
  simple_data_request_response: Type.Unsafe<DataResult[]>({
    type: 'array',
    items: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [...DATA_REQUEST_TYPES], description: 'What was asked for.' },
        result: {
          type: 'object',
          additionalProperties: true,
          description:
            '`humanness_score` (0 to 100, higher is more human) and `unique_human_id`; or `is_phone_number_verified`.',
        },
      },
      required: ['type', 'result'],
    },
    description: 'One object for each type that was asked for; empty while there is no connection.',
  }),
});
export type GetStatusResponse = Static<typeof GetStatusResponse>;
