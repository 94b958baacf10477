/** Versions of the consent texts of the hosted page, the kiosk and the recorder: pages send one with each consent, and the server knows its text. */
import {
  EVENT_CONSENT_VERSIONS,
  EVENT_PHOTO_CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
  TICKET_CONSENT_VERSIONS,
  TICKET_PHOTO_CONSENT_VERSIONS,
} from './event-consents.ts';
import type { Faces } from './console/events.ts';
import type { Language } from './languages.ts';

/** The versions that the pages show. `docs/explanation/messages.md` says how a changed text gets a new one. */
export const CONSENT_VERSIONS = { hosted: 'hosted-2026-11-26.2', kiosk: 'kiosk-2026-11-26.2' } as const;

/** The version shown before a capture is recorded (`gatehouse record`). Nobody is recorded under another one. */
export const RECORDING_CONSENT_VERSION = 'recording-2026-11-23.2';

/** Texts that say that a photo is kept: the current ones, and the earlier ones that guests have agreed to. */
const PHOTO_TEXTS: readonly string[] = [
  ...Object.values(PHOTO_CONSENT_VERSIONS),
  ...Object.values(EVENT_PHOTO_CONSENT_VERSIONS),
  ...Object.values(TICKET_PHOTO_CONSENT_VERSIONS),
  'hosted-photo-2026-11-23',
  'kiosk-photo-2026-11-23',
  'hosted-photo-2026-11-23.2',
  'kiosk-photo-2026-11-23.2',
  'hosted-photo-2026-11-23.3',
  'kiosk-photo-2026-11-23.3',
  'hosted-photo-2026-11-26',
  'kiosk-photo-2026-11-26',
];

/** Whether the text of this version says that one photo is kept. */
export const includesPhoto = (version: string): boolean => PHOTO_TEXTS.includes(version);

/** Texts that say that the faces are one event's, and end with it: the current ones, and any that guests have agreed to. */
const EVENT_TEXTS: readonly string[] = [
  ...Object.values(EVENT_CONSENT_VERSIONS),
  ...Object.values(EVENT_PHOTO_CONSENT_VERSIONS),
];

/** Texts that say that each face is sealed with its ticket, and ends with the event. */
const TICKET_TEXTS: readonly string[] = [
  ...Object.values(TICKET_CONSENT_VERSIONS),
  ...Object.values(TICKET_PHOTO_CONSENT_VERSIONS),
];

const facesIn = (version: string): Faces => {
  if (TICKET_TEXTS.includes(version)) return 'ticket';
  return EVENT_TEXTS.includes(version) ? 'event' : 'organiser';
};

/** Whether the text of this version says that the face is kept for one event only. */
export const isOfOneEvent = (version: string): boolean => facesIn(version) !== 'organiser';

/** Whether the text of this version says something else than what the faces are for. Nobody knows what an unknown one says. */
export const saysOtherwise = (version: string, faces: Faces): boolean =>
  Object.hasOwn(CONSENT_DIGESTS, version) && facesIn(version) !== faces;

const CURRENT: readonly string[] = [
  ...Object.values(CONSENT_VERSIONS),
  ...Object.values(PHOTO_CONSENT_VERSIONS),
  ...EVENT_TEXTS,
  ...TICKET_TEXTS,
  RECORDING_CONSENT_VERSION,
];

/** Whether a later text has replaced this one. Versions that the server doesn’t know are not replaced. */
export const isReplacedConsent = (version: string): boolean =>
  Object.hasOwn(CONSENT_DIGESTS, version) && !CURRENT.includes(version);

/**
 * SHA-256 of each version’s text in each language, its first 16 hexadecimal digits. A test computes them from
 * `locales/consent`. Never change or remove an entry, because stored consents refer to it.
 */
export const CONSENT_DIGESTS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'hosted-2026-11-22': {
    en: '31f426630e371984',
    es: '45ad8f8633a586fc',
    fr: 'f2efb2f2caf8deb0',
    de: '724d2fd44215bdba',
  },
  'kiosk-2026-11-22': {
    en: '824f54034518d2e0',
    es: 'eeb3003cbd5a7615',
    fr: '45fe45d97f500ea2',
    de: '75a9aaab5a9ddd1c',
  },
  'hosted-2026-11-22.2': {
    en: '52fd9a06e8203d86',
    es: '117a47ea894019e0',
    fr: '68e22b1cfb758eff',
    de: '08747fed1a22b90c',
  },
  'kiosk-2026-11-22.2': {
    en: '756ac66cc1b140bd',
    es: '597e8c12caf25475',
    fr: '5d539f8bec073cd9',
    de: '221d86c93ca0f831',
  },
  'kiosk-2026-11-23': {
    en: '756ac66cc1b140bd',
    es: '597e8c12caf25475',
    fr: 'd4d883c4b07c1fd0',
    de: '221d86c93ca0f831',
  },
  'hosted-photo-2026-11-23': {
    en: '555c02dbc17e950e',
    es: '57af547b64f8a2f2',
    fr: 'f3ec8052bfb893fd',
    de: '9a2d4c25d58c3593',
  },
  'kiosk-photo-2026-11-23': {
    en: 'b56ec1a21130ac52',
    es: '41367e88b343658c',
    fr: '10bd2718d02413f2',
    de: '9749334cd3c51dc2',
  },
  'recording-2026-11-23': {
    en: 'cf6b8ba4682f7f40',
    es: '901f5df62d8911c6',
    fr: 'ed443c490829aba4',
    de: '5983089b0bb8ccbc',
  },
  'hosted-2026-11-23': {
    en: '35d0a384c42a79fa',
    es: '9b5905e4165540be',
    fr: '9aada13cac170961',
    de: '0839a6a88507a19c',
  },
  'kiosk-2026-11-23.2': {
    en: 'd9b240a9186cff02',
    es: '10b47d79e52ba2f1',
    fr: '133403039d79e13a',
    de: '0986aab8c260a23a',
  },
  'hosted-photo-2026-11-23.2': {
    en: '81055e1d1227db9a',
    es: '77158cbcaf7a8764',
    fr: 'bff7d1d73a685c77',
    de: 'ca2b268950dee6e7',
  },
  'kiosk-photo-2026-11-23.2': {
    en: 'b7b95b9a23e2438a',
    es: '8175a29d8ea664e2',
    fr: '87edc4459979d0f9',
    de: '8d02fcd2648fcc66',
  },
  'recording-2026-11-23.2': {
    en: 'a9a229e5a08c0fc6',
    es: '01d40d27948356fe',
    fr: '8919b7dc86652183',
    de: '8d92258aa6e65e6d',
  },
  'hosted-2026-11-23.2': {
    en: '28a128dba074eeba',
    es: '2b2a1e12d9b4a393',
    fr: 'fae3439b6f041edd',
    de: '702a82a9650774d6',
  },
  'kiosk-2026-11-23.3': {
    en: 'f71d01dc9b32b795',
    es: 'b960b25c95bb223e',
    fr: '1858b18bfada2515',
    de: '479a94312b59ee21',
  },
  'hosted-photo-2026-11-23.3': {
    en: '1590b9218487e417',
    es: '3488841da3134290',
    fr: '5ad4d16c8cbf045a',
    de: '2c1e9111107b8bb1',
  },
  'kiosk-photo-2026-11-23.3': {
    en: '912b37641cb49b46',
    es: '74b69ad909380d0f',
    fr: '3219c897ec5e7648',
    de: 'c606e46c9df7b76a',
  },
  'hosted-2026-11-26': {
    en: '35df22657b663672',
    es: '3732cf8d18b7951c',
    fr: 'e1ba618b85784ccd',
    de: 'c83104c4fcc408d0',
  },
  'kiosk-2026-11-26': {
    en: 'de1381634b48c606',
    es: '3790add75a1db0eb',
    fr: '08d3881bbb26d9b4',
    de: '5893e521d6e06b76',
  },
  'hosted-photo-2026-11-26': {
    en: 'a8382471cefdd80a',
    es: '427164ffeed8e7a0',
    fr: 'dc4536dda944d647',
    de: '177417531de86776',
  },
  'kiosk-photo-2026-11-26': {
    en: '995ec1f734abd124',
    es: '21925d1cf60b2cde',
    fr: 'c6276d251dbdcf22',
    de: '7128f005977a4e7e',
  },
  'hosted-2026-11-26.2': {
    en: '161d0240c2bee9fa',
    es: '344f48d2d3b3c56e',
    fr: '70198905c029d7e1',
    de: '1f52261db84bbb86',
  },
  'kiosk-2026-11-26.2': {
    en: '3a2116a30a5a4680',
    es: '818721c3d917a2da',
    fr: '294e71b9a7ab4efa',
    de: 'cd64e47bda678934',
  },
  'hosted-photo-2026-11-26.2': {
    en: '2746f7d26275b5c1',
    es: '52db4b9f99885e9f',
    fr: 'a98fa57b599052ca',
    de: '04578e981f848b3a',
  },
  'kiosk-photo-2026-11-26.2': {
    en: '365ec4634d94cc86',
    es: '84f451d1c9bd9361',
    fr: 'e27445af4e067e87',
    de: '26e4b8f10a9ed5bb',
  },
  'hosted-event-2026-11-28': {
    en: 'f5be53b056716dce',
    es: '514820641d0d406b',
    fr: 'd6bf5fabcc1cbf53',
    de: '445698a6a0592993',
  },
  'kiosk-event-2026-11-28': {
    en: '194e66bd02a2b334',
    es: '67468211d692195c',
    fr: '3cf8b9bfebddef92',
    de: 'e2527bb64322d60c',
  },
  'hosted-event-photo-2026-11-28': {
    en: '017fb3e1dcbe5829',
    es: '9c6dda052cb20a5a',
    fr: 'f1884c7817cac71c',
    de: 'f7f9456864b2a34d',
  },
  'kiosk-event-photo-2026-11-28': {
    en: '43f7314be17535b2',
    es: '99234f3cd8c14cbc',
    fr: '45739fff7ede3cd4',
    de: 'af93a000d7ff903d',
  },
  'hosted-ticket-2026-11-29': {
    en: '3824a49cc966db45',
    es: 'd8be6096da04f55f',
    fr: '3001bcb5171e2bc5',
    de: 'ab8d25f081035d25',
  },
  'kiosk-ticket-2026-11-29': {
    en: 'dc6e073ff5420557',
    es: 'f585a80d789017c6',
    fr: '39af6371c8f78c4e',
    de: '18261b43ebcd5ef4',
  },
  'hosted-ticket-photo-2026-11-29': {
    en: 'afcbb757530f96f9',
    es: '4131e38d9244f8d3',
    fr: 'ce3004a384cca456',
    de: 'd92701b7161641b7',
  },
  'kiosk-ticket-photo-2026-11-29': {
    en: 'db966796be14f16d',
    es: 'cfb8febb0781c89a',
    fr: '969af488a8cacdf8',
    de: '3a7f4b56e3577597',
  },
};

/** The digest of a version's text in a language; null for an unknown version or language. */
export function consentDigest(version: string, language: string): string | null {
  const digests = Object.hasOwn(CONSENT_DIGESTS, version) ? CONSENT_DIGESTS[version] : undefined;
  if (digests === undefined || !Object.hasOwn(digests, language)) return null;
  return digests[language as Language];
}
