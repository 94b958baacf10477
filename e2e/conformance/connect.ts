/** Helpers of the conformance suite for v1 and v2: calls with an API-KEY, and runs from the returned links. */
import type { OpenResponse, Snapshot } from '../../server/contract/flow.ts';
import type { FailureBody } from '../../server/contract/connect.ts';
import type { GetStatusResponse, RegisterResponse } from '../../server/contract/v1.ts';
import type { CreateResponse, StatusResponse } from '../../server/contract/v2.ts';
import { send, sendOk, type Reply } from '../support/http.ts';
import { runOf, type Run } from '../support/run.ts';
import { captured, freshPhone, type Venue } from './support.ts';

export const REGISTER = '/v1/business_connect_user/register';
export const GET_STATUS = '/v1/business_connect_user/get_status';
export const CREATE = '/v2/verification/create';
export const STATUS = '/v2/verification/status';
export const PHONE_NUMBER = '/v2/sandbox/phone-number';
export const VERIFICATION_CODE = '/v2/sandbox/verification-code';

type CallOptions = { key?: string | null; headers?: Record<string, string>; method?: string };

/** A POST with the demo key, unless another is given; `null` sends none. */
export function connect<T = FailureBody>(
  { baseUrl, keys }: Venue,
  path: string,
  body?: unknown,
  { key = keys.ak_test, headers = {}, method = 'POST' }: CallOptions = {},
): Promise<Reply<T>> {
  return send<T>(baseUrl + path, {
    method,
    ...(body !== undefined && { body }),
    headers: { ...(key !== null && { 'API-KEY': key }), ...headers },
  });
}

/** Status and code of a refusal, `400 INVALID_REQUEST`; also checks its whole body. */
export async function failure(
  venue: Venue,
  path: string,
  body?: unknown,
  options?: CallOptions,
): Promise<string> {
  const reply = await connect<Record<string, string>>(venue, path, body, options);
  const { status, failure_code = '', failure_reason = '', ...rest } = reply.body;
  if (status !== 'failure' || failure_reason === '' || Object.keys(rest).length > 0) {
    throw new Error(`No failure body: ${reply.status} ${JSON.stringify(reply.body)}`);
  }
  return `${reply.status} ${failure_code}`;
}

async function ok<T>(venue: Venue, path: string, body: unknown, key?: string): Promise<T> {
  const reply = await connect<T>(venue, path, body, key === undefined ? {} : { key });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export const create = (venue: Venue, body: object = {}, key?: string) =>
  ok<CreateResponse>(venue, CREATE, body, key);
export const status = (venue: Venue, body: object) => ok<StatusResponse>(venue, STATUS, body);
export const register = (venue: Venue, body: object, key?: string) =>
  ok<RegisterResponse>(venue, REGISTER, body, key);
export const getStatus = (venue: Venue, reference_user_id: string) =>
  ok<GetStatusResponse>(venue, GET_STATUS, { reference_user_id });

/** Opens a v2 link or a v1 invite as a phone does, and gives consent. */
export async function openLink({ baseUrl }: Venue, link: string): Promise<Run> {
  const { pathname, searchParams } = new URL(link);
  const sessionId = searchParams.get('session_id');
  const t = searchParams.get('t');
  const path =
    sessionId === null
      ? `/flow/invites/${pathname.split('/').at(-1) ?? ''}/open`
      : `/flow/sessions/${sessionId}/open`;
  const opened = await sendOk<OpenResponse>(baseUrl + path, {
    body: { device: 'mobile', ...(t !== null && { t }) },
  });
  const run = runOf(
    { baseUrl },
    {
      sessionId: opened.snapshot.session_id,
      url: link,
      flowToken: opened.flow_token,
    },
  );
  await run.flow('/consent', { accepted: true });
  return run;
}

/** Verifies a number by its code, if the run asks for one. */
export async function provePhone(run: Run, number = freshPhone()): Promise<Snapshot> {
  const before = await run.snapshot();
  if (before.step !== 'phone') return before;
  await run.flow('/phone', { phone: number });
  const { status: answered, body } = await run.flow('/phone/confirm', { code: number.slice(-6) });
  if (answered !== 200) throw new Error(`The code was answered with ${answered}: ${JSON.stringify(body)}`);
  return body;
}

/** The complete run of a test face from a link to the end. */
export async function walk(
  venue: Venue,
  link: string,
  face: string,
  number?: string,
): Promise<{ run: Run; snapshot: Snapshot }> {
  const run = await openLink(venue, link);
  await provePhone(run, number);
  return { run, snapshot: await captured(run, face) };
}

/** The parameters with which the person returned to the integration's address. */
export const broughtBack = ({ result }: Snapshot): URLSearchParams =>
  new URL(result?.return_url ?? 'none:').searchParams;
