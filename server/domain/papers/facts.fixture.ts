import type { PaperFacts } from './facts.ts';

const NOON = Date.UTC(2030, 4, 15, 12);
const HOUR_MS = 3_600_000;

/** A venue with one event that has changed no setting. */
export const paperFacts = (own: Partial<PaperFacts> = {}): PaperFacts => ({
  organiser: 'Blue Room',
  contact: 'privacy@blue.example',
  zone: null,
  languages: ['en', 'de'],
  events: [
    {
      id: 'gala',
      name: 'Gala',
      startsAt: NOON,
      endsAt: NOON + 8 * HOUR_MS,
      faces: 'organiser',
      facesDays: 1,
      keepsCodes: false,
      codeDays: null,
      fastLane: false,
      photoDays: null,
      ticketDays: null,
    },
  ],
  hasEarlierEvents: false,
  verifications: { count: 1, kioskOnly: 0, strict: 0, reviewed: 0 },
  matching: { expectedNear: 0.0033, expectedSame: 0.00009 },
  keys: 0,
  guests: 100,
  hasBlocks: false,
  hasControls: false,
  hasRecordings: false,
  operators: { admins: 1, reviewers: 0, staff: 2, protected: 1 },
  days: { faces: 365, casePictures: 30, unfinished: 90, calls: 90, blocks: 366, test: 30 },
  remembersFaces: false,
  recipients: [],
  hasMoreRecipients: false,
  engine: 'sqlite',
  keyKind: 'key_file',
  backups: { isOn: true, keep: 7, folder: '/backups', hasPhrase: false },
  network: { url: 'http://127.0.0.1:4180', isLoopback: true, isConsoleOpen: false },
  kiosks: 0,
  ...own,
});
