/** The demo's table: who comes when, and with which result. It is planned before anything is written. */
import type { Device } from '../../contract/flow.ts';
import type { Generation } from '../../contract/operations.ts';
import type { Metadata } from '../../domain/runs/session-request.ts';
import type { Outcome } from '../../domain/settling/settle.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import type { Partition } from '../../domain/scope.ts';
import type { Decision } from '../../store/reviews/cases.ts';
import { SESSION_ATTEMPTS } from '../runs/sessions/sessions.ts';
import { groupAt, visits } from './moments.ts';
import { guest } from './names.ts';
import type { Dice } from './random.ts';
import type { DemoSize } from './size.ts';

export type PlannedPerson = {
  externalId: string;
  metadata: Metadata;
  generation: Generation;
  group: string;
  /** A test face has a name, any other a number within the demo. */
  face: string | number;
  /** Given at the first visit. */
  contact: { phone: string; email: string } | null;
  lastSeenAt: number;
};

/** What a reviewer gets to see and, unless it waits, decides. */
export type PlannedCase = {
  suspects: readonly PlannedPerson[];
  cosine: number;
  looksLike: number;
  note: string | null;
  decided: { at: number; decision: Decision; reason: string } | null;
};

export type Visit = {
  partition: Partition;
  /** When it ended, or was abandoned. */
  at: number;
  startedAt: number;
  /** Null for a person who was never enrolled. */
  person: PlannedPerson | null;
  /** The person's first visit, which enrols them. */
  isFirst: boolean;
  /** Index into the demo's verifications. */
  verificationIndex: number;
  generation: Generation;
  group: string;
  device: Device;
  language: string;
  attemptsUsed: number;
  /** Null if nothing was measured. */
  score: number | null;
  end: 'expired' | 'cancelled' | Extract<Outcome, { kind: 'settle' | 'review' }>;
  review?: PlannedCase;
};

type Share<T> = readonly (readonly [T, number])[];

const GROUPS = ['harbour-fri', 'harbour-sat', 'harbour-sun', 'members'];
/** The default verification, the box office's, the members' club's, the crew's. */
const VERIFICATIONS = [60, 25, 10, 5];
const DEVICES = { kiosk: 55, mobile: 40, desktop: 5 };
const LANGUAGES = { en: 60, de: 15, es: 15, fr: 10 };
/** Results of visits of people who have been here before. */
const RETURNS = { approved: 845, flagged: 25, known: 45, unknown: 45, given_up: 40 };
/** Denials with a known face, and those whose face was never measured well enough. */
const KNOWN_DENIALS: Share<Reason[]> = [
  [['collision'], 40],
  [['limit_reached'], 25],
  [['duplicate_account'], 15],
  [['collision', 'duplicate_account'], 10],
  [['pass_locked'], 10],
];
const UNKNOWN_DENIALS: Share<Reason[]> = [
  [['liveness_failed'], 55],
  [['declined'], 25],
  [['spoof_suspected'], 15],
  [['face_self_mismatch'], 5],
];
const CASES: Share<Extract<Outcome, { kind: 'review' }>['reasons']> = [
  [['collision'], 45],
  [['duplicate_account'], 20],
  [['collision', 'duplicate_account'], 20],
  [['linked_denial'], 15],
];
const DECISIONS = { same_person: 45, different_people: 40, same_person_allow: 15 };
const WORDS: Record<Decision, readonly string[]> = {
  same_person: [
    'Same scar over the left eyebrow on both pictures.',
    'Same person, second ticket under another name.',
    'Asked at the door: they lent their ticket and came again.',
  ],
  different_people: [
    'Sisters. Shown both passports at the door.',
    'Different ear shape and a clear age difference.',
    'Not alike in profile.',
  ],
  same_person_allow: [
    'Crew member with two badges, confirmed by the production office.',
    'Ticket was transferred after an illness, agreed with the box office.',
  ],
};
const NOTES = [
  'Asked the steward at gate 2 to wait with them.',
  'The box office looks up the order.',
  'Second look, please: the light at kiosk 3 is poor.',
];
const TEST_FACES = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi'];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SHORTEST_RUN_MS = 9_000;
const RUN_SPREAD_MS = 40_000;
/** Nobody passes twice within a day, because the earlier pass would apply. */
const APART_MS = DAY_MS;
const TRIES_TO_FIND_SOMEBODY = 6;
/** One in this many people came through v1, and one through v2. */
const CONNECT_EVERY = 12;
/** Maximum age of waiting cases; decided ones are spread over the last weeks, and none of those waited longer than this. */
const OPEN_SINCE_MS = 20 * 3_600_000;
const DECIDED_SINCE_MS = 28 * DAY_MS;
const DECIDED_AGO_MS = 90 * MINUTE_MS;
/** Number of different synthetic people on the pictures. */
export const DRAWN_PEOPLE = 16;
/** Between a relative's similarity and a bad picture of the same person. */
export const LEAST_COSINE = 0.44;
const COSINE_SPREAD = 0.3;
/** Integrators tested within the last weeks. */
const TESTED_SINCE_MS = 21 * DAY_MS;
const TEST_RUN_MS = 6_000;

/** Every visit of the demo's past, in no order. */
export function planVisits(size: DemoSize, nowMs: number, dice: Dice): Visit[] {
  const people: PlannedPerson[] = [];
  const live = visits(size.runs, nowMs, dice).map((at, index) => {
    const known = Math.floor(((index + 1) * size.people) / size.runs);
    const isFirst = known > people.length;
    const visit = visitAt(
      at,
      isFirst ? newcomer(people, at, dice) : returning(people, at, dice),
      isFirst,
      dice,
    );
    return { ...visit, group: groupAt(at, nowMs, visit.group) };
  });
  return [
    ...live,
    ...Array.from({ length: size.openCases }, (_, n) => {
      // Most waiting cases are recent.
      const ageMs = 4 * MINUTE_MS + OPEN_SINCE_MS * ((n + 1) / size.openCases) ** 3;
      return caseVisit(size.people + n, { at: nowMs - ageMs, isOpen: true }, people, dice);
    }),
    ...Array.from({ length: size.decidedCases }, (_, n) => {
      const ageMs = DECIDED_AGO_MS + DECIDED_SINCE_MS * ((n + 1) / size.decidedCases) ** 2;
      const place = size.people + size.openCases + n;
      return caseVisit(place, { at: nowMs - ageMs, isOpen: false }, people, dice);
    }),
    ...testVisits(size.testRuns, nowMs, dice),
  ];
}

function newcomer(people: PlannedPerson[], at: number, dice: Dice): PlannedPerson {
  const n = people.length;
  const generation = n % CONNECT_EVERY === 3 ? 'v1' : n % CONNECT_EVERY === 9 ? 'v2' : 'v3';
  const person = {
    ...guest(n, dice),
    face: n,
    generation,
    group: dice.pick(GROUPS),
    lastSeenAt: at,
  } as const;
  people.push(person);
  return person;
}

function returning(people: PlannedPerson[], at: number, dice: Dice): PlannedPerson | null {
  for (let tries = 0; tries < TRIES_TO_FIND_SOMEBODY && people.length > 0; tries++) {
    const person = dice.pick(people);
    if (at - person.lastSeenAt >= APART_MS) return person;
  }
  return null;
}

function visitAt(at: number, person: PlannedPerson | null, isFirst: boolean, dice: Dice): Visit {
  const ending = isFirst ? 'approved' : person ? dice.share(RETURNS) : 'unknown';
  const isKnown = ending === 'approved' || ending === 'flagged' || ending === 'known';
  if (person && isKnown) person.lastSeenAt = at;
  const group = person?.group ?? dice.pick(GROUPS);
  const { end, score } = endOf(ending, group, dice);
  const hasFailed =
    typeof end === 'object' && end.kind === 'settle' && end.reasons.includes('liveness_failed');
  return {
    partition: 'live',
    at,
    startedAt: at - SHORTEST_RUN_MS - dice.below(RUN_SPREAD_MS),
    person: isKnown ? person : null,
    isFirst,
    generation: person?.generation ?? 'v3',
    group,
    verificationIndex: dice.weighted(VERIFICATIONS.map((share, index) => [index, share])),
    device: dice.share(DEVICES),
    language: dice.share(LANGUAGES),
    attemptsUsed: hasFailed ? SESSION_ATTEMPTS : dice.chance(0.12) ? 1 : 0,
    score,
    end,
  };
}

function endOf(ending: keyof typeof RETURNS, group: string, dice: Dice): Pick<Visit, 'end' | 'score'> {
  switch (ending) {
    case 'approved':
      return { end: verdict('approved', [], group), score: 2 + dice.below(25) };
    case 'flagged':
      return { end: verdict('approved', ['collision'], group), score: 34 + dice.below(30) };
    case 'known':
      return { end: verdict('denied', dice.weighted(KNOWN_DENIALS), group), score: 45 + dice.below(40) };
    case 'unknown': {
      const reasons = dice.weighted(UNKNOWN_DENIALS);
      return {
        end: verdict('denied', reasons, group),
        score: reasons.includes('declined') ? null : 62 + dice.below(36),
      };
    }
    case 'given_up':
      return { end: dice.chance(0.85) ? 'expired' : 'cancelled', score: null };
  }
}

function verdict(status: 'approved' | 'denied', reasons: Reason[], group: string): Visit['end'] {
  const declined = reasons.includes('declined');
  const groups = reasons.includes('collision') ? [group] : [];
  return { kind: 'settle', status, reasons, groups, declined, metered: !declined };
}

/** Somebody new who looks like people who have been here. */
function caseVisit(
  n: number,
  { at, isOpen }: { at: number; isOpen: boolean },
  people: readonly PlannedPerson[],
  dice: Dice,
): Visit {
  const openedAt = Math.floor(at);
  const there = people.filter(({ lastSeenAt }) => lastSeenAt < openedAt);
  const suspects = [dice.pick(there.length > 0 ? there : people)];
  if (dice.chance(0.2)) suspects.push(dice.pick(people));
  const group = suspects[0]?.group ?? '';
  const decision = dice.share(DECISIONS);
  const decidedAt = openedAt + (3 + dice.below(80)) * MINUTE_MS;
  const reasons = dice.weighted(CASES);
  return {
    partition: 'live',
    at: openedAt,
    startedAt: openedAt - MINUTE_MS / 2,
    person: { ...guest(n, dice), contact: null, face: n, generation: 'v3', group, lastSeenAt: openedAt },
    isFirst: true,
    generation: 'v3',
    group,
    verificationIndex: 0,
    device: 'kiosk',
    language: 'en',
    attemptsUsed: 0,
    score: 30 + dice.below(40),
    // The people of the suspects are known once they are written.
    end: {
      kind: 'review',
      reasons,
      groups: reasons.includes('duplicate_account') ? [] : [group],
      suspectIds: [],
    },
    review: {
      suspects: [...new Set(suspects)],
      cosine: LEAST_COSINE + dice.next() * COSINE_SPREAD,
      looksLike: dice.below(DRAWN_PEOPLE),
      note: dice.chance(0.3) ? dice.pick(NOTES) : null,
      decided: isOpen ? null : { at: decidedAt, decision, reason: dice.pick(WORDS[decision]) },
    },
  };
}

/** What an integrator would have left in the test partition. */
function testVisits(count: number, nowMs: number, dice: Dice): Visit[] {
  const people = TEST_FACES.map((face): PlannedPerson => {
    const own = {
      externalId: `test-${face}`,
      metadata: { name: face },
      generation: 'v3',
      group: 'trial',
    } as const;
    return { ...own, face, contact: null, lastSeenAt: 0 };
  });
  const moments = Array.from({ length: count }, () => nowMs - dice.below(TESTED_SINCE_MS)).sort(
    (a, b) => a - b,
  );
  return moments.map((at): Visit => {
    const person = dice.pick(people);
    const isFirst = person.lastSeenAt === 0;
    const isDenied = dice.chance(0.2) && !isFirst;
    if (!isDenied) person.lastSeenAt = at;
    return {
      partition: 'test',
      at,
      startedAt: at - TEST_RUN_MS,
      person,
      isFirst,
      generation: 'v3',
      group: person.group,
      verificationIndex: 1,
      device: 'desktop',
      language: 'en',
      attemptsUsed: isDenied ? SESSION_ATTEMPTS : 0,
      score: isDenied ? 80 : 8,
      end: verdict(isDenied ? 'denied' : 'approved', isDenied ? ['liveness_failed'] : [], person.group),
    };
  });
}
