/** Versions of the consent texts of the hosted page and the kiosk: pages send one with each consent, and the server knows its text. */
import type { Language } from './languages.ts';

/** The versions that the pages show. A changed text gets a new version, and an entry in `CONSENT_DIGESTS`. */
export const CONSENT_VERSIONS = { hosted: 'hosted-2026-11-22.2', kiosk: 'kiosk-2026-11-22.2' } as const;

/**
 * SHA-256 of each version’s text in each language, its first 16 hexadecimal digits. A test computes those of the
 * current versions from the catalogues. Never change or remove an entry, because stored consents refer to it.
 */
const CONSENT_DIGESTS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
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
};

/** The digest of a version's text in a language; null for an unknown version or language. */
export function consentDigest(version: string, language: string): string | null {
  const digests = Object.hasOwn(CONSENT_DIGESTS, version) ? CONSENT_DIGESTS[version] : undefined;
  if (digests === undefined || !Object.hasOwn(digests, language)) return null;
  return digests[language as Language];
}
