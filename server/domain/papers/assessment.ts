/** The impact assessment (Article 35 GDPR): for each risk, the measures that hold here and the measured rates. The judgement is the organiser's. */
import type { Faces } from '../../contract/console/events.ts';
import type { Paper, PaperRow, PaperSection } from '../../contract/console/papers.ts';
import type { PaperFacts } from './facts.ts';
import { MEASURED, type Share } from './measured.ts';
import { measures, purposes } from './record.ts';
import { ask, fact, type Writing } from './rows.ts';

export function writeAssessment(facts: PaperFacts, writing: Writing): Paper {
  const { words } = writing;
  const sections: PaperSection[] = [
    { id: 'plan', title: words.plan.title, rows: plan(facts, writing) },
    { id: 'necessity', title: words.necessity.title, rows: necessity(facts, writing) },
    { id: 'risks', title: words.risks.title, rows: risks(facts, writing) },
    { id: 'opinions', title: words.opinions.title, rows: opinions(writing) },
  ];
  return {
    title: words.title.assessment,
    article: words.article.assessment,
    notice: words.lawful,
    to_answer: words.toAnswer,
    sections,
  };
}

function plan(facts: PaperFacts, writing: Writing): PaperRow[] {
  const { plan: words, people } = writing.words;
  return [
    // The legal basis is a question of necessity here.
    ...purposes(facts, writing).filter(({ id }) => id !== 'basis'),
    fact('scale', words.scale, [people.guestsText({ count: facts.guests })], words.scaleQuestion),
    fact('flow', words.flow, [words.flowText]),
  ];
}

function necessity({ days, events, keys }: PaperFacts, { words }: Writing): PaperRow[] {
  // Checks that other systems start belong to no event.
  const areFor = (wanted: Faces) => events.some(({ faces = 'organiser' }) => faces === wanted);
  const hasSearchAmongAll = keys > 0 || events.length === 0 || areFor('organiser');
  const { necessity: of, purposes: purpose, people } = words;
  const periods = {
    faces: words.days({ days: days.faces }),
    pictures: words.days({ days: days.casePictures }),
  };
  return [
    ask('need', of.need, of.needQuestion),
    fact(
      'search',
      of.search,
      [
        hasSearchAmongAll ? of.searchText : areFor('event') && of.searchEventText,
        areFor('ticket') && of.searchTicketText,
      ],
      of.searchQuestion,
    ),
    ask('basis', purpose.basis, purpose.basisQuestion),
    fact('periods', of.periods, [of.periodsText(periods)], of.periodsQuestion),
    fact('choice', of.choice, [of.choiceText], of.choiceQuestion),
    fact('rights', of.rights, [of.rightsText], of.rightsQuestion),
    ask('weak', people.weak, people.weakQuestion),
  ];
}

function risks(facts: PaperFacts, writing: Writing): PaperRow[] {
  const { words } = writing;
  const of = words.risks;
  const held = new Map(measures(facts, writing).map(({ id, lines }) => [id, lines]));
  const measure = (id: string): string[] => held.get(id) ?? [];
  const risk = (id: string, title: string, lines: readonly (string | false)[]) =>
    fact(id, title, lines, of.question);
  const { events, guests, recipients } = facts;
  // The server of the database holds faces, encrypted; its own row of the record says so.
  const hosts = recipients.flatMap(({ kind, host }) => (kind === 'database' ? [] : [host]));
  return [
    risk('alike', of.alike, [...matchLines(facts, writing), of.twins]),
    risk('groups', of.groups, [of.groupsText(MEASURED.groups)]),
    risk('attack', of.attack, attackLines(facts, writing)),
    ...(events.some(({ fastLane }) => fastLane)
      ? [risk('lane', of.lane, [of.laneText(MEASURED.oneToOne)])]
      : []),
    risk('theft', of.theft, [...measure('rest'), ...measure('transit'), of.theftText({ count: guests })]),
    ...(events.some(({ photoDays }) => photoDays !== null)
      ? [risk('photos', of.photos, [of.photosText])]
      : []),
    risk('late', of.late, measure('deletion')),
    risk('insiders', of.insiders, [...measure('access'), ...measure('log'), of.insidersText]),
    risk('other', of.other, [of.otherText, facts.hasBlocks && words.purposes.blocksText]),
    ...(hosts.length === 0
      ? []
      : [risk('passedOn', of.passedOn, [of.passedOnText({ hosts: [...new Set(hosts)].join(', ') })])]),
  ];
}

const shareIn = ({ words }: Writing, share: Share): string => words.share(share);

function matchLines({ guests, matching, verifications }: PaperFacts, { words, language }: Writing): string[] {
  const of = words.risks;
  const number = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
  const { count, reviewed } = verifications;
  return [
    of.expected({
      count: guests,
      near: number.format(matching.expectedNear),
      same: number.format(matching.expectedSame),
    }),
    of.found(MEASURED.newPeople),
    of.reviewed({ some: reviewed, count }),
  ];
}

function attackLines({ verifications }: PaperFacts, writing: Writing): string[] {
  const of = writing.words.risks;
  const { count, kioskOnly, strict } = verifications;
  return [
    of.uncertified,
    of.attackRates({
      standard: shareIn(writing, MEASURED.attacks.standard),
      strict: shareIn(writing, MEASURED.attacks.strict),
    }),
    of.genuine({ refused: shareIn(writing, MEASURED.genuineRefused) }),
    of.script({ some: kioskOnly, count }),
    of.strict({ some: strict, count }),
  ];
}

const opinions = ({ words: { opinions: words } }: Writing): PaperRow[] => [
  ask('officer', words.officer, words.officerQuestion),
  ask('guests', words.guests, words.guestsQuestion),
  ask('authority', words.authority, words.authorityQuestion),
  ask('decision', words.decision, words.decisionQuestion),
];
