/** Kiosks of a company: `/console/api/kiosks`, for staff. They have no partition; their event does. */
import { Type, type Static } from 'typebox';
import {
  KIOSK_CAMERAS,
  KIOSK_COMMANDS,
  KIOSK_SCREENS,
  type KioskCamera,
  type KioskScreen,
} from '../kiosk.ts';
import { Version, withVersion } from './common.ts';
import { nullable, nullableText, oneOf } from '../schemas.ts';

/**
 * `waiting`: not paired, its code is valid; `code_over`: not paired, its code has expired; `away`: paired but not
 * reporting.
 */
const KIOSK_STATES = ['waiting', 'code_over', 'online', 'away'] as const;
export type KioskState = (typeof KIOSK_STATES)[number];

export const KioskRecord = Type.Object({
  kiosk_id: Type.String(),
  name: Type.String(),
  event_id: nullable(),
  event_name: nullable(),
  is_way_out: Type.Boolean({ description: 'Guests with tickets leave through it.' }),
  state: oneOf(KIOSK_STATES),
  screen: Type.Unsafe<KioskScreen | null>({ type: ['string', 'null'], enum: [...KIOSK_SCREENS, null] }),
  camera: Type.Unsafe<KioskCamera | null>({ type: ['string', 'null'], enum: [...KIOSK_CAMERAS, null] }),
  session_id: nullable('ID of the run on its screen.'),
  last_seen_at: nullable(),
  silent_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Since its last heartbeat, which comes every ten seconds; null before the first.',
  }),
  paired_at: nullable(),
  code_ends_at: nullable('Expiry of a valid pairing code.'),
  version: Version,
});
export type KioskRecord = Static<typeof KioskRecord>;
export const KioskList = Type.Object({ items: Type.Array(KioskRecord) });
export type KioskList = Static<typeof KioskList>;

export const MAX_KIOSK_NAME_CHARS = 60;
const name = Type.String({ minLength: 1, maxLength: MAX_KIOSK_NAME_CHARS });
const eventId = nullableText(64, 'Null takes the kiosk off its event.');

/** `POST /kiosks`. `POST /kiosks/{kiosk_id}/code` creates another code for the same kiosk. */
export const KioskCreate = Type.Object({ name, event_id: Type.Optional(eventId) });
export type KioskCreate = Static<typeof KioskCreate>;
export const KioskWithCode = Type.Object({
  kiosk: KioskRecord,
  code: Type.String({ description: 'Entered at the device, once, within ten minutes. Shown once.' }),
  ends_at: Type.String(),
  kiosk_url: Type.String({ description: 'Address to open on the device.' }),
  pairing_url: Type.String({
    description: 'The same address with the code in its fragment; opening it pairs the device.',
  }),
  here_url: Type.String({
    description:
      'The same for a window on the machine of the service, which needs no certificate of the network mode.',
  }),
  is_local_only: Type.Boolean({
    description: 'Only this machine can reach the address, because network mode is off.',
  }),
  trust: Type.Unsafe<{ url: string; fingerprint: string } | null>({
    type: ['object', 'null'],
    properties: { url: { type: 'string' }, fingerprint: { type: 'string' } },
    required: ['url', 'fingerprint'],
    description:
      'Page on which the device gets the certificate of the address, and the fingerprint to compare; null if devices know the certificate.',
  }),
});
export type KioskWithCode = Static<typeof KioskWithCode>;

/** `PATCH /kiosks/{kiosk_id}`: fields left out stay unchanged. */
export const KioskUpdate = Type.Object({
  name: Type.Optional(name),
  event_id: Type.Optional(eventId),
  is_way_out: Type.Optional(Type.Boolean()),
  ...withVersion,
});
export type KioskUpdate = Static<typeof KioskUpdate>;

/** `POST /kiosks/{kiosk_id}/command`. */
export const KioskCommandRequest = Type.Object({ kind: oneOf(KIOSK_COMMANDS) });
