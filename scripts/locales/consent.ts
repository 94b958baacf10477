/**
 * The consent texts by version, in `locales/consent`: a text that guests have agreed to can still be shown after the
 * catalogues have changed.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConsentFile } from '../../locales/node.ts';
import {
  CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
  RECORDING_CONSENT_VERSION,
} from '../../server/contract/consent-texts.ts';
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
        [CONSENT_VERSIONS.hosted, (language) => plain(language)],
        [CONSENT_VERSIONS.kiosk, (language) => [...plain(language), ...messagesOf('kiosk', language)]],
        [PHOTO_CONSENT_VERSIONS.hosted, (language) => withPhoto(language)],
        [
          PHOTO_CONSENT_VERSIONS.kiosk,
          (language) => [...withPhoto(language), ...messagesOf('kiosk', language)],
        ],
        [RECORDING_CONSENT_VERSION, (language) => messagesOf('recording', language)],
      ] satisfies [string, (language: string) => Messages][]
    ).map(([version, textIn]) => [
      version,
      Object.fromEntries(LANGUAGES.map((language) => [language, Object.fromEntries(textIn(language))])),
    ]),
  );

const messagesOf = (catalogue: 'hosted' | 'kiosk' | 'recording', language: string): Messages =>
  [...messagesIn(readText(language, catalogue))].filter(([key]) => key.startsWith('consent.'));

const plain = (language: string): Messages =>
  messagesOf('hosted', language).filter(([key]) => !key.startsWith('consent.withPhoto.'));

/** Where a photo is kept, its own sentences replace two of the others. */
const withPhoto = (language: string): Messages =>
  messagesOf('hosted', language).filter(([key]) => !['consent.kept', 'consent.howLong'].includes(key));

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
