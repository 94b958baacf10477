/** Cases of the demo: some are waiting for a reviewer, more have been decided. Their pictures are drawings. */
import type { Reason } from '../../domain/settling/reasons.ts';
import { insertCaseFrames } from '../../store/reviews/case-frames.ts';
import { insertReviewNote } from '../../store/reviews/notes.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { type Decision, findCase, insertCase, type ReviewCase } from '../../store/reviews/cases.ts';
import { settleCase } from '../reviews/reviews.ts';
import { newId } from '../ports/ids.ts';
import type { DemoEvent, DemoTenant } from './tenant.ts';
import { demoFace, type DrawnFrame, drawnFrames, likeFace } from './faces.ts';
import type { PlannedPerson, Timeline } from './plan.ts';
import { guest } from './names.ts';
import type { Dice } from './random.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { blankSession, type KnownPeople, writeRunEvents, writeSession } from './runs.ts';
import type { DemoSize } from './size.ts';
import type { Counted } from './usage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Maximum age of waiting cases; decided ones are spread over the last weeks. */
const OPEN_SINCE_MS = 20 * 3_600_000;
const DECIDED_SINCE_MS = 28 * DAY_MS;
/** Longer than any of them waited. */
const DECIDED_AGO_MS = 90 * MINUTE_MS;
/** Number of different synthetic people on the pictures. */
const DRAWN_PEOPLE = 16;
/** Between a relative's similarity and a bad picture of the same person. */
const LEAST_COSINE = 0.44;
const COSINE_SPREAD = 0.3;

const FINDINGS: readonly (readonly [Reason[], number])[] = [
  [['collision'], 45],
  [['duplicate_account'], 20],
  [['collision', 'duplicate_account'], 20],
  [['linked_denial'], 15],
];
const DECISIONS = [
  ['same_person', 45],
  ['different_people', 40],
  ['same_person_allow', 15],
] as const satisfies readonly (readonly [Decision, number])[];
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

type PlannedCase = {
  openedAt: number;
  decided: { at: number; decision: Decision; reason: string } | null;
  suspects: PlannedPerson[];
  reasons: Reason[];
  cosine: number;
  looksLike: number;
  note: string | null;
  claimant: ReturnType<typeof guest>;
  group: string;
  enrolmentDice: Dice;
};

/** Events that open the cases and, if they are decided, decide them. */
export async function caseEvents(
  tenant: DemoTenant,
  {
    size,
    timeline,
    known,
    nowMs,
    dice,
  }: { size: DemoSize; timeline: Timeline; known: KnownPeople; nowMs: number; dice: Dice },
): Promise<{ demoEvents: DemoEvent[]; counted: Counted[] }> {
  const pictures = await Promise.all(Array.from({ length: DRAWN_PEOPLE }, (_, n) => drawnFrames(n)));
  const total = size.openCases + size.decidedCases;
  const planned = Array.from({ length: total }, (_, index) =>
    plannedCase({ index, isOpen: index < size.openCases, size, timeline, nowMs, dice }),
  );
  return {
    demoEvents: planned.flatMap((one) => demoEventsOf(tenant, one, known, pictures)),
    // A run that goes to review is counted at that time.
    counted: planned.map(({ openedAt: at, group }) => ({
      ...{ at, group, outcome: 'review' },
      verificationId: tenant.verificationIds[0] ?? '',
    })),
  };
}

function plannedCase(of: {
  index: number;
  isOpen: boolean;
  size: DemoSize;
  timeline: Timeline;
  nowMs: number;
  dice: Dice;
}): PlannedCase {
  const { index, isOpen, size, timeline, nowMs, dice } = of;
  const share = isOpen ? (index + 1) / size.openCases : (index - size.openCases + 1) / size.decidedCases;
  // Most waiting cases are recent.
  const ageMs = isOpen
    ? 4 * MINUTE_MS + OPEN_SINCE_MS * share ** 3
    : DECIDED_AGO_MS + DECIDED_SINCE_MS * share ** 2;
  const openedAt = Math.floor(nowMs - ageMs);
  const there = timeline.people.filter(
    (person) => timeline.runs.length === 0 || person.lastSeenAt < openedAt,
  );
  const suspects = [dice.pick(there.length > 0 ? there : timeline.people)];
  if (dice.chance(0.2)) suspects.push(dice.pick(timeline.people));
  const decision = dice.weighted(DECISIONS);
  const decidedAt = openedAt + (3 + dice.below(80)) * MINUTE_MS;
  return {
    openedAt,
    decided: isOpen ? null : { at: decidedAt, decision, reason: dice.pick(WORDS[decision]) },
    suspects: suspects.filter((person, n) => suspects.indexOf(person) === n),
    reasons: dice.weighted(FINDINGS),
    cosine: LEAST_COSINE + dice.next() * COSINE_SPREAD,
    looksLike: dice.below(DRAWN_PEOPLE),
    note: dice.chance(0.3) ? dice.pick(NOTES) : null,
    claimant: guest(size.people + index, dice),
    group: suspects[0]?.group ?? '',
    enrolmentDice: dice,
  };
}

function demoEventsOf(
  tenant: DemoTenant,
  planned: PlannedCase,
  known: KnownPeople,
  pictures: readonly DrawnFrame[][],
): DemoEvent[] {
  let written: ReviewCase | undefined;
  const open: DemoEvent = {
    at: planned.openedAt,
    async write(tx) {
      written = await openCase(tx, tenant, planned, known);
      await keepPictures(tx, tenant, written, planned, pictures);
    },
  };
  const { decided } = planned;
  if (!decided) return [open];
  return [
    open,
    {
      at: decided.at,
      async write(tx) {
        const { companyId } = tenant.live;
        const opened = written && (await findCase(tx, companyId, written.id));
        if (!opened) throw new Error('A case is decided after it was opened.');
        const { at, decision, reason } = decided;
        await settleCase(tx, opened, { decision, reason, actor: tenant.reviewer.actor }, at);
      },
    },
  ];
}

async function openCase(
  tx: SqlTx,
  tenant: DemoTenant,
  planned: PlannedCase,
  known: KnownPeople,
): Promise<ReviewCase> {
  const { openedAt: at, suspects, claimant, group } = planned;
  const startedAt = at - MINUTE_MS / 2;
  const blank = blankSession(tenant, { startedAt, generation: 'v3', group, verificationIndex: 0 });
  const request = { ...blank.request, externalId: claimant.externalId, metadata: claimant.metadata };
  const passId = newId(at);
  const run = { at, device: 'kiosk', language: 'en', attemptsUsed: 0 } as const;
  await writeSession(tx, { ...blank, request }, run, { state: 'in_review', passId });
  const score = 30 + planned.enrolmentDice.below(40);
  await writeRunEvents(tx, blank, run, { score });
  const face = demoFace(suspects[0]?.n ?? 0, tenant.model.embeddingLength);
  const suspectIds = suspects.flatMap(({ n }) => known.get(n)?.personId ?? []);
  const opened: ReviewCase = {
    id: newId(at),
    sessionId: blank.id,
    passId,
    reasons: planned.reasons,
    groups: planned.reasons.includes('duplicate_account') ? [] : [group],
    suspectIds,
    enrolment: {
      kind: 'template',
      model: tenant.model.id,
      vector: likeFace(face, planned.cosine, planned.enrolmentDice),
      quality: 0.85,
    },
    score,
    likeness: {
      similarities: suspectIds.map((_, n) => (n === 0 ? planned.cosine : LEAST_COSINE)),
      near: tenant.model.thresholds.near,
      same: tenant.model.thresholds.samePerson,
    },
    openedAt: at,
  };
  await insertCase(tx, tenant.live, opened);
  await appendAudit(tx, {
    ...tenant.live,
    at,
    actor: 'system',
    action: 'review.open',
    subject: blank.verificationId,
    details: {
      case_id: opened.id,
      reasons: opened.reasons,
    },
  });
  return opened;
}

async function keepPictures(
  tx: SqlTx,
  tenant: DemoTenant,
  opened: ReviewCase,
  { looksLike, note }: PlannedCase,
  pictures: readonly DrawnFrame[][],
): Promise<void> {
  const frames = (pictures[looksLike] ?? []).map((drawn, idx) => ({
    ...drawn,
    takenAt: opened.openedAt - (10 - idx) * 1_000,
  }));
  await insertCaseFrames(tx, tenant.live, opened.id, frames);
  if (note === null) return;
  const at = opened.openedAt + 2 * MINUTE_MS;
  const by = tenant.reviewer.id;
  await insertReviewNote(tx, tenant.live, {
    id: newId(at),
    caseId: opened.id,
    operatorId: by,
    text: note,
    at,
  });
}
