/** The record of processing activities (Article 30 GDPR): facts in, rows out. What no setting says is a question, never an answer. */
import type { Paper, PaperRow, PaperSection } from '../../contract/console/papers.ts';
import type { Faces } from '../../contract/console/events.ts';
import { LANGUAGE_NAMES } from '../../contract/languages.ts';
import { type EventFacts, isPublicHost, type PaperFacts } from './facts.ts';
import { ask, fact, type Writing } from './rows.ts';

export function writeRecord(facts: PaperFacts, writing: Writing): Paper {
  const { words } = writing;
  const section = (id: 'who' | 'purposes' | 'people' | 'data' | 'recipients' | 'transfers' | 'measures') => ({
    id,
    title: words[id].title,
  });
  const sections: PaperSection[] = [
    { ...section('who'), rows: who(facts, writing) },
    { ...section('purposes'), rows: purposes(facts, writing) },
    { ...section('people'), rows: people(facts, writing) },
    { ...section('data'), rows: data(facts, writing) },
    { ...section('recipients'), rows: recipients(facts, writing) },
    { ...section('transfers'), rows: transfers(facts, writing) },
    { ...section('measures'), rows: measures(facts, writing) },
  ];
  return {
    title: words.title.record,
    article: words.article.record,
    notice: words.lawful,
    to_answer: words.toAnswer,
    sections,
  };
}

const who = ({ organiser, contact }: PaperFacts, { words: { who: words } }: Writing): PaperRow[] => [
  fact('controller', words.controller, [organiser], words.details),
  contact === null
    ? ask('contact', words.contact, words.contactMissing)
    : fact('contact', words.contact, [contact]),
];

export function purposes(facts: PaperFacts, writing: Writing): PaperRow[] {
  const words = writing.words.purposes;
  return [
    fact('check', words.check, [words.checkText]),
    ...facts.events.map((event) => fact(`event/${event.id}`, event.name, eventLines(event, facts, writing))),
    ...(facts.hasEarlierEvents ? [fact('earlier', words.earlier, [words.earlierText])] : []),
    ...(facts.keys === 0
      ? []
      : [fact('systems', words.systems, [words.systemsText({ count: facts.keys })], words.systemsQuestion)]),
    ...(facts.hasBlocks ? [fact('blocks', words.blocks, [words.blocksText])] : []),
    ask('basis', words.basis, words.basisQuestion),
  ];
}

function eventLines(
  { startsAt, endsAt, faces, facesDays, keepsCodes, fastLane, photoDays, ticketDays, codeDays }: EventFacts,
  { zone }: PaperFacts,
  { words, language }: Writing,
): (string | false)[] {
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone ?? 'UTC' });
  const { purposes: of, days } = words;
  const period = days({ days: facesDays });
  const how: Record<Faces, readonly string[]> = {
    event: [of.searchEvent({ period })],
    ticket: [of.searchTicket({ period }), keepsCodes === true ? of.codesKept : of.codesHashed],
    organiser: [of.search],
  };
  return [
    of.times({ from: dates.format(startsAt), to: dates.format(endsAt) }),
    ...how[faces ?? 'organiser'],
    fastLane && of.fastLane,
    photoDays !== null && of.photo({ period: days({ days: photoDays }) }),
    ticketDays !== null && of.tickets({ period: days({ days: ticketDays }) }),
    codeDays !== null && of.codes({ period: days({ days: codeDays }) }),
  ];
}

/** Faces of at least one event end with it. */
const hasOwnFaces = ({ events }: PaperFacts): boolean =>
  events.some(({ faces }) => faces === 'event' || faces === 'ticket');

const hasTickets = ({ events }: PaperFacts): boolean => events.some(({ ticketDays }) => ticketDays !== null);

function people(facts: PaperFacts, { words: { people: words } }: Writing): PaperRow[] {
  const { admins, reviewers, staff } = facts.operators;
  return [
    fact('guests', words.guests, [words.guestsText({ count: facts.guests })]),
    ...(hasTickets(facts) ? [fact('holders', words.holders, [words.holdersText])] : []),
    fact('staff', words.staff, [words.staffText({ admins, reviewers, staff })]),
    ask('weak', words.weak, words.weakQuestion),
  ];
}

function data(facts: PaperFacts, { words: { data: words, days } }: Writing): PaperRow[] {
  const { recipients: to, events } = facts;
  const period = (name: keyof PaperFacts['days']) => ({ period: days({ days: facts.days[name] }) });
  const only = (isSo: boolean, row: PaperRow): PaperRow[] => (isSo ? [row] : []);
  return [
    fact('face', words.face, [words.faceText(period('faces')), hasOwnFaces(facts) && words.faceEvents]),
    fact('pictures', words.pictures, [words.picturesText(period('casePictures'))]),
    ...only(
      events.some(({ photoDays }) => photoDays !== null),
      fact('photo', words.photo, [words.photoText]),
    ),
    fact('details', words.details, [words.detailsText]),
    fact('consent', words.consent, [words.consentText]),
    fact('results', words.results, [words.resultsText], words.resultsQuestion),
    fact('unfinished', words.unfinished, [words.unfinishedText(period('unfinished'))]),
    fact('replay', words.replay, [words.replayText, facts.remembersFaces && words.replayFaces]),
    fact('codes', words.codes, [words.codesText]),
    ...only(hasTickets(facts), fact('tickets', words.tickets, [words.ticketsText])),
    ...only(
      to.some(({ kind }) => kind === 'webhook'),
      fact('calls', words.calls, [words.callsText(period('calls'))]),
    ),
    ...only(facts.hasBlocks, fact('blocks', words.blocks, [words.blocksText(period('blocks'))])),
    ...only(facts.hasRecordings, fact('recordings', words.recordings, [words.recordingsText])),
    ...only(facts.hasControls, fact('controls', words.controls, [words.controlsText])),
    fact('test', words.test, [words.testText(period('test'))]),
    fact('staff', words.staff, [words.staffText]),
    fact(
      'backups',
      words.backups,
      [backupLine(facts, words), hasOwnFaces(facts) && facts.engine === 'sqlite' && words.backupsEvents],
      words.backupsQuestion,
    ),
  ];
}

function backupLine({ engine, backups }: PaperFacts, words: Writing['words']['data']): string {
  if (engine === 'postgres') return words.backupsPostgres;
  const { isOn, keep, folder } = backups;
  return isOn ? words.backupsOn({ keep, folder }) : words.backupsOff;
}

function recipients(facts: PaperFacts, { words: { recipients: words } }: Writing): PaperRow[] {
  const rows = facts.recipients.map(({ kind, host }) => fact(`${kind}/${host}`, host, [words[kind]]));
  return [
    ...rows,
    ...(facts.keys === 0 ? [] : [fact('systems', words.systems, [words.systemsText])]),
    fact(
      'processors',
      words.processors,
      [rows.length === 0 && facts.keys === 0 && words.none, facts.hasMoreRecipients && words.more],
      words.processorsQuestion,
    ),
  ];
}

/** A public host is a question, because no address says where it is or who runs it. */
function transfers(facts: PaperFacts, { words: { transfers: words } }: Writing): PaperRow[] {
  const hosts = [...new Set(facts.recipients.map(({ host }) => host))];
  const open = hosts.filter(isPublicHost);
  if (open.length === 0) return [fact('private', words.title, [words.private], words.privateQuestion)];
  return open.map((host) => ask(`host/${host}`, host, words.publicQuestion));
}

export function measures(facts: PaperFacts, { words: { measures: words } }: Writing): PaperRow[] {
  return [
    fact('rest', words.rest, storedLines(facts, words)),
    fact('transit', words.transit, connectionLines(facts, words), isPlain(facts) ? words.httpQuestion : null),
    fact('access', words.access, accessLines(facts, words)),
    fact('log', words.log, [words.logText]),
    fact('deletion', words.deletion, [words.deletionText, hasOwnFaces(facts) && words.certificate]),
    fact('guests', words.guests, [
      words.guestsText({ languages: facts.languages.map((each) => LANGUAGE_NAMES[each]).join(', ') }),
    ]),
    ask('organisation', words.organisation, words.organisationQuestion),
  ];
}

type MeasureWords = Writing['words']['measures'];

const storedLines = ({ engine, keyKind, backups }: PaperFacts, words: MeasureWords): string[] =>
  engine === 'postgres'
    ? [words.restPostgres]
    : [
        words.restFile,
        keyKind === 'keychain' ? words.restKeychain : words.restKeyFile,
        words.backups,
        backups.hasPhrase ? words.phrase : words.noPhrase,
      ];

const isPlain = ({ network: { url, isLoopback } }: PaperFacts): boolean =>
  !isLoopback && url.startsWith('http:');

function connectionLines(facts: PaperFacts, words: MeasureWords): (string | false)[] {
  const { url, isLoopback, isConsoleOpen } = facts.network;
  const reached = isPlain(facts) ? words.http({ url }) : words.https({ url });
  return [
    isLoopback ? words.loopback : reached,
    isConsoleOpen ? words.consoleOpen : words.consoleClosed,
    facts.kiosks > 0 && words.kiosks({ count: facts.kiosks }),
  ];
}

function accessLines({ operators }: PaperFacts, words: MeasureWords): string[] {
  const { admins, reviewers, staff, protected: held } = operators;
  return [words.accessText, words.factors({ protected: held, count: admins + reviewers + staff })];
}
