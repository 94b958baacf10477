import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../locales/node.ts';
import type { Paper, PaperRow } from '../../contract/console/papers.ts';
import { LANGUAGES, type Language } from '../../contract/languages.ts';
import { writeAssessment } from './assessment.ts';
import { paperFacts } from './facts.fixture.ts';
import type { PaperFacts } from './facts.ts';
import { MEASURED, type Share } from './measured.ts';

const written = (facts: PaperFacts, language: Language = 'en'): Paper =>
  writeAssessment(facts, { words: messagesOf('papers', language), language });
const rowsOf = ({ sections }: Paper): Map<string, PaperRow> =>
  new Map(sections.flatMap(({ id, rows }) => rows.map((row) => [`${id}.${row.id}`, row] as const)));
const row = (facts: PaperFacts, name: string): PaperRow | undefined => rowsOf(written(facts)).get(name);

describe('the impact assessment', () => {
  it('ends each risk with a question, and judges none', () => {
    const section = written(paperFacts()).sections.find(({ id }) => id === 'risks');
    expect(section?.rows.length).toBeGreaterThan(6);
    for (const { id, question, lines } of section?.rows ?? [])
      expect([id, question?.startsWith('What else do you do?'), lines.length > 0]).toEqual([id, true, true]);
  });

  it('leaves opinions, necessity and legal basis to the organiser', () => {
    const rows = rowsOf(written(paperFacts()));
    for (const id of [
      'necessity.need',
      'necessity.basis',
      'necessity.weak',
      'opinions.officer',
      'opinions.authority',
      'opinions.decision',
    ])
      expect([id, rows.get(id)?.lines, rows.get(id)?.question === null]).toEqual([id, [], false]);
    expect(rows.get('necessity.search')?.question).toContain('Opinion 11/2024');
  });

  it('names the risks of the fast lane, of photos and of recipients only where they are set', () => {
    const optional = ['lane', 'photos', 'passedOn'];
    for (const id of optional) expect(row(paperFacts(), `risks.${id}`), id).toBeUndefined();
    const [event] = paperFacts().events;
    const facts = paperFacts({
      events: [{ ...event!, fastLane: true, photoDays: 7 }],
      recipients: [
        { kind: 'webhook', host: 'hooks.example' },
        { kind: 'database', host: 'db.example' },
      ],
    });
    for (const id of optional) expect(row(facts, `risks.${id}`), id).toBeDefined();
    // Faces do go to the server of the database.
    expect(row(facts, 'risks.passedOn')?.lines).toEqual(['No face and no picture goes to hooks.example.']);
  });

  it('says that faces are searched for among everybody unless each event has its own', () => {
    const [event] = paperFacts().events;
    const own = { events: [{ ...event!, faces: 'event' as const }] };
    const line = (facts: PaperFacts) => row(facts, 'necessity.search')?.lines[0];
    expect(line(paperFacts(own))).toContain('the same event');
    expect(line(paperFacts({ ...own, keys: 1 }))).toContain('everybody');
    expect(line(paperFacts())).toContain('everybody');
    const sealed = { events: [{ ...event!, faces: 'ticket' as const }] };
    expect(row(paperFacts(sealed), 'necessity.search')?.lines).toEqual([expect.stringContaining('nowhere')]);
  });

  it('counts the verifications that have a measure', () => {
    const facts = paperFacts({ verifications: { count: 3, kioskOnly: 1, strict: 2, reviewed: 0 } });
    const attack = row(facts, 'risks.attack')?.lines.join(' ');
    expect(attack).toContain('accept no other pictures: 1 of 3');
    expect(attack).toContain('strict mode: 2 of 3');
    expect(row(facts, 'risks.alike')?.lines.join(' ')).toContain('to a reviewer: 0 of 3');
  });

  it('quotes figures that the documentation has', () => {
    const page = (name: string) =>
      readFileSync(new URL(`../../../docs/explanation/${name}.md`, import.meta.url), 'utf8');
    const share = ({ count, of, percent, low, high }: Share) =>
      `${count} of ${of}, ${percent} % (${low} to ${high})`;
    const { attacks, genuineRefused, newPeople, groups, oneToOne } = MEASURED;
    for (const each of [attacks.standard, attacks.strict, genuineRefused])
      expect(page('liveness-evidence')).toContain(share(each));
    expect(page('real-clips')).toMatch(
      new RegExp(`new person falsely .same. +\\| ${newPeople.few} % +\\| ${newPeople.many} %`),
    );
    expect(page('real-clips')).toContain(`${groups.women} % (14.3 to 20.4) for women and ${groups.men} %`);
    expect(page('real-clips')).toContain(`in ${groups.low} to ${groups.high} % of searches among up to 200`);
    expect(page('real-clips')).toMatch(
      new RegExp(`\\.50 +\\| ${oneToOne.missed} % .*\\| ${oneToOne.wrong}e-6`),
    );
  });

  it.each(LANGUAGES)('has the same rows in %s', (language) => {
    const facts = paperFacts({ recipients: [{ kind: 'sms', host: 'sms.example' }] });
    expect([...rowsOf(written(facts, language)).keys()]).toEqual([...rowsOf(written(facts)).keys()]);
    expect(written(facts, language).notice).toBe(messagesOf('papers', language).lawful);
  });
});
