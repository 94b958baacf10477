import { expect, it } from 'vitest';
import { ADMIT_REASONS } from '../../contract/ticket-values.ts';
import { type Admission, type AdmitFacts, admit } from './admit.ts';

const NOW = 1_000;
type Ticket = NonNullable<AdmitFacts['ticket']>;
type Given = Partial<Omit<AdmitFacts, 'ticket'>> & { ticket?: Partial<Ticket> | null };

function facts({ ticket, ...given }: Given): AdmitFacts {
  const good: Ticket = {
    id: 't',
    state: 'valid',
    validFrom: null,
    validUntil: null,
    rulesUnknown: false,
    personId: null,
    last: null,
  };
  return {
    now: NOW,
    direction: 'in',
    ticket: ticket === null ? null : { ...good, ...ticket },
    isOfOtherEvent: false,
    person: null,
    isLane: false,
    partyWaiting: 0,
    reEntry: false,
    ...given,
  };
}

const ADA = { id: 'ada', ticketId: null };
const refused = (why: string) => ({ verdict: 'refuse', why }) as Admission;
const staff = (why: string) => ({ verdict: 'ask_staff', why }) as Admission;

const ROWS: readonly [string, Given, Admission][] = [
  ['a good ticket whose guest has not been checked: check', {}, { verdict: 'check' }],
  ['a good ticket and its guest who passed: admit', { person: ADA }, { verdict: 'admit' }],
  ['a code that nobody knows: unknown', { ticket: null }, refused('unknown')],
  ['a code of another event: wrong_event', { ticket: null, isOfOtherEvent: true }, refused('wrong_event')],
  ['cancelled', { ticket: { state: 'cancelled' }, person: ADA }, refused('cancelled')],
  ['revoked', { ticket: { state: 'revoked' }, person: ADA }, refused('revoked')],
  ['blocked', { ticket: { state: 'blocked' }, person: ADA }, refused('blocked')],
  ['unpaid: the box office is staff’s', { ticket: { state: 'unpaid' } }, staff('unpaid')],
  ['a millisecond too early', { ticket: { validFrom: NOW + 1 } }, refused('too_early')],
  ['from its first moment on', { ticket: { validFrom: NOW } }, { verdict: 'check' }],
  ['until its last moment', { ticket: { validUntil: NOW + 1 } }, { verdict: 'check' }],
  ['too late from its end on', { ticket: { validUntil: NOW } }, refused('too_late')],
  ['rules that this server can’t decide', { ticket: { rulesUnknown: true } }, staff('rules_unknown')],
  [
    'somebody else came with it: other_face',
    { ticket: { personId: 'bob' }, person: ADA },
    staff('other_face'),
  ],
  [
    'the guest came with another ticket: other_ticket',
    { person: { ...ADA, ticketId: 'u' } },
    staff('other_ticket'),
  ],
  ['scanned again while inside: already_in', { ticket: { last: 'in' } }, refused('already_in')],
  [
    'inside, and the same face outside: staff know whether they left',
    { ticket: { last: 'in', personId: 'ada' }, person: { ...ADA, ticketId: 't' } },
    staff('already_in'),
  ],
  [
    'left, and nobody may come back: already_in',
    { ticket: { last: 'out' }, person: ADA },
    refused('already_in'),
  ],
  ['left, and people may come back: check', { ticket: { last: 'out' }, reEntry: true }, { verdict: 'check' }],
  [
    'left, comes back, and is the same person: admit',
    { ticket: { last: 'out', personId: 'ada' }, person: { ...ADA, ticketId: 't' }, reEntry: true },
    { verdict: 'admit' },
  ],
  ['others of the order have not come: ask_party', { partyWaiting: 3 }, { verdict: 'ask_party' }],
  ['of a party, and passed: admit', { partyWaiting: 3, person: ADA }, { verdict: 'admit' }],
  [
    'a lane takes who was checked before',
    { isLane: true, ticket: { personId: 'ada' } },
    { verdict: 'admit' },
  ],
  ['a lane sends the others to a check', { isLane: true }, { verdict: 'check' }],
  [
    'a lane sends who comes back to a check: the ticket alone says nothing about the face',
    { isLane: true, reEntry: true, ticket: { personId: 'ada', last: 'out' } },
    { verdict: 'check' },
  ],
  ['out: who is inside', { direction: 'out', isLane: true, ticket: { last: 'in' } }, { verdict: 'admit' }],
  [
    'out: with a cancelled ticket, too',
    { direction: 'out', isLane: true, ticket: { last: 'in', state: 'cancelled' } },
    { verdict: 'admit' },
  ],
  [
    'out where faces are checked: the ticket alone says nothing about the face',
    { direction: 'out', ticket: { last: 'in', personId: 'ada' } },
    { verdict: 'check' },
  ],
  [
    'out by the face that came with the ticket',
    { direction: 'out', ticket: { last: 'in', personId: 'ada', state: 'cancelled' }, person: ADA },
    { verdict: 'admit' },
  ],
  [
    'out with somebody else’s ticket: other_face',
    { direction: 'out', ticket: { last: 'in', personId: 'bob' }, person: ADA },
    staff('other_face'),
  ],
  [
    'out with the ticket of a guest whose face nobody checked: other_face',
    { direction: 'out', ticket: { last: 'in' }, person: ADA },
    staff('other_face'),
  ],
  ['out: who never came in', { direction: 'out' }, staff('not_inside')],
  ['out: twice', { direction: 'out', ticket: { last: 'out' } }, staff('not_inside')],
  ['out: a code that nobody knows', { direction: 'out', ticket: null }, refused('unknown')],
  [
    'what the ticket is comes before who holds it',
    { ticket: { state: 'revoked', personId: 'bob', last: 'in' }, person: ADA },
    refused('revoked'),
  ],
  [
    'a copy in other hands is the other face’s, not just used',
    { ticket: { personId: 'bob', last: 'in' }, person: ADA },
    staff('other_face'),
  ],
];

it.each(ROWS)('%s', (_, given, expected) => {
  expect(admit(facts(given))).toEqual(expected);
});

it('has a row for every reason', () => {
  const named = ROWS.flatMap(([, , outcome]) => ('why' in outcome ? outcome.why : []));
  expect(ADMIT_REASONS.filter((reason) => !named.includes(reason))).toEqual([]);
});
