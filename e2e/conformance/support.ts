/**
 * Helpers of the conformance suite: it uses only HTTP and the command line of a started server. One server per worker,
 * one company per file; names are never reused, so tests of one company do not affect each other.
 */
import type { Snapshot } from '../../server/contract/flow.ts';
import type { Confirmation, InitializeRequest, InitializeResponse } from '../../server/contract/v3.ts';
import type { IssuedKeys } from '../../server/services/keys/keys.ts';
import type { VerificationRecord } from '../../server/services/companies/verifications.ts';
import { send, type Call, type Reply } from '../support/http.ts';
import { confirmation, consentedRun, type Run } from '../support/run.ts';
import type { Gatehouse } from '../support/service/server.ts';
import { newCompany } from '../support/venue.ts';

export { test } from '../support/service/shared-server.ts';

/** A run that has ended, from the view of the person's page and the customer's backend. */
type Settled = { run: Run; snapshot: Snapshot; vyt: string; confirmation: Confirmation };

/** An initialize body; many tests send wrong ones on purpose. */
type AnyBody = InitializeRequest | Record<string, unknown>;

type ErrorBody = { detail: string };
export type Finding = {
  loc: (string | number)[];
  msg: string;
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
};

export type Venue = {
  readonly gatehouse: Gatehouse;
  readonly baseUrl: string;
  readonly companyId: string;
  readonly defaultVerificationId: string;
  readonly keys: IssuedKeys;
  /** A call with the test secret key, unless another is given; `null` sends none. */
  call<T = ErrorBody>(path: string, call?: Omit<Call, 'key'> & { key?: string | null }): Promise<Reply<T>>;
  initialize<T = InitializeResponse>(body: AnyBody, key?: string): Promise<Reply<T>>;
  /** Status and detail code of a refused initialize: `400 invalid_redirect_url`. */
  refusal(body: AnyBody, key?: string): Promise<string>;
  /** The findings of an initialize body, as `type at loc`. */
  findings(body: unknown, key?: string): Promise<string[]>;
  /** A run whose person has consented. */
  begin(request?: InitializeRequest, key?: string): Promise<Run>;
  /** The complete run of a test face, with what the backend reads at the end. */
  settle(face: string, request?: InitializeRequest): Promise<Settled>;
  confirm<T = Confirmation>(vyt: string, key?: string): Promise<Reply<T>>;
  lock<T = Confirmation>(vyt: string, key?: string): Promise<Reply<T>>;
  lookup<T = Confirmation>(body: Record<string, unknown>, key?: string): Promise<Reply<T>>;
  /** A verification created by the command line; a config is given as an object. */
  verification(fields?: Record<string, string | object>): Promise<VerificationRecord>;
  /** A command on this company. */
  cli<T = unknown>(...args: string[]): Promise<T>;
};

export async function openVenue(gatehouse: Gatehouse, name: string): Promise<Venue> {
  const { company_id: companyId, default_verification_id, keys } = await newCompany(gatehouse, name);
  const cli = <T>(...args: string[]) => gatehouse.cli<T>([...args, '--company', companyId]);
  const call: Venue['call'] = <T>(
    path: string,
    { key, ...rest }: Omit<Call, 'key'> & { key?: string | null } = {},
  ) => send<T>(gatehouse.baseUrl + path, { ...rest, ...(key !== null && { key: key ?? keys.sk_test }) });
  const post = <T>(path: string, key?: string, body?: unknown) =>
    call<T>(path, { method: 'POST', ...(key !== undefined && { key }), ...(body !== undefined && { body }) });
  const initialize: Venue['initialize'] = <T>(body: AnyBody, key?: string) =>
    post<T>('/v3/initialize', key, body);
  const begin = (request: InitializeRequest = {}, key = keys.sk_test) =>
    consentedRun(gatehouse, key, request);

  return {
    gatehouse,
    baseUrl: gatehouse.baseUrl,
    companyId,
    defaultVerificationId: default_verification_id,
    keys,
    call,
    initialize,
    begin,
    async refusal(body, key) {
      const reply = await initialize<ErrorBody>(body, key);
      return `${reply.status} ${reply.body.detail}`;
    },
    async findings(body, key) {
      return findingsOf(await post('/v3/initialize', key, body));
    },
    async settle(face, request = {}) {
      const run = await begin(request);
      const snapshot = await captured(run, face);
      const vyt = resultOf(snapshot).vyt;
      return { run, snapshot, vyt, confirmation: await confirmation(gatehouse, keys.sk_test, vyt) };
    },
    confirm: <T>(vyt: string, key = keys.sk_test) => call<T>(`/v3/confirmations/${vyt}`, { key }),
    lock: <T>(vyt: string, key?: string) => post<T>(`/v3/confirmations/${vyt}/lock`, key),
    lookup: <T>(body: Record<string, unknown>, key?: string) => post<T>('/v3/confirmations', key, body),
    verification(fields = {}) {
      const options = Object.entries(fields).flatMap(([field, value]) => [
        `--${field}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      return cli<VerificationRecord>('verification', 'create', ...options);
    },
    cli,
  };
}

const shared = new WeakMap<Gatehouse, Promise<Venue>>();

/** The shared company of all files that only add people, accounts and groups of their own; one per server. */
export function sharedVenue(gatehouse: Gatehouse): Promise<Venue> {
  const venue = shared.get(gatehouse) ?? openVenue(gatehouse, 'Shared');
  shared.set(gatehouse, venue);
  return venue;
}

/**
 * Shows a test face to a run until it is over; a failing face uses up all attempts. Leaves a finished run unchanged.
 */
export async function captured(run: Run, face: string): Promise<Snapshot> {
  let snapshot = await run.snapshot();
  while (snapshot.state === 'open') {
    const { status, body } = await run.flow('/test-capture', { face });
    if (status !== 200) throw new Error(`The face was answered with ${status}: ${JSON.stringify(body)}`);
    snapshot = body;
  }
  return snapshot;
}

export function resultOf({ result, state }: Snapshot): NonNullable<Snapshot['result']> {
  if (!result) throw new Error(`The run is ${state} and has no result.`);
  return result;
}

/** Where the person is sent at the end. */
export function returnUrl(snapshot: Snapshot): URL {
  const { return_url: url } = resultOf(snapshot);
  if (url === null) throw new Error('The run returns nowhere.');
  return new URL(url);
}

/**
 * A 422's findings as `type at loc`; empty for an accepted body.
 * @throws on any other answer
 */
export function findingsOf({ status, body }: Reply): string[] {
  if (status === 200) return [];
  const { detail } = body as { detail: Finding[] };
  if (status !== 422 || !Array.isArray(detail))
    throw new Error(`No findings: ${status} ${JSON.stringify(body)}`);
  return detail.map(({ type, loc }) => `${type} at ${loc.join('.')}`);
}

let made = 0;
/** A unique name for a person, an account or a group. */
export const fresh = (name: string): string => `${name}-${(made += 1)}`;
export const freshEmail = (): string => `${fresh('person')}@example.com`;
/** A number of the global test range. */
export const freshPhone = (): string => `+99901${String(1_000_000 + (made += 1))}`;

/** A separate run for each visit. */
export const NO_SKIP = { skip: { window_hours: 0 } } as const;
export const FLAGGING = { ...NO_SKIP, collision: { action: 'flag' } } as const;
export const REVIEWING = { ...NO_SKIP, collision: { action: 'review' } } as const;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A well-formed ID that names nothing. */
export const NOBODYS_UUID = '01900000-0000-7000-8000-000000000000';
