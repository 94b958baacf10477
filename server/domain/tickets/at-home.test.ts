import { expect, it } from 'vitest';
import { HOME_ANSWERS, type HomeAnswer } from '../../contract/tickets.ts';
import { checkAtHome, type HomeFacts } from './at-home.ts';

const NOW = 1_000;
type Ticket = NonNullable<HomeFacts['ticket']>;
type Given = Partial<Omit<HomeFacts, 'ticket'>> & { ticket?: Partial<Ticket> | null };

const facts = ({ ticket, ...given }: Given): HomeFacts => ({
  now: NOW,
  endsAt: NOW + 1,
  isOnlyAtDoor: false,
  reEntry: false,
  ticket:
    ticket === null ? null : { state: 'valid', validUntil: null, personId: null, last: null, ...ticket },
  ...given,
});

const ROWS: readonly [string, Given, HomeAnswer][] = [
  ['a good ticket that nobody was checked for', {}, 'check'],
  ['a code that the event doesn’t know', { ticket: null }, 'unknown'],
  ['a code that it doesn’t know, after its end', { ticket: null, endsAt: NOW }, 'unknown'],
  ['from the event’s end on', { endsAt: NOW }, 'over'],
  ['from the ticket’s end on', { ticket: { validUntil: NOW } }, 'over'],
  ['until the ticket’s last moment', { ticket: { validUntil: NOW + 1 } }, 'check'],
  ['not paid', { ticket: { state: 'unpaid' } }, 'unpaid'],
  ['blocked', { ticket: { state: 'blocked' } }, 'not_valid'],
  ['revoked', { ticket: { state: 'revoked' } }, 'not_valid'],
  ['cancelled', { ticket: { state: 'cancelled' } }, 'not_valid'],
  ['its guest is inside', { ticket: { last: 'in', personId: 'ada' } }, 'entered'],
  ['its guest left, for good', { ticket: { last: 'out', personId: 'ada' } }, 'entered'],
  [
    'its guest left, and may come back',
    { ticket: { last: 'out', personId: 'ada' }, reEntry: true },
    'checked',
  ],
  ['staff let its guest in and out, who may come back', { ticket: { last: 'out' }, reEntry: true }, 'check'],
  ['checks are made at the door only', { isOnlyAtDoor: true }, 'at_door'],
  ['somebody was checked for it', { ticket: { personId: 'ada' } }, 'checked'],
];

it.each(ROWS)('%s', (_, given, answer) => {
  expect(checkAtHome(facts(given))).toBe(answer);
});

it('every answer has a row', () => {
  expect(new Set(ROWS.map(([, , answer]) => answer))).toEqual(new Set(HOME_ANSWERS));
});
