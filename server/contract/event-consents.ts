/** Versions of the consent texts that only events have: pages load them with those texts, which most guests never see. */

/** The versions shown where one photo of a guest who passes is kept. */
export const PHOTO_CONSENT_VERSIONS = {
  hosted: 'hosted-photo-2026-11-26.2',
  kiosk: 'kiosk-photo-2026-11-26.2',
} as const;

/** The versions shown where the faces are the event's alone, and end with it. */
export const EVENT_CONSENT_VERSIONS = {
  hosted: 'hosted-event-2026-11-28',
  kiosk: 'kiosk-event-2026-11-28',
} as const;

/** The versions shown where each face is sealed with its ticket. */
export const TICKET_CONSENT_VERSIONS = {
  hosted: 'hosted-ticket-2026-11-29',
  kiosk: 'kiosk-ticket-2026-11-29',
} as const;

/** The same where it keeps a photo, too. */
export const TICKET_PHOTO_CONSENT_VERSIONS = {
  hosted: 'hosted-ticket-photo-2026-11-29',
  kiosk: 'kiosk-ticket-photo-2026-11-29',
} as const;

/** Those of an event’s own faces where it keeps a photo, too. */
export const EVENT_PHOTO_CONSENT_VERSIONS = {
  hosted: 'hosted-event-photo-2026-11-28',
  kiosk: 'kiosk-event-photo-2026-11-28',
} as const;
