/** The v2 interface on the wire. Names and types are the contract's, letter for letter. */
import { Type, type Static } from 'typebox';
import { MAX_ID_LENGTH } from './connect.ts';
import { MAX_ADDRESS_CHARS, MAX_PHONE_CHARS, MAX_TOKEN_CHARS } from './text-bounds.ts';

const optionalId = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH, description }));

export const CreateRequest = Type.Object({
  external_id: optionalId('Your own id for the person; a UUID is made where you send none.'),
  redirect: Type.Optional(
    Type.String({
      maxLength: MAX_ADDRESS_CHARS,
      description:
        'Where the person lands when the run ends: absolute and https; http for localhost or a private address.',
    }),
  ),
  region: optionalId('Uniqueness pool: one account for a person in each region.'),
  phone: Type.Optional(
    Type.String({
      maxLength: MAX_PHONE_CHARS,
      description:
        'E.164. Locks the run to a number that you have verified; with a demo key, a test number, whose code is not asked.',
    }),
  ),
});
export type CreateRequest = Static<typeof CreateRequest>;

export const CreateResponse = Type.Object({
  verification_url: Type.String({ description: 'The link to send the person to, as it is.' }),
  external_id: Type.String({ description: 'The id that was sent, or the one that was made.' }),
});
export type CreateResponse = Static<typeof CreateResponse>;

export const StatusRequest = Type.Object({
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TOKEN_CHARS,
      description: 'The `vy_token` that the person came back with; good for 15 minutes.',
    }),
  ),
  external_id: optionalId('The id that `create` answered with; good for ever.'),
});
export type StatusRequest = Static<typeof StatusRequest>;

export const StatusResponse = Type.Object({
  verification_complete: Type.Boolean({
    description: 'True only once the run has ended approved. Gate access on it.',
  }),
  external_id: Type.String({ description: 'Whom it is about.' }),
});
export type StatusResponse = Static<typeof StatusResponse>;

export const SandboxPhoneRequest = Type.Object({
  type: Type.Optional(
    Type.Unsafe<'us' | 'global'>({
      type: 'string',
      enum: ['us', 'global'],
      description: 'The range of the number. Default: `us` where an `area_code` is named, else `global`.',
    }),
  ),
  area_code: Type.Optional(
    Type.String({ pattern: '^[0-9]{3}$', description: 'Of a US number, three digits. Default: 210.' }),
  ),
});
export type SandboxPhoneRequest = Static<typeof SandboxPhoneRequest>;

export const SandboxPhoneResponse = Type.Object({
  phone_number: Type.String({ description: 'A number that no message is ever sent to.' }),
  verification_code: Type.String({ description: 'Its code: its last six digits.' }),
});
export type SandboxPhoneResponse = Static<typeof SandboxPhoneResponse>;

export const SandboxCodeRequest = Type.Object({
  phone_number: Type.String({
    maxLength: MAX_PHONE_CHARS,
    description: 'A number of the test ranges, E.164.',
  }),
});
export type SandboxCodeRequest = Static<typeof SandboxCodeRequest>;

export const SandboxCodeResponse = Type.Object({
  verification_code: Type.String({ description: 'Its code: its last six digits.' }),
});
export type SandboxCodeResponse = Static<typeof SandboxCodeResponse>;
