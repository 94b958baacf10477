/** "My verifications": a person verifies a number and manages their own data. */
import { Type, type Static } from 'typebox';
import { nullable, oneOf } from './schemas.ts';
import { MAX_PHONE_CHARS } from './text-bounds.ts';

export const MyCodeRequest = Type.Object({
  phone: Type.String({ minLength: 1, maxLength: MAX_PHONE_CHARS }),
});
export type MyCodeRequest = Static<typeof MyCodeRequest>;
/** The same whether or not the number is known. */
export const MyCodeResponse = Type.Object({
  resend_at: Type.String(),
  resend_in_ms: Type.Integer({ description: 'Time until then.' }),
  expires_at: Type.String(),
});
export type MyCodeResponse = Static<typeof MyCodeResponse>;

export const MyOpenRequest = Type.Object({
  phone: Type.String({ minLength: 1, maxLength: MAX_PHONE_CHARS }),
  code: Type.String({ minLength: 1, maxLength: 12 }),
});
export type MyOpenRequest = Static<typeof MyOpenRequest>;

/** What an organiser can keep: a face code, pictures of a check, a photo, a ticket, a number or email, results of checks. */
export const KEPT = ['face', 'pictures', 'photo', 'ticket', 'contact', 'checks'] as const;
export const MyKept = Type.Object({
  what: oneOf(KEPT),
  until: nullable('Null if it is kept until the person erases it, or pictures until a reviewer has decided.'),
  event: nullable('Of a photo, a ticket, or a face that the event keeps apart.'),
});
export type MyKept = Static<typeof MyKept>;

/** An organiser who knows this person. */
export const MyConnection = Type.Object({
  connection_id: Type.String(),
  organiser: Type.String(),
  is_test: Type.Boolean(),
  since: Type.String(),
  last_seen_at: Type.String(),
  connected: Type.Boolean({ description: 'False once disconnected.' }),
  kept: Type.Array(MyKept, { maxItems: 60, description: 'What is kept now.' }),
});
export type MyConnection = Static<typeof MyConnection>;

export const MyConnections = Type.Object({ connections: Type.Array(MyConnection) });
export const MyOpenResponse = Type.Object({ my_token: Type.String(), connections: Type.Array(MyConnection) });
export type MyOpenResponse = Static<typeof MyOpenResponse>;

/** Whom to ask without a number and without a proof; nulls if several companies could be meant. */
export const MyContact = Type.Object({
  organiser: Type.Union([Type.String(), Type.Null()]),
  privacy_contact: Type.Union([Type.String(), Type.Null()]),
  asks_staff: Type.Boolean({ description: 'Codes are read out by staff; nothing is sent.' }),
});
export type MyContact = Static<typeof MyContact>;

export const MyAction = Type.Object({ connection_id: Type.String({ format: 'uuid' }) });
export type MyAction = Static<typeof MyAction>;
