import { describe, expect, it } from 'vitest';
import { hiEventsAnswer, pretixAnswer } from './answers.ts';

const AT = Date.UTC(2027, 0, 1, 20);
const checkIn = (at: number, change = {}) => ({
  list: 7,
  type: 'entry',
  datetime: new Date(at).toISOString(),
  ...change,
});

describe('pretix', () => {
  const said = (http: number | null, body: unknown, own = [AT]) =>
    pretixAnswer({ http, body }, { list: 7, own });

  it.each([
    ['ok', 201, { status: 'ok', position: { checkins: [checkIn(AT)] } }],
    ['ok of a repetition', 200, { status: 'ok', position: { checkins: [checkIn(AT + 400)] } }],
    ['ok without the position', 201, { status: 'ok' }],
    [
      'an exit beside it',
      201,
      { status: 'ok', position: { checkins: [checkIn(AT), checkIn(1, { type: 'exit' })] } },
    ],
    ['an entry of another list', 201, { status: 'ok', position: { checkins: [checkIn(1, { list: 8 })] } }],
  ])('%s: told', (_, http, body) => expect(said(http, body)).toEqual({ end: 'told', answer: {} }));

  it('a second check-in that was accepted silently is a conflict', () => {
    const other = checkIn(AT - 3_600_000);
    const body = { status: 'ok', position: { checkins: [checkIn(AT), other] } };
    expect(said(201, body)).toEqual({ end: 'conflict', answer: { at: other.datetime } });
  });

  it('earlier entries of our own are no conflict', () =>
    expect(
      said(201, { status: 'ok', position: { checkins: [checkIn(AT), checkIn(AT - 60_000)] } }, [
        AT - 60_000,
        AT,
      ]),
    ).toEqual({ end: 'told', answer: {} }));

  it.each([
    ...[
      'invalid',
      'unpaid',
      'blocked',
      'invalid_time',
      'canceled',
      'product',
      'rules',
      'ambiguous',
      'revoked',
    ],
    ...['unapproved', 'already_exchanged', 'medium_invalid', 'medium_exists', 'error'],
  ])('the reason %s: refused, whatever the HTTP status', (reason) => {
    for (const http of [400, 404, 200])
      expect(said(http, { status: 'error', reason })).toEqual({ end: 'refused', answer: { reason } });
  });

  it.each([
    [
      'already redeemed',
      400,
      { status: 'error', reason: 'already_redeemed' },
      'conflict',
      'already_redeemed',
    ],
    ['questions', 400, { status: 'incomplete', questions: [] }, 'refused', 'incomplete'],
    ['an exchange', 400, { status: 'exchange' }, 'refused', 'exchange'],
    ['a list that is gone', 400, { lists: ['gone'] }, 'refused', 'configuration'],
    ['an address of something else', 404, null, 'refused', 'configuration'],
  ])('%s', (_, http, body, end, reason) => expect(said(http, body)).toEqual({ end, answer: { reason } }));

  it.each([
    ['no answer', null, null, 'unreachable'],
    ['401', 401, { detail: 'x' }, 'pair_again'],
    ['403', 403, { detail: 'x' }, 'no_rights'],
    ['429', 429, null, 'busy'],
    ['500', 500, null, 'failed'],
    ['503 of a proxy', 503, '<html>', 'failed'],
    ['200 that is no JSON', 200, null, 'failed'],
    ['a list in place of an object', 200, [], 'failed'],
  ])('%s: told again later', (_, http, body, again) => expect(said(http, body)).toEqual({ again }));
});

describe('Hi.Events', () => {
  const said = (http: number | null, body: unknown, isRepeated = false) =>
    hiEventsAnswer({ http, body }, { publicId: 'A-1', at: AT, isRepeated });
  const data = (at: number) => [{ id: 'ci_1', checked_in_at: new Date(at).toISOString() }];
  const errors = { 'A-1': 'Der Teilnehmer ist bereits eingecheckt' };

  it('a check-in: told, with what an undo needs', () =>
    expect(said(200, { data: data(AT + 5), errors: {} })).toEqual({
      end: 'told',
      answer: { checkIn: 'ci_1' },
    }));

  it('a guest who is in already: a conflict, with the time of the other', () =>
    expect(said(200, { data: data(AT), errors })).toMatchObject({ end: 'conflict' }));

  it('a repetition of what may have arrived: told, unless the other is older than the entry', () => {
    expect(said(200, { data: data(AT + 60_000), errors }, true)).toMatchObject({ end: 'told' });
    expect(said(200, { data: data(AT - 3_600_000), errors }, true)).toMatchObject({ end: 'conflict' });
  });

  it.each([
    [
      'an unknown code or a wrong product',
      409,
      { message: 'x' },
      { end: 'refused', answer: { reason: 'invalid' } },
    ],
    [
      'an error without a check-in',
      200,
      { data: [], errors },
      { end: 'refused', answer: { reason: 'error' } },
    ],
    ['a list that has expired', 403, null, { again: 'no_rights' }],
    ['a list that is gone', 404, null, { again: 'pair_again' }],
    ['too many', 429, null, { again: 'busy' }],
    ['502', 502, null, { again: 'failed' }],
    ['no answer', null, null, { again: 'unreachable' }],
    ['nothing', 200, {}, { again: 'failed' }],
  ])('%s', (_, http, body, told) => expect(said(http, body)).toEqual(told));
});
