/**
 * The consent texts by version, in `locales/consent`: a text that guests have agreed to can still be shown after the
 * catalogues have changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConsentFile } from '../../locales/node.ts';
import { CONSENT_VERSIONS, RECORDING_CONSENT_VERSION } from '../../server/contract/consent-texts.ts';
import {
  EVENT_CONSENT_VERSIONS,
  EVENT_PHOTO_CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
  TICKET_CONSENT_VERSIONS,
  TICKET_PHOTO_CONSENT_VERSIONS,
} from '../../server/contract/event-consents.ts';
import { messagesIn } from './check.ts';
import { LOCALES, readText } from './files.ts';
import { LANGUAGES } from '../../server/contract/languages.ts';

type Messages = readonly (readonly [key: string, message: string])[];

const FOLDER = path.join(LOCALES, 'consent');
const fileOf = (version: string) => path.join(FOLDER, `${version}.json`);

export const archivedText = (version: string): ConsentFile =>
  JSON.parse(readFileSync(fileOf(version), 'utf8')) as ConsentFile;

/** The texts of the current versions, from the catalogues. */
export const currentTexts = (): ReadonlyMap<string, ConsentFile> =>
  new Map(
    (
      [
        ...ofBothPages(CONSENT_VERSIONS, (language) => messagesOf('hosted', language)),
        ...ofBothPages(PHOTO_CONSENT_VERSIONS, (language) =>
          ownTextOf(language, PHOTO, ['withPhoto.detail']),
        ),
        ...ofBothPages(EVENT_CONSENT_VERSIONS, (language) => ownTextOf(language, EVENT)),
        ...ofBothPages(EVENT_PHOTO_CONSENT_VERSIONS, (language) =>
          ownTextOf(language, EVENT_PHOTO, ['withPhoto.detail']),
        ),
        ...ofBothPages(TICKET_CONSENT_VERSIONS, (language) => ownTextOf(language, TICKET)),
        ...ofBothPages(TICKET_PHOTO_CONSENT_VERSIONS, (language) =>
          ownTextOf(language, TICKET_PHOTO, ['withPhoto.detail']),
        ),
        [RECORDING_CONSENT_VERSION, (language) => messagesOf('recording', language)],
      ] satisfies [string, TextIn][]
    ).map(([version, textIn]) => [
      version,
      Object.fromEntries(LANGUAGES.map((language) => [language, Object.fromEntries(textIn(language))])),
    ]),
  );

type TextIn = (language: string) => Messages;

const ofBothPages = (versions: { hosted: string; kiosk: string }, textIn: TextIn): [string, TextIn][] => [
  [versions.hosted, textIn],
  [versions.kiosk, (language) => [...textIn(language), ...messagesOf('kiosk', language)]],
];

const messagesOf = (
  catalogue: 'hosted' | 'kiosk' | 'recording' | 'event-consent',
  language: string,
): Messages => [...messagesIn(readText(language, catalogue))].filter(([key]) => key.startsWith('consent.'));

/** Sentences of the usual text, each with those that an event shows in its place. */
type Replaced = Readonly<Record<string, readonly string[]>>;

const PHOTO: Replaced = { kept: ['withPhoto.kept'], howLong: ['withPhoto.howLong'] };
const EVENT: Replaced = {
  kept: ['ofEvent.kept'],
  howLong: ['ofEvent.howLong', 'ofEvent.untilEnd'],
  nothingKept: [],
  'details.2': ['ofEvent.compared'],
  'details.6': ['ofEvent.backups'],
};
const EVENT_PHOTO: Replaced = {
  ...EVENT,
  kept: ['ofEvent.withPhoto.kept'],
  howLong: ['ofEvent.withPhoto.howLong', 'ofEvent.withPhoto.untilEnd'],
};
const TICKET: Replaced = {
  ...EVENT,
  why: ['ofTicket.why'],
  kept: ['ofTicket.kept'],
  'details.2': ['ofTicket.compared'],
  'details.3': ['ofTicket.sealed'],
};
const TICKET_PHOTO: Replaced = {
  ...TICKET,
  kept: ['ofTicket.withPhoto.kept'],
  howLong: EVENT_PHOTO['howLong'] ?? [],
};

/** The text with an event's own sentences. @param further shown at its end */
function ownTextOf(language: string, replaced: Replaced, further: readonly string[] = []): Messages {
  const own = new Map(messagesOf('event-consent', language));
  const take = (names: readonly string[]): Messages =>
    names.map((name) => [`consent.${name}`, own.get(`consent.${name}`) ?? '']);
  const usual = messagesOf('hosted', language).flatMap((message) => {
    const others = replaced[message[0].slice('consent.'.length)];
    return others === undefined ? [message] : take(others);
  });
  return [...usual, ...take(further)];
}

const ONLY_AT_KIOSKS = /^consent\.(?:erase|instead|askStaff)/;

/** The first 16 hexadecimal digits of the SHA-256 of the messages, sorted by key, those of the kiosk last. */
export function digestOf(text: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(text).sort(([a], [b]) => (a < b ? -1 : 1));
  const isKiosks = ([key]: readonly [string, string]) => ONLY_AT_KIOSKS.test(key);
  const messages = [...sorted.filter((message) => !isKiosks(message)), ...sorted.filter(isKiosks)];
  return createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 16);
}

/** Writes the file of each current version that has none yet. @returns lines for `CONSENT_DIGESTS` */
export function archiveNewTexts(): string[] {
  mkdirSync(FOLDER, { recursive: true });
  return [...currentTexts()]
    .filter(([version]) => !existsSync(fileOf(version)))
    .map(([version, text]) => {
      writeFileSync(fileOf(version), `${JSON.stringify(text, null, 2)}\n`);
      const digests = Object.entries(text).map(
        ([language, messages]) => `${language}: '${digestOf(messages)}'`,
      );
      return `  '${version}': { ${digests.join(', ')} },`;
    });
}
