/** Who comes when, and with which result: the demo's timeline, planned before anything is written. */
import type { Device } from '../../contract/flow.ts';
import type { Generation } from '../../contract/operations.ts';
import type { Reason } from '../../domain/settling/reasons.ts';
import { groupAt, visits } from './moments.ts';
import { guest, type Guest } from './names.ts';
import type { Dice } from './random.ts';
import type { DemoSize } from './size.ts';

export type PlannedPerson = Guest & {
  /** Number within the demo, from 0. */
  n: number;
  generation: Generation;
  group: string;
  lastSeenAt: number;
};

type RunEnd =
  | { state: 'settled'; status: 'approved' | 'denied'; reasons: Reason[]; score: number | null }
  | { state: 'expired' | 'cancelled' };

export type PlannedRun = {
  /** When it ended, or was abandoned. */
  at: number;
  startedAt: number;
  /** Null for a person who was never enrolled. */
  person: PlannedPerson | null;
  /** The person's first run, which enrols them. */
  isFirst: boolean;
  generation: Generation;
  group: string;
  /** Index into the demo's verifications. */
  verificationIndex: number;
  device: Device;
  language: string;
  attemptsUsed: number;
  end: RunEnd;
};

export type Timeline = { people: PlannedPerson[]; runs: PlannedRun[] };

const GROUPS = ['harbour-fri', 'harbour-sat', 'harbour-sun', 'members'];
/** The default verification, the box office's, the members' club's, the crew's. */
const VERIFICATION_WEIGHTS = [
  [0, 60],
  [1, 25],
  [2, 10],
  [3, 5],
] as const;
const DEVICES = [
  ['kiosk', 55],
  ['mobile', 40],
  ['desktop', 5],
] as const satisfies readonly (readonly [Device, number])[];
const LANGUAGES = [
  ['en', 60],
  ['de', 15],
  ['es', 15],
  ['fr', 10],
] as const;
/** Results of runs of people who have been here before. */
const RETURNS = [
  ['approved', 845],
  ['flagged', 25],
  ['known', 45],
  ['unknown', 45],
  ['given_up', 40],
] as const;
/** Denials with a known face, and one whose face was never measured well enough. */
const KNOWN_DENIALS: readonly (readonly [Reason[], number])[] = [
  [['collision'], 40],
  [['limit_reached'], 25],
  [['duplicate_account'], 15],
  [['collision', 'duplicate_account'], 10],
  [['pass_locked'], 10],
];
const UNKNOWN_DENIALS: readonly (readonly [Reason[], number])[] = [
  [['liveness_failed'], 55],
  [['declined'], 25],
  [['spoof_suspected'], 15],
  [['face_self_mismatch'], 5],
];
const SHORTEST_RUN_MS = 9_000;
const RUN_SPREAD_MS = 40_000;
/** Nobody passes twice within a day, because the earlier pass would apply. */
const APART_MS = 24 * 3_600_000;
const TRIES_TO_FIND_SOMEBODY = 6;
/** One in this many people came through v1, and one through v2. */
const CONNECT_EVERY = 12;

export function planTimeline(size: DemoSize, nowMs: number, dice: Dice): Timeline {
  const people: PlannedPerson[] = [];
  const runs = visits(size.runs, nowMs, dice).map((at, index): PlannedRun => {
    const known = Math.floor(((index + 1) * size.people) / size.runs);
    const isFirst = known > people.length;
    const person = isFirst ? newcomer(people, at, dice) : returning(people, at, dice);
    const run = planned(at, person, isFirst, dice);
    return { ...run, group: groupAt(at, nowMs, run.group) };
  });
  return { people, runs };
}

function newcomer(people: PlannedPerson[], at: number, dice: Dice): PlannedPerson {
  const n = people.length;
  const generation = n % CONNECT_EVERY === 3 ? 'v1' : n % CONNECT_EVERY === 9 ? 'v2' : 'v3';
  const person = { ...guest(n, dice), n, generation, group: dice.pick(GROUPS), lastSeenAt: at } as const;
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

function planned(at: number, person: PlannedPerson | null, isFirst: boolean, dice: Dice): PlannedRun {
  const ending = isFirst ? 'approved' : person ? dice.weighted(RETURNS) : 'unknown';
  const isKnown = ending === 'approved' || ending === 'flagged' || ending === 'known';
  if (person && isKnown) person.lastSeenAt = at;
  const end = endOf(ending, dice);
  const hasFailed = end.state === 'settled' && end.reasons.includes('liveness_failed');
  return {
    at,
    startedAt: at - SHORTEST_RUN_MS - dice.below(RUN_SPREAD_MS),
    person: isKnown ? person : null,
    isFirst,
    generation: person?.generation ?? 'v3',
    group: person?.group ?? dice.pick(GROUPS),
    verificationIndex: dice.weighted(VERIFICATION_WEIGHTS),
    device: dice.weighted(DEVICES),
    language: dice.weighted(LANGUAGES),
    attemptsUsed: hasFailed ? 3 : dice.chance(0.12) ? 1 : 0,
    end,
  };
}

function endOf(ending: (typeof RETURNS)[number][0], dice: Dice): RunEnd {
  const settled = (status: 'approved' | 'denied', reasons: Reason[], score: number | null): RunEnd => ({
    state: 'settled',
    status,
    reasons,
    score,
  });
  switch (ending) {
    case 'approved':
      return settled('approved', [], 2 + dice.below(25));
    case 'flagged':
      return settled('approved', ['collision'], 34 + dice.below(30));
    case 'known':
      return settled('denied', dice.weighted(KNOWN_DENIALS), 45 + dice.below(40));
    case 'unknown': {
      const reasons = dice.weighted(UNKNOWN_DENIALS);
      return settled('denied', reasons, reasons.includes('declined') ? null : 62 + dice.below(36));
    }
    case 'given_up':
      return { state: dice.chance(0.85) ? 'expired' : 'cancelled' };
  }
}
