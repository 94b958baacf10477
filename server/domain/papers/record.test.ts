import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../locales/node.ts';
import type { Paper, PaperRow } from '../../contract/console/papers.ts';
import { LANGUAGES, type Language } from '../../contract/languages.ts';
import { paperFacts } from './facts.fixture.ts';
import { isPublicHost, type PaperFacts, upperBound } from './facts.ts';
import { writeRecord } from './record.ts';

const written = (facts: PaperFacts, language: Language = 'en'): Paper =>
  writeRecord(facts, { words: messagesOf('papers', language), language });

const rowsOf = ({ sections }: Paper): Map<string, PaperRow> =>
  new Map(sections.flatMap(({ id, rows }) => rows.map((row) => [`${id}.${row.id}`, row] as const)));

const row = (facts: PaperFacts, name: string): PaperRow | undefined => rowsOf(written(facts)).get(name);

describe('the record of processing', () => {
  it('says how long each kind of data is kept, and names no kind that the settings do not keep', () => {
    const few = paperFacts();
    expect(row(few, 'data.face')?.lines[0]).toContain('Deleted 365 days after the last visit');
    expect(row(few, 'data.pictures')?.lines[0]).toContain('Deleted 30 days after');
    const optional = ['photo', 'tickets', 'calls', 'blocks', 'recordings', 'controls'];
    for (const id of optional) expect(row(few, `data.${id}`), id).toBeUndefined();
    expect(row(few, 'data.replay')?.lines).toHaveLength(1);
    const [event] = few.events;
    const all = paperFacts({
      events: [{ ...event!, photoDays: 7, ticketDays: 30, fastLane: true }],
      recipients: [{ kind: 'webhook', host: 'hooks.example.org' }],
      hasBlocks: true,
      hasControls: true,
      hasRecordings: true,
      remembersFaces: true,
    });
    for (const id of optional) expect(row(all, `data.${id}`), id).toBeDefined();
    expect(row(all, 'data.replay')?.lines).toHaveLength(2);
    expect(row(all, 'people.holders')).toBeDefined();
  });

  it('names each event with its dates at the venue, and what the event adds', () => {
    const [event] = paperFacts().events;
    const facts = (more: object) =>
      paperFacts({ zone: 'Pacific/Auckland', events: [{ ...event!, ...more }] });
    expect(row(facts({}), 'purposes.event/gala')).toMatchObject({
      title: 'Gala',
      lines: ['May 16, 2030 to May 16, 2030.', expect.stringContaining('one to many')],
    });
    const lines = row(facts({ fastLane: true, photoDays: 7, ticketDays: 1 }), 'purposes.event/gala')?.lines;
    expect(lines).toHaveLength(5);
    expect(lines?.at(-1)).toContain('until 1 day after');
  });

  it('says of an event whose faces end with it that they are searched for in it alone, and end', () => {
    const [event] = paperFacts().events;
    const facts = paperFacts({ events: [{ ...event!, faces: 'event', facesDays: 1, codeDays: 30 }] });
    const lines = row(facts, 'purposes.event/gala')?.lines.join(' ');
    expect(lines).toContain('among those of this event only (one to many), and deleted 1 day after');
    expect(lines).toContain('one-use code');
    expect(row(facts, 'data.face')?.lines).toHaveLength(2);
    expect(row(facts, 'data.backups')?.lines[1]).toContain('a fresh backup replaces');
    expect(row(facts, 'measures.deletion')?.lines.join(' ')).toContain('certificate');
    expect(row(paperFacts(), 'measures.deletion')?.lines.join(' ')).not.toContain('certificate');
  });

  it('says of an event that seals faces that nothing is searched, and whether the codes are kept', () => {
    const [event] = paperFacts().events;
    const facts = (keepsCodes: boolean) =>
      paperFacts({ events: [{ ...event!, faces: 'ticket', facesDays: 1, keepsCodes }] });
    const lines = (keepsCodes: boolean) => row(facts(keepsCodes), 'purposes.event/gala')?.lines.join(' ');
    expect(lines(false)).toContain('(one to one), and deleted 1 day after');
    expect(lines(false)).toContain('one person can hold several tickets');
    expect(lines(false)).toContain('only a keyed hash (HMAC) is kept');
    expect(lines(true)).toContain('can open the faces');
    expect(row(facts(false), 'measures.deletion')?.lines.join(' ')).toContain('certificate');
  });

  it('names as recipients what is set, and says so where nothing is', () => {
    expect(row(paperFacts(), 'recipients.processors')?.lines).toEqual([
      'No other system is set to receive data.',
    ]);
    const set = paperFacts({ keys: 2, recipients: [{ kind: 'sms', host: 'api.sms.example' }] });
    expect(row(set, 'recipients.sms/api.sms.example')?.lines[0]).toContain('Phone numbers');
    expect(row(set, 'recipients.systems')).toBeDefined();
    expect(row(set, 'recipients.processors')?.lines).toEqual([]);
    const many = row({ ...set, hasMoreRecipients: true }, 'recipients.processors');
    expect(many?.lines[0]).toContain('than are listed here');
  });

  it('asks about each public host, and answers nothing about it', () => {
    const facts = paperFacts({
      recipients: [
        { kind: 'webhook', host: 'hooks.example.org' },
        { kind: 'audit', host: 'siem.lan' },
        { kind: 'database', host: '10.0.0.7' },
      ],
    });
    expect([...rowsOf(written(facts)).keys()].filter((id) => id.startsWith('transfers.'))).toEqual([
      'transfers.host/hooks.example.org',
    ]);
    const asked = row(facts, 'transfers.host/hooks.example.org');
    expect([asked?.lines, asked?.question?.includes('in which country')]).toEqual([[], true]);
    expect(row(paperFacts(), 'transfers.private')?.lines).toHaveLength(1);
  });

  it('leaves every question of law to the organiser', () => {
    const paper = rowsOf(written(paperFacts({ contact: null })));
    for (const id of ['purposes.basis', 'people.weak', 'measures.organisation', 'who.contact'])
      expect([id, paper.get(id)?.lines, paper.get(id)?.question === null]).toEqual([id, [], false]);
  });

  it('claims only the measures that hold here', () => {
    const lines = (facts: Partial<PaperFacts>, id: string) =>
      row(paperFacts(facts), `measures.${id}`)?.lines.join(' ');
    expect(lines({}, 'rest')).toContain('encrypted as a whole');
    expect(lines({}, 'rest')).toContain('no recovery phrase');
    expect(lines({ engine: 'postgres' }, 'rest')).not.toContain('encrypted as a whole');
    expect(lines({}, 'transit')).toContain('Only this machine');
    const open = { url: 'http://10.0.0.5:4180', isLoopback: false, isConsoleOpen: true };
    expect(lines({ network: open }, 'transit')).toContain('without encryption');
    expect(row(paperFacts({ network: open }), 'measures.transit')?.question).not.toBeNull();
    expect(lines({ network: { ...open, url: 'https://gate.example' } }, 'transit')).toContain('HTTPS');
    expect(lines({}, 'access')).toContain('1 of 3');
  });

  it.each(LANGUAGES)('says in %s, too, that none of this makes searching among many lawful', (language) => {
    const facts = paperFacts({ recipients: [{ kind: 'site', host: 'tickets.example' }], keys: 1 });
    const paper = written(facts, language);
    expect(paper.notice).toBe(messagesOf('papers', language).lawful);
    expect([...rowsOf(paper).keys()]).toEqual([...rowsOf(written(facts)).keys()]);
  });
});

it('a host counts as public unless its name or address says otherwise', () => {
  for (const host of ['example.org', '8.8.8.8', '[2a00:1450::1]'])
    expect([host, isPublicHost(host)]).toEqual([host, true]);
  for (const host of ['localhost', '127.0.0.1', '192.168.1.4', '[::1]', 'nas', 'box.local', 'x.home.arpa'])
    expect([host, isPublicHost(host)]).toEqual([host, false]);
});

it('the number of people changes only with its order of magnitude', () => {
  expect([0, 100, 101, 501, 1_000, 4_200].map(upperBound)).toEqual([100, 100, 200, 1_000, 1_000, 5_000]);
});
