/** Which column of a ticket list means what, and the tickets that its rows say. */
import { LIST_FIELDS, type LIST_FAULTS } from '../../contract/console/ticket-sources.ts';
import { MAX_CODE_CHARS, readCode, type TicketState } from './ticket.ts';

export type ListField = (typeof LIST_FIELDS)[number];
/** The number of each column that is used, from 0. */
export type ListColumns = Partial<Record<ListField, number>>;

export type ListTicket = {
  line: number;
  code: string;
  name: string | null;
  kind: string | null;
  party: string | null;
  note: string | null;
  state: TicketState;
};

export type ListFault = (typeof LIST_FAULTS)[number];

const MAX_TEXT_CHARS = 500;

/**
 * The names that shops and people give to columns, in the languages of the product: those of pretix, Hi.Events, Eventbrite, Luma
 * and of lists made by hand. The first that a file has is meant.
 */
const NAMES: Readonly<Record<ListField, readonly string[]>> = {
  code: [
    ...[
      'public id',
      'barcode',
      'barcode #',
      'barcode number',
      'qr code',
      'qrcode',
      'ticket code',
      'ticketcode',
      'ticket id',
    ],
    ...[
      'code',
      'secret',
      'ticket secret',
      'ticket number',
      'ticket no',
      'ticket #',
      'qr_code_url',
      'guest_id',
      'api_id',
    ],
    ...[
      'ticketnummer',
      'ticket-nr',
      'ticket-code',
      'geheimnis',
      'código',
      'codigo',
      'código qr',
      'código de barras',
    ],
    ...['code-barres', 'code qr', 'numéro de billet', 'n° de billet'],
  ],
  name: [
    ...[
      'attendee name',
      'name',
      'full name',
      'guest',
      'guest name',
      'attendee',
      'holder',
      'first name',
      'first_name',
    ],
    ...[
      'teilnehmername',
      'gast',
      'vorname',
      'nombre',
      'nombre completo',
      'asistente',
      'prénom',
      'nom complet',
      'participant',
    ],
  ],
  last_name: [
    'last name',
    'last_name',
    'surname',
    'family name',
    'nachname',
    'apellido',
    'apellidos',
    'nom de famille',
    'nom',
  ],
  kind: [
    ...[
      'ticket type',
      'ticket_name',
      'ticket name',
      'product',
      'item',
      'ticket',
      'category',
      'type',
      'produkt',
      'kategorie',
    ],
    ...[
      'ticketart',
      'tipo',
      'tipo de entrada',
      'entrada',
      'producto',
      'categoría',
      'billet',
      'produit',
      'catégorie',
      'tarif',
    ],
  ],
  party: [
    ...[
      'order code',
      'order reference',
      'order id',
      'order #',
      'order number',
      'order',
      'booking',
      'group',
      'party',
    ],
    ...[
      'bestellnummer',
      'bestellung',
      'buchung',
      'gruppe',
      'pedido',
      'número de pedido',
      'reserva',
      'grupo',
      'commande',
    ],
    ...['numéro de commande', 'réservation', 'groupe'],
  ],
  note: [
    'note',
    'notes',
    'comment',
    'remark',
    'notiz',
    'bemerkung',
    'kommentar',
    'nota',
    'comentario',
    'remarque',
    'commentaire',
  ],
  state: [
    'status',
    'attendee status',
    'approval_status',
    'order status',
    'state',
    'estado',
    'statut',
    'état',
    'zustand',
  ],
};

const STATES: Readonly<Record<TicketState, readonly string[]>> = {
  valid: [
    ...[
      '',
      'valid',
      'active',
      'paid',
      'confirmed',
      'approved',
      'attending',
      'completed',
      'free',
      'checked in',
      'ok',
      'yes',
      'p',
    ],
    ...[
      'gültig',
      'bezahlt',
      'aktiv',
      'bestätigt',
      'válida',
      'válido',
      'pagado',
      'pagada',
      'activo',
      'confirmado',
      'valide',
    ],
    ...['payé', 'payée', 'actif', 'confirmé'],
  ],
  unpaid: [
    ...[
      'unpaid',
      'pending',
      'awaiting payment',
      'pending approval',
      'invited',
      'waitlist',
      'open',
      'n',
      'offen',
      'unbezahlt',
    ],
    ...['ausstehend', 'pendiente', 'no pagado', 'impayé', 'en attente'],
  ],
  cancelled: [
    ...[
      'cancelled',
      'canceled',
      'refunded',
      'declined',
      'deleted',
      'expired',
      'not attending',
      'c',
      'e',
      'storniert',
      'erstattet',
    ],
    ...['abgelaufen', 'cancelado', 'cancelada', 'reembolsado', 'annulé', 'annulée', 'remboursé'],
  ],
  blocked: ['blocked', 'gesperrt', 'bloqueado', 'bloqueada', 'bloqué', 'bloquée'],
  revoked: ['revoked', 'invalid', 'void', 'ungültig', 'revocado', 'inválido', 'révoqué', 'invalide'],
};

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
const namesOf = (field: ListField) => NAMES[field].map(plain);

/** What each column probably means. A column means one thing. */
export function guessColumns(header: readonly string[]): ListColumns {
  const names = header.map(plain);
  const columns: ListColumns = {};
  for (const field of LIST_FIELDS) {
    const taken = Object.values(columns);
    const found = namesOf(field)
      .map((name) => names.indexOf(name))
      .find((at) => at >= 0 && !taken.includes(at));
    if (found !== undefined) columns[field] = found;
  }
  return columns;
}

/** Luma exports other codes than its guests show. */
export const isOfLuma = (tickets: readonly Pick<ListTicket, 'code'>[]): boolean =>
  tickets.some(({ code }) => /^(?:gst-|https:\/\/(?:luma\.com|lu\.ma)\/)/.test(code));

/** A row as a ticket, or why it can't be one. Codes keep every letter; only control characters and the prefix of scanners go. */
export function ticketOfRow(
  { line, cells }: { line: number; cells: readonly string[] },
  columns: ListColumns,
): ListTicket | ListFault {
  const cell = (field: ListField) => cells[columns[field] ?? -1] ?? '';
  // PostgreSQL stores no NUL.
  const text = (field: ListField) => cell(field).replaceAll('\0', '').trim().replace(/\s+/g, ' ');
  const code = readCode(cell('code'));
  if (code.trim() === '') return 'no_code';
  if (code.length > MAX_CODE_CHARS) return 'long_code';
  const name = `${text('name')} ${text('last_name')}`.trim();
  const texts = { name, kind: text('kind'), party: text('party'), note: text('note') };
  if (Object.values(texts).some((value) => value.length > MAX_TEXT_CHARS)) return 'long_text';
  const state = stateOf(text('state'));
  if (state === undefined) return 'state_unknown';
  return {
    line,
    code,
    state,
    name: texts.name || null,
    kind: texts.kind || null,
    party: texts.party || null,
    note: texts.note || null,
  };
}

const stateOf = (text: string): TicketState | undefined =>
  (Object.keys(STATES) as TicketState[]).find((state) => STATES[state].includes(plain(text)));

/** All rows. Of several with one code, the first is the ticket. */
export function ticketsOfRows(
  rows: readonly { line: number; cells: readonly string[] }[],
  columns: ListColumns,
): { tickets: ListTicket[]; faults: { line: number; fault: ListFault }[] } {
  const seen = new Set<string>();
  const tickets: ListTicket[] = [];
  const faults: { line: number; fault: ListFault }[] = [];
  for (const row of rows) {
    const ticket = ticketOfRow(row, columns);
    if (typeof ticket === 'string') faults.push({ line: row.line, fault: ticket });
    else if (seen.has(ticket.code)) faults.push({ line: row.line, fault: 'duplicate' });
    else {
      seen.add(ticket.code);
      tickets.push(ticket);
    }
  }
  return { tickets, faults };
}
