/** The consent texts that only events have: of faces that are the event's alone, and of a kept photo. */
import { use } from 'react';
import type { Compiled } from '../../locales/compile.ts';
import type { EventConsentMessages } from '../../locales/types/event-consent.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import {
  EVENT_CONSENT_VERSIONS,
  EVENT_PHOTO_CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
  TICKET_CONSENT_VERSIONS,
  TICKET_PHOTO_CONSENT_VERSIONS,
} from '../../server/contract/event-consents.ts';
import type { Snapshot } from '../../server/contract/flow.ts';
import { createCatalogueLoader } from '../i18n/catalogues.ts';
import { dayInWords, durationInWords, type Language, LANGUAGES } from '../i18n/language.ts';
import { consentTextOf, type ConsentText } from './consent.tsx';

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../locales/{en,es,fr,de}/event-consent.json', { import: 'default' }),
);

/** Suspends until they are there. */
export const useEventConsentWords = (language: Language): EventConsentMessages =>
  use(loader.load('event-consent', language));

/** For a page on which the language can be changed without a network. */
export const loadEventConsentWords = () =>
  Promise.all(LANGUAGES.map((language) => loader.load('event-consent', language)));

type EventSnapshot = Pick<
  Snapshot,
  'branding' | 'retention_days' | 'faces_days' | 'faces_sealed' | 'photo_until'
>;

/** The usual text with the event's own sentences, and the version by which each page names it. */
export type EventConsentText = ConsentText & { versions: Readonly<Record<'hosted' | 'kiosk', string>> };

/** Places among the details: whom a face is compared with, what a face code is, and backups. */
const COMPARED = 1;
const FACE_CODE = 2;
const BACKUPS = 5;

/** @param snapshot one whose event has a text of its own (`hasOwnText`) */
export function eventConsentTextOf(
  snapshot: EventSnapshot,
  messages: HostedMessages['consent'],
  { consent: words }: EventConsentMessages,
  language: Language,
): EventConsentText {
  const usual = consentTextOf(snapshot, messages, language);
  const { faces_days, faces_sealed: isSealed = false, photo_until } = snapshot;
  const isOfEvent = faces_days !== undefined;
  const hasPhoto = photo_until !== undefined;
  const { organiser } = usual;
  const { ofEvent, ofTicket } = words;
  const own: Readonly<Record<number, string | undefined>> = {
    ...(isOfEvent && { [COMPARED]: ofEvent.compared({ organiser }), [BACKUPS]: ofEvent.backups }),
    ...(isSealed && { [COMPARED]: ofTicket.compared({ organiser }), [FACE_CODE]: ofTicket.sealed }),
  };
  const { kept, howLong } = keptOf(snapshot, words, language);
  const [, usualWhy] = usual.facts[0];
  return {
    organiser,
    facts: [
      [messages.whyTerm, isSealed ? ofTicket.why({ organiser }) : usualWhy],
      [messages.keptTerm, kept],
      [messages.howLongTerm, howLong],
    ],
    details: [
      ...usual.details.map((line, place) => own[place] ?? line),
      ...(hasPhoto ? [words.withPhoto.detail] : []),
    ],
    shown: { ...(isOfEvent ? { faces_days } : usual.shown), ...(hasPhoto && { photo_until }) },
    versions: versionsOf({ isOfEvent, isSealed, hasPhoto }),
  };
}

function versionsOf({
  isOfEvent,
  isSealed,
  hasPhoto,
}: Record<'isOfEvent' | 'isSealed' | 'hasPhoto', boolean>): EventConsentText['versions'] {
  if (isSealed) return hasPhoto ? TICKET_PHOTO_CONSENT_VERSIONS : TICKET_CONSENT_VERSIONS;
  if (isOfEvent) return hasPhoto ? EVENT_PHOTO_CONSENT_VERSIONS : EVENT_CONSENT_VERSIONS;
  return PHOTO_CONSENT_VERSIONS;
}

/** What is kept, and for how long. */
function keptOf(
  { retention_days, faces_days, faces_sealed, photo_until }: EventSnapshot,
  { ofEvent, ofTicket, withPhoto }: EventConsentMessages['consent'],
  language: Language,
): { kept: string; howLong: string } {
  const duration = durationInWords(faces_days ?? retention_days, language);
  if (photo_until === undefined)
    return {
      kept: faces_sealed === true ? ofTicket.kept : ofEvent.kept,
      howLong: duration === null ? ofEvent.untilEnd : ofEvent.howLong({ duration }),
    };
  const date = dayInWords(photo_until, language);
  const words = faces_days === undefined ? withPhoto : ofEvent.withPhoto;
  return {
    kept: faces_sealed === true ? ofTicket.withPhoto.kept : words.kept,
    howLong: duration === null ? ofEvent.withPhoto.untilEnd({ date }) : words.howLong({ duration, date }),
  };
}
