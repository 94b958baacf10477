import { expect, it } from 'vitest';
import { messagesOf } from '../../../locales/node.ts';
import { differencesOf } from './differences.ts';
import { paperFacts } from './facts.fixture.ts';
import type { PaperFacts } from './facts.ts';
import { writeRecord } from './record.ts';

const written = (facts: PaperFacts) =>
  writeRecord(facts, { words: messagesOf('papers', 'en'), language: 'en' });
const before = paperFacts();
const since = (own: Partial<PaperFacts>) => differencesOf(written(before), written(paperFacts(own)));

it('the same facts differ in nothing', () => {
  expect(since({})).toEqual([]);
});

it('a changed setting is said as it was and as it is', () => {
  expect(since({ days: { ...before.days, casePictures: 5 } })).toEqual([
    {
      section: 'Data, and how long it is kept',
      title: 'Pictures of a check in review',
      was: ['Up to three. Deleted 30 days after the decision.'],
      is: ['Up to three. Deleted 5 days after the decision.'],
    },
  ]);
});

it('a new row has no was, and a row that is gone no is', () => {
  const added = since({ recipients: [{ kind: 'sms', host: 'sms.example' }] });
  expect(added.find(({ section }) => section === 'Recipients')).toMatchObject({
    title: 'sms.example',
    was: [],
    is: ['sms.example', 'Phone numbers, and the codes sent to them.'],
  });
  const gone = since({ events: [] });
  expect(gone).toHaveLength(1);
  expect(gone[0]).toMatchObject({ title: 'Gala', is: [] });
});

it('an event that was renamed differs in its title only', () => {
  const [event] = before.events;
  expect(since({ events: [{ ...event!, name: 'Ball' }] })).toEqual([
    { section: 'Purposes', title: 'Ball', was: ['Gala'], is: ['Ball'] },
  ]);
});
