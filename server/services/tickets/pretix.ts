/** pretix as its own scanners use it: paired by a QR code, read page by page, told of entries in order. */
import { pretixAnswer, type Told } from '../../domain/tickets/answers.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../../store/sql/port.ts';
import { deleteRefusedScan, listRefusedScans } from '../../store/tickets/refused-scans.ts';
import type { TicketSource } from '../../store/tickets/sources.ts';
import { findTicket } from '../../store/tickets/tickets.ts';
import { Refusal } from '../../refusals/refusal.ts';
import product from '../../../package.json' with { type: 'json' };
import { type Ask, parsed, type Reply } from './ask.ts';
import type { Telling } from './hi-events.ts';
import { readList, readObject, readText } from './source-page.ts';

export type PretixConfig = {
  url: string;
  organizer: string;
  token: string;
  profile: string;
  /** Chosen after pairing. */
  event?: string;
  list?: number;
};
export const pretixConfig = ({ config }: Pick<TicketSource, 'config'>): PretixConfig =>
  config as PretixConfig;

const HANDSHAKE_VERSION = 1;
const SOFTWARE = {
  ...{ hardware_brand: 'Gatehouse', hardware_model: 'server', os_name: process.platform, os_version: '-' },
  ...{ software_brand: 'Gatehouse', software_version: product.version },
};

type Problem = 'unreadable' | 'newer' | 'used' | 'unreachable' | 'unknown' | 'pair_again' | 'no_rights';
const refused = (problem: Problem) => new Refusal('source_refused', { args: { problem } });

/**
 * Redeems the content of the QR code that pretix shows for a new device.
 * @throws Refusal `source_refused`
 */
export async function pairPretix(ask: Ask, pairing: string): Promise<{ config: PretixConfig; name: string }> {
  const { handshake_version: version, url: given, token } = readObject(parsed(pairing));
  if (
    typeof version !== 'number' ||
    typeof given !== 'string' ||
    typeof token !== 'string' ||
    !URL.canParse(given)
  )
    throw refused('unreadable');
  if (version > HANDSHAKE_VERSION) throw refused('newer');
  const url = given.replace(/\/+$/, '');
  const body = { token, ...SOFTWARE };
  const reply = await ask({ url: `${url}/api/v1/device/initialize`, method: 'POST', body });
  const said = readObject(reply.body);
  if (reply.http === 400 && said['token'] !== undefined) throw refused('used');
  const organizer = readText(said['organizer']);
  const apiToken = readText(said['api_token']);
  if (reply.http !== 200 || organizer === '' || apiToken === '')
    throw refused(reply.http === null ? 'unreachable' : 'unknown');
  const profile = readText(said['security_profile']);
  return { config: { url, organizer, token: apiToken, profile }, name: readText(said['name']) || organizer };
}

export const pretixHeaders = ({ token }: PretixConfig) => ({ authorization: `Device ${token}` });
export const organizerUrl = ({ url, organizer }: PretixConfig): string =>
  `${url}/api/v1/organizers/${encodeURIComponent(organizer)}`;

/** @throws Refusal `source_refused` */
export function requireReply({ http, body }: Reply): Readonly<Record<string, unknown>> {
  if (http === 200) return readObject(body);
  throw refused(
    http === null ? 'unreachable' : http === 401 ? 'pair_again' : http === 403 ? 'no_rights' : 'unknown',
  );
}

const pretixUrl = ({ url }: PretixConfig, path: string): string => `${url}/api/v1/device/${path}`;

/** The new token; the old one has ended by then. @throws Refusal `source_refused` */
export async function rollPretix(ask: Ask, config: PretixConfig): Promise<string> {
  const url = pretixUrl(config, 'roll');
  const said = requireReply(await ask({ url, method: 'POST', headers: pretixHeaders(config), body: {} }));
  const token = readText(said['api_token']);
  if (token === '') throw refused('unknown');
  return token;
}

/** Tells pretix which version scans. Null if it did not take it; else the profile that the device has now. */
export async function updatePretix(ask: Ask, config: PretixConfig): Promise<{ profile: string } | null> {
  const url = pretixUrl(config, 'update');
  const { http, body } = await ask({ url, method: 'POST', headers: pretixHeaders(config), body: SOFTWARE });
  return http === 200 ? { profile: readText(readObject(body)['security_profile']) || config.profile } : null;
}

/** Scans in one go. */
const REFUSALS_AT_ONCE = 60;

/** Tells what was refused here, oldest first. Each is told once: it ends when pretix took it, or never will. */
export async function tellPretixRefusals(
  { db, ask }: { db: Database; ask: Ask },
  scope: Scope,
  source: TicketSource,
): Promise<void> {
  const config = pretixConfig(source);
  const { event, list } = config;
  if (event === undefined || list === undefined) return;
  const path = `events/${encodeURIComponent(event)}/checkinlists/${list}/failed_checkins/`;
  const url = `${organizerUrl(config)}/${path}`;
  const scans = await listRefusedScans(db, scope, { sourceId: source.id, limit: REFUSALS_AT_ONCE });
  for (const { seq, ticketId, reason, nonce, at } of scans) {
    const ticket = await findTicket(db, scope, ticketId);
    const code = ticket?.code ?? null;
    // After the event's retention there is no code to tell.
    if (code !== null) {
      const position = Number(ticket?.externalId ?? NaN);
      const { http } = await ask({
        ...{ url, method: 'POST', headers: pretixHeaders(config) },
        body: {
          ...{ error_reason: reason, raw_barcode: code, type: 'entry', datetime: secondsOf(at), nonce },
          ...(Number.isSafeInteger(position) && { position }),
        },
      });
      const isTaken = http !== null && http >= 200 && http < 300;
      if (!isTaken && http !== 400 && http !== 404) return;
    }
    await deleteRefusedScan({ run: db.write }, scope, seq);
  }
}

/** Staff wait for it. */
const REVOKE_MS = 5_000;

/** Ends the device's access. Without a network it stays listed there, with a token that nobody has any longer. */
export async function revokePretix(ask: Ask, source: TicketSource): Promise<void> {
  const config = pretixConfig(source);
  const url = pretixUrl(config, 'revoke');
  await ask({ url, method: 'POST', headers: pretixHeaders(config) }, AbortSignal.timeout(REVOKE_MS));
}

const CHOICES = 50;

/** The events that the device may read, and the check-in lists of one; the first page of each. @throws Refusal `source_refused` */
export async function readPretixChoices(ask: Ask, config: PretixConfig, event: string | undefined) {
  const headers = pretixHeaders(config);
  const base = organizerUrl(config);
  const read = async (url: string) =>
    readList(requireReply(await ask({ url, headers }))['results']).slice(0, CHOICES);
  const nameOf = (name: unknown) =>
    typeof name === 'string' ? name : readText(Object.values(readObject(name))[0]);
  return {
    events: (await read(`${base}/events/?ordering=-date_from`)).map(({ slug, name }) => ({
      event: readText(slug),
      name: nameOf(name) || readText(slug),
    })),
    lists:
      event === undefined
        ? []
        : (await read(`${base}/events/${encodeURIComponent(event)}/checkinlists/?exclude=checkin_count`)).map(
            ({ id, name }) => ({ list: Number(id), name: nameOf(name) }),
          ),
  };
}

const otherTime = (answer: string | null): number =>
  Date.parse((JSON.parse(answer ?? '{}') as { at?: string }).at ?? '');

/** As pretix's scanners write it. */
const secondsOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Entries are told after their guest passed, so they are forced, with their own time; the nonce makes a repetition harmless. */
export async function tellPretix(ask: Ask, source: TicketSource, call: Telling): Promise<Told> {
  const config = pretixConfig(source);
  const { list } = config;
  if (list === undefined) return { end: 'refused', answer: { reason: 'configuration' } };
  const base = `${organizerUrl(config)}/checkinrpc`;
  const headers = pretixHeaders(config);
  // A foreign check-in that was found before is no news.
  const own = call.earlier.flatMap(({ kind, at, status, answer }) => [
    ...(kind === 'in' ? [at] : []),
    ...(status === 'conflict' ? [otherTime(answer)] : []),
  ]);
  const entry = call.earlier.find(({ kind, entrySeq }) => kind === 'in' && entrySeq === call.entrySeq);
  // Other profiles may not annul: there, the guest has left again.
  if (call.kind === 'undo' && (source.state['profile'] ?? config.profile) === 'full' && entry) {
    const body = { lists: [list], nonce: entry.nonce };
    const said = await ask({ url: `${base}/annul/`, method: 'POST', headers, body });
    // The profile was changed since the pairing.
    if (said.http !== 403) return pretixAnswer(said, { list, own });
  }
  const reply = await ask({
    ...{ url: `${base}/redeem/`, method: 'POST', headers },
    body: {
      ...{ secret: call.code, source_type: 'barcode', lists: [list], force: true },
      ...{ type: call.kind === 'in' ? 'entry' : 'exit', ignore_unpaid: true, questions_supported: false },
      ...{ datetime: secondsOf(call.at), nonce: call.nonce },
    },
  });
  return pretixAnswer(reply, { list, own: call.kind === 'in' ? [...own, call.at] : own });
}
