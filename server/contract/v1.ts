/** The v1 interface on the wire. Names and types are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import { oneOf } from './schemas.ts';
import { MAX_ADDRESS_CHARS, MAX_ID_LENGTH } from './text-bounds.ts';

const DATA_REQUEST_TYPES = ['GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID', 'IS_PHONE_NUMBER_VERIFIED'] as const;
export type DataRequestType = (typeof DATA_REQUEST_TYPES)[number];

/** More than there are types, because a request may repeat one. */
const MAX_DATA_REQUESTS = 20;

const DataRequest = Type.Object(
  {
    type: oneOf(DATA_REQUEST_TYPES, { description: 'Type of the result.' }),
  },
  { title: 'DataRequest' },
);

const referenceUserId = Type.String({
  minLength: 1,
  maxLength: MAX_ID_LENGTH,
  description: 'Your own ID for the person.',
});

export const RegisterRequest = Type.Object(
  {
    reference_user_id: referenceUserId,
    redirect_url: Type.Optional(
      Type.String({
        maxLength: MAX_ADDRESS_CHARS,
        description:
          'Address that the person returns to when the run ends: absolute and https. Use http only for localhost and private addresses.',
      }),
    ),
    uniqueness_region_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ID_LENGTH,
        description: 'Uniqueness pool: a person can have one account in each region.',
      }),
    ),
    data_request: Type.Optional(
      Type.Array(DataRequest, {
        maxItems: MAX_DATA_REQUESTS,
        description: 'Results that `get_status` returns.',
      }),
    ),
  },
  { title: 'RegisterRequest' },
);
export type RegisterRequest = Static<typeof RegisterRequest>;

export const success = oneOf(['success'], { description: 'Always `success`.' });

export const RegisterResponse = Type.Object(
  {
    status: success,
    invite_url: Type.String({
      description: 'New invite link. It shows a QR code on a computer and starts the check on a phone.',
    }),
    user_id: Type.String({
      description: 'Our ID for the person. It stays the same when you register the person again.',
    }),
    connection_verified: Type.Boolean({ description: 'True if the person already has an approved run.' }),
  },
  { title: 'RegisterResponse' },
);
export type RegisterResponse = Static<typeof RegisterResponse>;

export const GetStatusRequest = Type.Object(
  { reference_user_id: referenceUserId },
  { title: 'GetStatusRequest' },
);
export type GetStatusRequest = Static<typeof GetStatusRequest>;

const HumannessResult = Type.Object({
  humanness_score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'How likely the person is human. Higher is more likely.',
  }),
  unique_human_id: Type.String({ description: 'ID of the person, the same in all of your runs.' }),
});
const PhoneVerifiedResult = Type.Object({
  is_phone_number_verified: Type.Boolean({ description: 'Always true. Use it to test your integration.' }),
});

export type DataResult =
  | { type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID'; result: Static<typeof HumannessResult> }
  | { type: 'IS_PHONE_NUMBER_VERIFIED'; result: Static<typeof PhoneVerifiedResult> };

export const GetStatusResponse = Type.Object(
  {
    status: success,
    has_connection: Type.Boolean({
      description: 'True once a run is approved. False again after a revocation or denial.',
    }),
    simple_data_request_response: Type.Unsafe<DataResult[]>({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          type: {
            type: 'string',
            enum: [...DATA_REQUEST_TYPES],
            description: 'Type of the result, as in the request.',
          },
          result: {
            type: 'object',
            additionalProperties: true,
            description:
              'Depends on `type`: `humanness_score` (0 to 100, higher is more human) and `unique_human_id`, or `is_phone_number_verified`.',
          },
        },
        required: ['type', 'result'],
        title: 'DataResult',
      },
      description: 'One object for each requested type. Empty while `has_connection` is false.',
    }),
  },
  { title: 'GetStatusResponse' },
);
export type GetStatusResponse = Static<typeof GetStatusResponse>;
