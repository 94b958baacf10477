import { describe, expect, it } from 'vitest';
import { guessColumns, isOfLuma, ticketOfRow, ticketsOfRows } from './list-columns.ts';

const COLUMNS = { code: 0, name: 1, kind: 2, state: 3 };
const row = (...cells: string[]) => ({ line: 2, cells });

describe('the columns of', () => {
  it.each([
    [
      'Hi.Events',
      'Public ID,First Name,Last Name,Email,Status,Ticket,Order Reference',
      {
        code: 0,
        name: 1,
        last_name: 2,
        kind: 5,
        party: 6,
        state: 4,
      },
    ],
    [
      'pretix',
      'Order code,Attendee name,Product,Price,Secret,Status',
      {
        code: 4,
        name: 1,
        kind: 2,
        party: 0,
        state: 5,
      },
    ],
    [
      'Eventbrite',
      'Order #,First Name,Last Name,Ticket Type,Barcode #,Attendee Status',
      {
        code: 4,
        name: 1,
        last_name: 2,
        kind: 3,
        party: 0,
        state: 5,
      },
    ],
    [
      'Luma',
      'api_id,name,email,approval_status,ticket_name,qr_code_url',
      {
        code: 5,
        name: 1,
        kind: 4,
        state: 3,
      },
    ],
    [
      'a German list',
      'Vorname;Nachname;Ticketart;Ticketnummer;Bemerkung',
      {
        code: 3,
        name: 0,
        last_name: 1,
        kind: 2,
        note: 4,
      },
    ],
    [
      'a Spanish list',
      'Código;Nombre;Apellidos;Tipo de entrada;Estado',
      {
        code: 0,
        name: 1,
        last_name: 2,
        kind: 3,
        state: 4,
      },
    ],
    [
      'a French list',
      'Numéro de billet;Prénom;Nom;Tarif;Commande',
      {
        code: 0,
        name: 1,
        last_name: 2,
        kind: 3,
        party: 4,
      },
    ],
    ['names that mean nothing here', 'foo,bar', {}],
    ['names in other letters', ' TICKET_CODE ,Full-Name', { code: 0, name: 1 }],
  ])('%s', (_, header, columns) => expect(guessColumns(header.split(/[,;]/))).toEqual(columns));
});

describe('a row', () => {
  it('keeps every letter of its code', () => {
    expect(ticketOfRow(row('=4g3+5C ', 'Zoë'), COLUMNS)).toMatchObject({ code: '=4g3+5C ', name: 'Zoë' });
    expect(ticketOfRow(row('\u001d\\000026A1'), COLUMNS)).toMatchObject({ code: 'A1' });
  });

  it('puts first and last name together', () =>
    expect(ticketOfRow(row('1', ' Zoë ', 'Mü  ller'), { code: 0, name: 1, last_name: 2 })).toMatchObject({
      name: 'Zoë Mü ller',
    }));

  it.each([
    ['', 'valid'],
    ['PAID', 'valid'],
    ['Bezahlt', 'valid'],
    ['AWAITING_PAYMENT', 'unpaid'],
    ['Pending', 'unpaid'],
    ['Storniert', 'cancelled'],
    ['Annulée', 'cancelled'],
    ['gesperrt', 'blocked'],
    ['void', 'revoked'],
  ])('with the status “%s” is %s', (text, state) =>
    expect(ticketOfRow(row('1', '', '', text), COLUMNS)).toMatchObject({ state }),
  );

  it.each([
    ['no code', row(''), 'no_code'],
    ['white space as its code', row(' \t'), 'no_code'],
    ['a code that is too long', row('x'.repeat(1_025)), 'long_code'],
    ['a name that is too long', row('1', 'x'.repeat(501)), 'long_text'],
    ['a status that is unknown', row('1', '', '', 'maybe'), 'state_unknown'],
  ])('with %s is no ticket', (_, cells, fault) => expect(ticketOfRow(cells, COLUMNS)).toBe(fault));
});

it('of several rows with one code, the first is the ticket; letters differ by case', () => {
  const rows = ['a', 'A', 'a', ''].map((code, at) => ({ line: at + 2, cells: [code] }));
  const { tickets, faults } = ticketsOfRows(rows, { code: 0 });
  expect(tickets.map(({ code }) => code)).toEqual(['a', 'A']);
  expect(faults).toEqual([
    { line: 4, fault: 'duplicate' },
    { line: 5, fault: 'no_code' },
  ]);
});

it('a NUL in a text is left out, because not every database stores it', () => {
  expect(ticketOfRow(row('A', 'A\u0000da'), COLUMNS)).toMatchObject({ code: 'A', name: 'Ada' });
});

it('codes of Luma are noticed: its guests show others', () => {
  expect(isOfLuma([{ code: 'https://luma.com/check-in/evt-1?pk=g-1' }])).toBe(true);
  expect(isOfLuma([{ code: 'gst-AbC' }])).toBe(true);
  expect(isOfLuma([{ code: 'A-1' }])).toBe(false);
});
