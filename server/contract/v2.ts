/** The v2 interface on the wire. Names and types are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import { oneOf } from './schemas.ts';
import { MAX_ADDRESS_CHARS, MAX_ID_LENGTH, MAX_PHONE_CHARS, MAX_TOKEN_CHARS } from './text-bounds.ts';

const optionalId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH, description }));

export const CreateRequest = Type.Object(
  {
    external_id: optionalId('Your own ID for the person. Omit it to get a new UUID.'),
    redirect: Type.Optional(
      Type.String({
        maxLength: MAX_ADDRESS_CHARS,
        description:
          'Address that the person returns to when the run ends: absolute and https. Use http only for localhost and private addresses.',
      }),
    ),
    region: optionalId('Uniqueness pool: a person can have one account in each region.'),
    phone: Type.Optional(
      Type.String({
        maxLength: MAX_PHONE_CHARS,
        description:
          'Number in E.164 format that you have verified yourself. The run accepts no other. With a demo key, send a test number; its code is not asked for.',
      }),
    ),
  },
  { title: 'CreateVerificationRequest' },
);
export type CreateRequest = Static<typeof CreateRequest>;

export const CreateResponse = Type.Object(
  {
    verification_url: Type.String({ description: 'Hosted link. Send the person there and don’t change it.' }),
    external_id: Type.String({ description: 'The ID you sent, or the new UUID.' }),
  },
  { title: 'CreateVerificationResponse' },
);
export type CreateResponse = Static<typeof CreateResponse>;

export const StatusRequest = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TOKEN_CHARS,
        description: 'The `vy_token` that the person returned with. Valid for 15 minutes.',
      }),
    ),
    external_id: optionalId('The `external_id` that `create` returned. It doesn’t expire.'),
  },
  { title: 'VerificationStatusRequest' },
);
export type StatusRequest = Static<typeof StatusRequest>;

export const StatusResponse = Type.Object(
  {
    verification_complete: Type.Boolean({
      description: 'True if the run was approved. Grant access based on this field.',
    }),
    external_id: Type.String({ description: 'ID of the person.' }),
  },
  { title: 'VerificationStatusResponse' },
);
export type StatusResponse = Static<typeof StatusResponse>;

export const SandboxPhoneRequest = Type.Object(
  {
    type: Type.Optional(
      oneOf(['us', 'global'], {
        description: 'Range of the number. Default: `us` if you send an `area_code`, otherwise `global`.',
      }),
    ),
    area_code: Type.Optional(
      Type.String({
        pattern: '^[0-9]{3}$',
        description: 'Three-digit area code of a US number. Default: 210.',
      }),
    ),
  },
  { title: 'SandboxPhoneRequest' },
);
export type SandboxPhoneRequest = Static<typeof SandboxPhoneRequest>;

export const SandboxPhoneResponse = Type.Object(
  {
    phone_number: Type.String({ description: 'Test number. No message is ever sent to it.' }),
    verification_code: Type.String({ description: 'Code of the number: its last six digits.' }),
  },
  { title: 'SandboxPhoneResponse' },
);
export type SandboxPhoneResponse = Static<typeof SandboxPhoneResponse>;

export const SandboxCodeRequest = Type.Object(
  {
    phone_number: Type.String({
      maxLength: MAX_PHONE_CHARS,
      description: 'Number from the test ranges, in E.164 format.',
    }),
  },
  { title: 'SandboxCodeRequest' },
);
export type SandboxCodeRequest = Static<typeof SandboxCodeRequest>;

export const SandboxCodeResponse = Type.Object(
  {
    verification_code: Type.String({ description: 'Code of the number: its last six digits.' }),
  },
  { title: 'SandboxCodeResponse' },
);
export type SandboxCodeResponse = Static<typeof SandboxCodeResponse>;
