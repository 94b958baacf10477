/** pretix, as far as a scanner sees it: pairing, lists of what changed, and check-ins with their nonces. */
import type { Said, StandIn } from './stand-in.ts';

export const PRETIX_LIST = 7;
export const PRETIX_EVENT = 'night';

export type PretixPosition = {
  id: number;
  secret: string;
  item?: number;
  subevent?: number | null;
  canceled?: boolean;
  attendee_name?: string;
  valid_from?: string | null;
  blocked?: string[] | null;
};
export type PretixOrder = {
  code: string;
  status: string;
  modified: number;
  positions: PretixPosition[];
  valid_if_pending?: boolean;
};
type CheckIn = { secret: string; type: string; datetime: string; nonce: string; list: number };

export class Pretix implements StandIn {
  url = 'https://pretix.example';
  readonly pairing = 'token-1';
  version = 1;
  profile = 'pretixscan';
  isRevoked = false;
  orders: PretixOrder[] = [];
  revoked: { secret: string; created: number }[] = [];
  blocked: { secret: string; blocked: boolean; updated: number }[] = [];
  items: Record<string, unknown>[] = [
    { id: 1, name: { en: 'Full' } },
    { id: 1345, name: { en: 'Signed' } },
  ];
  /** Null once it was deleted. */
  list: Record<string, unknown> | null = {
    all_products: true,
    limit_products: [],
    subevent: null,
    rules: {},
  };
  keys: string[] = [];
  checkIns: CheckIn[] = [];
  /** Refusals that were uploaded, each nonce once. */
  failed: Record<string, unknown>[] = [];
  software = '';
  token = 'secret-token';
  pageSize = 50;
  /** Reads of pages, as their addresses. */
  reads: string[] = [];
  fault: StandIn['fault'];
  #now = 1_000;
  #isPaired = false;

  get code(): string {
    return JSON.stringify({ handshake_version: this.version, url: this.url, token: this.pairing });
  }

  tick(): number {
    return (this.#now += 1);
  }

  handle: StandIn['handle'] = ({ url, method = 'GET', headers = {}, body }) => {
    const { pathname, searchParams } = new URL(url);
    const sent = (body ?? {}) as Record<string, unknown>;
    if (pathname === '/api/v1/device/initialize') {
      if (sent['token'] !== this.pairing || this.#isPaired)
        return { http: 400, body: { token: ['This initialization token has already been used.'] } };
      this.#isPaired = true;
      return { http: 200, body: this.#device() };
    }
    if (headers['authorization'] !== `Device ${this.token}` || this.isRevoked)
      return { http: 401, body: { detail: 'Invalid token.' } };
    if (method === 'POST' && pathname === '/api/v1/device/revoke') {
      this.isRevoked = true;
      return { http: 200, body: {} };
    }
    if (method === 'POST' && pathname === '/api/v1/device/update') {
      this.software = String(sent['software_version']);
      return { http: 200, body: this.#device() };
    }
    if (method === 'POST' && pathname === '/api/v1/device/roll') {
      this.token = `${this.token}-rolled`;
      return { http: 200, body: this.#device() };
    }
    const base = '/api/v1/organizers/club';
    const event = `${base}/events/${PRETIX_EVENT}`;
    if (method === 'POST' && pathname === `${base}/checkinrpc/redeem/`) return this.#redeem(sent);
    if (method === 'POST' && pathname === `${base}/checkinrpc/annul/`) return this.#annul(sent);
    if (method === 'POST' && pathname === `${event}/checkinlists/${PRETIX_LIST}/failed_checkins/`)
      return this.#fail(sent);
    if (pathname === `${base}/events/`)
      return {
        http: 200,
        body: { count: 1, next: null, results: [{ slug: PRETIX_EVENT, name: { en: 'Night' } }] },
      };
    if (pathname === `${event}/`) return { http: 200, body: { valid_keys: { pretix_sig1: this.keys } } };
    if (pathname === `${event}/items/`) return this.#conditional(url, headers, this.items);
    if (pathname === `${event}/checkinlists/`)
      return this.#conditional(url, headers, this.list && [{ id: PRETIX_LIST, name: 'Main', ...this.list }]);
    const since = (name: string) => Number(searchParams.get(name) ?? 0);
    if (pathname === `${event}/orders/`)
      return this.#page(
        url,
        this.orders
          .filter(({ modified }) => modified >= since('modified_since'))
          .sort((a, b) => b.modified - a.modified),
      );
    if (pathname === `${event}/revokedsecrets/`)
      return this.#page(
        url,
        this.revoked.filter(({ created }) => created >= since('created_since')),
      );
    if (pathname === `${event}/blockedsecrets/`)
      return this.#page(
        url,
        this.blocked.filter(({ updated }) => updated >= since('updated_since')),
      );
    return { http: 404, body: { detail: 'Not found.' } };
  };

  #device() {
    const device = { organizer: 'club', device_id: 5, unique_serial: 'S', api_token: this.token };
    return { ...device, security_profile: this.profile, name: 'Gate 1', gate: null };
  }

  #fail(sent: Record<string, unknown>): Said {
    if (sent['error_reason'] === undefined || sent['raw_barcode'] === undefined)
      return { http: 400, body: { error_reason: ['This field is required.'] } };
    if (!this.failed.some(({ nonce }) => nonce === sent['nonce'])) this.failed.push(sent);
    return { http: 201, body: {} };
  }

  /** A `Last-Modified` that names the rows. */
  #conditional(
    url: string,
    headers: Readonly<Record<string, string>>,
    rows: readonly Record<string, unknown>[] | null,
  ): Said {
    const modified = JSON.stringify(rows);
    if (headers['if-modified-since'] === modified) {
      this.reads.push(`304 ${url}`);
      return { http: 304 };
    }
    const said = this.#page(url, rows ?? []);
    return { ...said, headers: { ...said.headers, 'last-modified': modified } };
  }

  #page(url: string, rows: readonly unknown[]): Said {
    this.reads.push(url);
    const address = new URL(url);
    const page = Number(address.searchParams.get('page') ?? 1);
    address.searchParams.set('page', String(page + 1));
    const results = rows.slice((page - 1) * this.pageSize, page * this.pageSize);
    const next = page * this.pageSize < rows.length ? address.href : null;
    const headers = { 'x-page-generated': String(this.#now) };
    return { http: 200, headers, body: { count: rows.length, next, previous: null, results } };
  }

  #redeem({ secret, lists, type, datetime, nonce, force }: Record<string, unknown>): Said {
    const order = this.orders.find(({ positions }) => positions.some((one) => one.secret === secret));
    const found = order?.positions.find((one) => one.secret === secret);
    const position = order && found && { ...found, status: order.status };
    if (!(lists as number[]).includes(PRETIX_LIST)) return { http: 400, body: { lists: ['No such list.'] } };
    const refuse = (http: number, reason: string): Said => ({
      http,
      body: { status: 'error', reason, reason_explanation: null, require_attention: false },
    });
    if (position === undefined) return refuse(404, 'invalid');
    if (position.canceled || position.status === 'c') return refuse(400, 'canceled');
    const own = this.checkIns.filter((one) => one.secret === secret);
    if (!own.some((one) => one.nonce === nonce)) {
      if (force !== true && own.some((one) => one.type === 'entry')) return refuse(400, 'already_redeemed');
      const made = { secret, type, datetime, nonce, list: PRETIX_LIST } as CheckIn;
      this.checkIns.push(made);
      own.push(made);
    }
    const checkins = own.map((one) => ({ list: one.list, type: one.type, datetime: one.datetime }));
    return {
      http: 201,
      body: { status: 'ok', require_attention: false, position: { ...position, checkins } },
    };
  }

  #annul({ nonce }: Record<string, unknown>): Said {
    if (this.profile !== 'full') return { http: 403, body: { detail: 'No permission.' } };
    this.checkIns = this.checkIns.filter((one) => one.nonce !== nonce);
    return { http: 200, body: { status: 'ok' } };
  }
}
