/** What the privacy papers are written from: the settings in force. No secret, and nothing of a guest. */
import type { Faces } from '../../contract/console/events.ts';
import type { Language } from '../../contract/languages.ts';
import { isLocalOrPrivateHost } from '../address.ts';

export type EventFacts = {
  id: string;
  name: string;
  /** Epoch milliseconds. */
  startsAt: number;
  endsAt: number;
  /** What its faces are for; undefined in what a version kept that had no such choice. */
  faces: Faces | undefined;
  /** Days after its end for which they are kept, unless they are the organiser's. */
  facesDays: number;
  /** A ticketing system has to be told the codes of its tickets. Undefined as above. */
  keepsCodes: boolean | undefined;
  /** Days after its end for which it is kept whose a one-use code is; null if none were given. */
  codeDays: number | null;
  fastLane: boolean;
  /** Days after its end for which a photo of each guest is kept; null for none. */
  photoDays: number | null;
  /** Days after its end for which names and codes of tickets are kept; null without tickets. */
  ticketDays: number | null;
};

export const RECIPIENT_KINDS = [
  'webhook',
  'site',
  'sms',
  'tickets',
  'audit',
  'provider',
  'database',
] as const;
type RecipientKind = (typeof RECIPIENT_KINDS)[number];
export type Recipient = { kind: RecipientKind; host: string };

/** Stored with kept papers: a fact that is added later is missing in those. */
export type PaperFacts = {
  organiser: string;
  /** Whom guests ask about their data. */
  contact: string | null;
  /** IANA name of the venue's zone. */
  zone: string | null;
  /** Those offered to guests. */
  languages: readonly Language[];
  /** The latest start first. */
  events: readonly EventFacts[];
  /** There were events before those. */
  hasEarlierEvents: boolean;
  /** How many there are, and how many accept only signed pictures, run in strict mode, or send matches to a reviewer. */
  verifications: { count: number; kioskOnly: number; strict: number; reviewed: number };
  /** Wrong candidates that a search for somebody new finds on average among `guests` people. */
  matching: { expectedNear: number; expectedSame: number };
  /** Pairs of keys that have been used. */
  keys: number;
  /** An upper bound of the number of people enrolled. */
  guests: number;
  hasBlocks: boolean;
  hasControls: boolean;
  hasRecordings: boolean;
  /** Who can sign in; `protected`: with a second factor or a passkey. */
  operators: { admins: number; reviewers: number; staff: number; protected: number };
  /** How long what is kept. */
  days: {
    faces: number;
    casePictures: number;
    unfinished: number;
    calls: number;
    blocks: number;
    test: number;
  };
  /** Faces of single pictures are kept for a day, against recordings. */
  remembersFaces: boolean;
  recipients: readonly Recipient[];
  /** Some of a kind are left out, because there are too many. */
  hasMoreRecipients: boolean;
  engine: 'sqlite' | 'postgres';
  keyKind: 'key_file' | 'keychain';
  backups: { isOn: boolean; keep: number; folder: string; hasPhrase: boolean };
  network: { url: string; isLoopback: boolean; isConsoleOpen: boolean };
  /** Paired ones that sign their pictures. */
  kiosks: number;
};

/** Names that no public server of names resolves. */
const OWN_NAMES = /(^|\.)(local|lan|internal|home\.arpa)$/i;

/** Whether a host is one of the internet, as far as its name says. */
export function isPublicHost(host: string): boolean {
  const isQualified = host.includes('.') || host.includes(':');
  return isQualified && !isLocalOrPrivateHost(host) && !OWN_NAMES.test(host);
}

const STEPS = [1, 2, 5] as const;

/** The next of 100, 200, 500, 1,000 and so on: a number of people that changes only when their order of magnitude does. */
export function upperBound(count: number): number {
  for (let decade = 100; ; decade *= 10) {
    const step = STEPS.find((each) => each * decade >= count);
    if (step !== undefined) return step * decade;
  }
}
