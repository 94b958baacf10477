/** pretix as its own scanners use it: paired by a QR code, read page by page, told of entries in order. */
import { pretixAnswer, type Told } from '../../domain/tickets/answers.ts';
import type { TicketSource } from '../../store/tickets/sources.ts';
import { Refusal } from '../../refusals/refusal.ts';
import product from '../../../package.json' with { type: 'json' };
import type { Ask, Reply } from './ask.ts';
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
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

/** Staff wait for it. */
const REVOKE_MS = 5_000;

/** Ends the device's access. Without a network it stays listed there, with a token that nobody has any longer. */
export async function revokePretix(ask: Ask, source: TicketSource): Promise<void> {
  const config = pretixConfig(source);
  const url = `${config.url}/api/v1/device/revoke`;
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

/** Entries are told after their guest passed, so they are forced, with their own time; the nonce makes a repetition harmless. */
export async function tellPretix(ask: Ask, source: TicketSource, call: Telling): Promise<Told> {
  const config = pretixConfig(source);
  const { list } = config;
  if (list === undefined) return { end: 'refused', answer: { reason: 'configuration' } };
  const base = `${organizerUrl(config)}/checkinrpc`;
  const headers = pretixHeaders(config);
  const own = call.earlier.filter(({ kind }) => kind === 'in').map(({ at }) => at);
  const entry = call.earlier.find(({ kind, entrySeq }) => kind === 'in' && entrySeq === call.entrySeq);
  // Other profiles may not annul: there, the guest has left again.
  if (call.kind === 'undo' && config.profile === 'full' && entry) {
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
      ...{ datetime: new Date(call.at).toISOString().replace(/\.\d+Z$/, 'Z'), nonce: call.nonce },
    },
  });
  return pretixAnswer(reply, { list, own: call.kind === 'in' ? [...own, call.at] : own });
}
