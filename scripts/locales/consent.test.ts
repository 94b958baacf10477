import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  CONSENT_DIGESTS,
  CONSENT_VERSIONS,
  consentDigest,
  includesPhoto,
  isOfOneEvent,
  isReplacedConsent,
} from '../../server/contract/consent-texts.ts';
import {
  EVENT_PHOTO_CONSENT_VERSIONS,
  PHOTO_CONSENT_VERSIONS,
} from '../../server/contract/event-consents.ts';
import { archivedText, currentTexts, digestOf } from './consent.ts';
import { LOCALES } from './files.ts';
import { LANGUAGES } from '../../server/contract/languages.ts';

const versions = Object.keys(CONSENT_DIGESTS);

test('each version of a consent text has one file, and each file one version', () => {
  const files = readdirSync(path.join(LOCALES, 'consent')).map((name) => path.basename(name, '.json'));
  expect(files.sort()).toEqual(versions.toSorted());
});

test.each(versions)('the text of %s is what its digests say, in each language', (version) => {
  const text = archivedText(version);
  expect(Object.keys(text)).toEqual(LANGUAGES);
  const digests = Object.fromEntries(
    Object.entries(text).map(([name, messages]) => [name, digestOf(messages)]),
  );
  expect(digests).toEqual(CONSENT_DIGESTS[version]);
});

test('the pages show the texts of the current versions: a changed text needs a new version', () => {
  for (const [version, text] of currentTexts()) {
    expect(text, version).toEqual(archivedText(version));
    expect(isReplacedConsent(version), version).toBe(false);
  }
  expect(versions.filter(isReplacedConsent)).toHaveLength(versions.length - currentTexts().size);
});

test('a text that names the photo includes it, replaced or not', () => {
  const namesPhoto = (version: string) => 'consent.withPhoto.detail' in (archivedText(version)['en'] ?? {});
  expect(versions.filter(includesPhoto)).toEqual(versions.filter(namesPhoto));
  expect(includesPhoto(PHOTO_CONSENT_VERSIONS.kiosk)).toBe(true);
});

test('a text that names the faces of one event is known as such, replaced or not', () => {
  const namesEvent = (version: string) => 'consent.ofEvent.backups' in (archivedText(version)['en'] ?? {});
  expect(versions.filter(isOfOneEvent)).toEqual(versions.filter(namesEvent));
  expect(isOfOneEvent(EVENT_PHOTO_CONSENT_VERSIONS.kiosk)).toBe(true);
});

test('the server knows no digest of an unknown version or language', () => {
  expect(consentDigest('hosted-2026-11-22', 'de')).toMatch(/^[0-9a-f]{16}$/);
  expect(consentDigest('our-own-text', 'de')).toBeNull();
  expect(consentDigest(CONSENT_VERSIONS.hosted, 'toString')).toBeNull();
  expect(isReplacedConsent('our-own-text')).toBe(false);
  expect(isReplacedConsent('toString')).toBe(false);
});
