/** Humans-only codes on the wire of v3, and their operations in the API reference. */
import { Type, type Static } from 'typebox';
import type { Operation } from './operations.ts';

const eventId = Type.String({ description: 'ID of the event whose key signed the code.' });

export const HumanCodeReply = Type.Object(
  {
    code: Type.String({ description: 'The code. It names no person. The service doesn’t store it.' }),
    event_id: eventId,
    key_id: Type.String({ description: 'ID of the public key that the code is checked with.' }),
    expires_at: Type.String({ format: 'date-time', description: 'End of the event, in whole seconds.' }),
  },
  { title: 'HumansOnlyCode' },
);
export type HumanCodeReply = Static<typeof HumanCodeReply>;

/** A code has 127 characters; a scanner may add some around it. */
const MAX_CODE_CHARS = 200;

export const RedeemRequest = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: MAX_CODE_CHARS, description: 'The code.' }) },
  { title: 'RedeemRequest' },
);

export const RedeemedCode = Type.Object(
  {
    event_id: eventId,
    serial: Type.String({ description: 'Serial of the code: 32 hexadecimal digits.' }),
    redeemed_at: Type.String({ format: 'date-time', description: 'When the code was used up.' }),
  },
  { title: 'RedeemedCode' },
);
export type RedeemedCode = Static<typeof RedeemedCode>;

export const EventParams = Type.Object({ event_id: Type.String({ description: 'ID of the event.' }) });

const CodeKey = Type.Object(
  {
    key_id: Type.String({ description: 'ID of the key: the first 8 bytes of its SHA-256, in hexadecimal.' }),
    public_key: Type.String({ description: 'The key: `hcpk_` and the 32 bytes of Ed25519 in base64url.' }),
    created_at: Type.String({ format: 'date-time', description: 'When the key was made.' }),
    codes: Type.Integer({ minimum: 0, description: 'Codes that it signed.' }),
    redeemed: Type.Integer({ minimum: 0, description: 'Of them, those that were redeemed here.' }),
  },
  { title: 'CodeKey' },
);

export const CodeKeys = Type.Object(
  {
    event_id: Type.String({ description: 'ID of the event.' }),
    items: Type.Array(CodeKey, {
      description: 'The key of new codes first, then those whose codes may still come.',
    }),
  },
  { title: 'CodeKeys' },
);
export type CodeKeys = Static<typeof CodeKeys>;

const KEY_ERRORS = ['authentication_required', 'invalid_key_type', 'invalid_or_revoked_key'] as const;
const EVENT_ID = '01a215cd-6000-7000-8000-000000000003';
/** The test vector of the documentation. */
const CODE =
  'hc_AVZHWqdUY0dMawjkIAABAgMEBQYHCAkKCwwNDg_JDnv-j9h2CaL1k5fYsE8bapD_szMbRywesSk2TcJkTocrvzjdxrUR6-CZ78k5Wt7TemwM1ps5RVGJG24xzJsL';
const KEY_ID = '56475aa75463474c';
const TIME = '2026-11-26T18:30:00.000Z';

export const V3_CODE_OPERATIONS = {
  makeCode: {
    generation: 'v3',
    operationId: 'makeCode',
    summary: 'Make the humans-only code of a pass',
    description:
      'For guests who passed the check of an event: those whose `group` is the event’s. The code is for one use, lasts until the ' +
      'event ends, and is checked anywhere with the event’s public key. A pass has one code. Asking again returns the same one, with ' +
      'the event’s end as it is then, until the code is redeemed here.',
    key: 'secret',
    success: 'The code.',
    reply: {
      code: CODE,
      event_id: EVENT_ID,
      key_id: KEY_ID,
      expires_at: '2026-11-27T02:00:00.000Z',
    },
    errors: {
      401: [...KEY_ERRORS, 'invalid_confirmation_token'],
      404: ['not found', 'no_event_of_group'],
      409: ['pass_not_verified', 'event_over', 'code_redeemed'],
      410: ['token_expired'],
    },
  },
  redeemCode: {
    generation: 'v3',
    operationId: 'redeemCode',
    repeatable: true,
    summary: 'Redeem a humans-only code',
    description:
      'Uses the code up: of two calls at once, one succeeds. You only need this if several places accept the codes of an event; a single ' +
      'one can check a code offline and remember its serial.',
    key: 'secret',
    success: 'The code was good, and is used up now.',
    reply: { event_id: EVENT_ID, serial: '000102030405060708090a0b0c0d0e0f', redeemed_at: TIME },
    example: {
      code: CODE,
    },
    errors: { 400: ['invalid_code'], 401: KEY_ERRORS, 409: ['code_redeemed'], 410: ['code_expired'] },
  },
  listCodeKeys: {
    generation: 'v3',
    operationId: 'listCodeKeys',
    summary: 'List the public keys of an event’s codes',
    description:
      'What a verifier needs to check humans-only codes without this service. Each event has keys of its own, so the codes of two events ' +
      'can’t be linked. The first call makes the key.',
    key: 'secret',
    success: 'The public keys.',
    reply: {
      event_id: EVENT_ID,
      items: [
        {
          key_id: KEY_ID,
          public_key: 'hcpk_A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
          created_at: TIME,
          codes: 240,
          redeemed: 12,
        },
      ],
    },
    errors: { 401: KEY_ERRORS, 404: ['not found'] },
  },
} as const satisfies Record<string, Operation>;
