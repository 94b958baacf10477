/** Hi.Events: the check-in list link reads the guests and checks them in, without a key. */
import { hiEventsAnswer, type Told } from '../../domain/tickets/answers.ts';
import type { TicketState } from '../../domain/tickets/ticket.ts';
import type { EarlierCall, TicketClaim } from '../../store/tickets/queue.ts';
import type { TicketSource } from '../../store/tickets/sources.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Ask, Reply } from './ask.ts';
import { type NoPage, type Page, readList, readObject, readText } from './source-page.ts';

type Config = { api: string; list: string };
const configOf = ({ config }: TicketSource): Config => config as Config;

const LINK = /cil_[A-Za-z0-9]{13}(?![A-Za-z0-9])/;
const PER_PAGE = 250;

const STATES: Readonly<Record<string, TicketState>> = {
  ACTIVE: 'valid',
  AWAITING_PAYMENT: 'unpaid',
  CANCELLED: 'cancelled',
};

/** A call with the code, and the earlier calls about its ticket. */
export type Telling = TicketClaim & { code: string; earlier: readonly EarlierCall[] };

/**
 * Finds the interface behind a link that staff copied: beside the pages, or at the host that serves it for all.
 * @throws Refusal `source_refused`
 */
export async function connectHiEvents(ask: Ask, link: string): Promise<{ config: Config; name: string }> {
  const [list] = LINK.exec(link) ?? [];
  if (list === undefined || !URL.canParse(link)) throw refused('unreadable');
  const { origin, protocol, host } = new URL(link);
  const bases = [
    `${origin}/api/public`,
    `${origin}/public`,
    `${protocol}//${host.replace(/^app\./, 'api.')}/public`,
  ];
  let last: Reply | undefined;
  for (const api of new Set(bases)) {
    last = await ask({ url: `${api}/check-in-lists/${list}` });
    const { name } = readObject(readObject(last.body)['data']);
    if (last.http === 200 && typeof name === 'string') return { config: { api, list }, name };
    if (last.http === 403) throw refused('expired');
  }
  throw refused((last?.http ?? null) === null ? 'unreachable' : 'unknown');
}

const refused = (problem: 'unreadable' | 'unreachable' | 'expired' | 'unknown') =>
  new Refusal('source_refused', { args: { problem } });

const idOf = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : readText(value) || null;

/** The guests of one page; the pages begin again once the last was read. */
export async function readHiEvents(ask: Ask, source: TicketSource): Promise<Page | NoPage> {
  const { api, list } = configOf(source);
  const page = typeof source.state['page'] === 'number' ? source.state['page'] : 1;
  const { http, body, retryAfterMs } = await ask({
    url: `${api}/check-in-lists/${list}/attendees?page=${page}&per_page=${PER_PAGE}`,
  });
  if (http !== 200)
    return {
      failure: http === null ? 'unreachable' : http === 403 ? 'expired' : 'failed',
      retryAfterMs,
    };
  const attendees = readList(readObject(body)['data']);
  const isLast = attendees.length < PER_PAGE;
  return {
    isLast,
    state: { ...source.state, page: isLast ? 1 : page + 1 },
    tickets: attendees.flatMap((attendee) => {
      const code = readText(attendee['public_id']);
      const state = STATES[readText(attendee['status'])];
      if (code === '' || state === undefined) return [];
      const name = `${readText(attendee['first_name'])} ${readText(attendee['last_name'])}`.trim();
      return {
        code,
        state,
        externalId: idOf(attendee['id']) ?? code,
        name: name || null,
        kind: null,
        party: idOf(attendee['order_id']),
        validFrom: null,
        validUntil: null,
        rulesUnknown: false,
      };
    }),
  };
}

/** Hi.Events knows no exit and no time of ours; a guest who comes again is in already. */
export async function tellHiEvents(ask: Ask, source: TicketSource, call: Telling): Promise<Told> {
  const { api, list } = configOf(source);
  const url = `${api}/check-in-lists/${list}/check-ins`;
  const said = call.earlier.filter(({ status }) => status === 'told');
  if (call.kind === 'undo') {
    const own = said.find(({ kind, entrySeq }) => kind === 'in' && entrySeq === call.entrySeq);
    const { checkIn } = JSON.parse(own?.answer ?? '{}') as { checkIn?: string };
    if (!checkIn) return { end: 'told', answer: {} };
    const { http } = await ask({ url: `${url}/${encodeURIComponent(checkIn)}`, method: 'DELETE' });
    if (http !== null && (http < 300 || http === 404)) return { end: 'told', answer: {} };
    return http === null ? { again: 'unreachable' } : { again: http === 403 ? 'no_rights' : 'failed' };
  }
  const undone = new Set(said.filter(({ kind }) => kind === 'undo').map(({ entrySeq }) => entrySeq));
  const isIn = said.some(({ kind, entrySeq }) => kind === 'in' && !undone.has(entrySeq));
  if (call.kind === 'out' || isIn) return { end: 'told', answer: {} };
  // An unknown code refuses the whole request, so each goes alone.
  const body = { attendees: [{ public_id: call.code, action: 'check-in' }] };
  const reply = await ask({ url, method: 'POST', body });
  return hiEventsAnswer(reply, { publicId: call.code, at: call.at, isRepeated: call.attempts > 0 });
}
