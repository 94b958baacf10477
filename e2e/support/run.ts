/** A person's run without a browser: a test makes the hosted page's calls to the flow API. */
import type { ServerMessage } from '../../server/contract/capture.ts';
import type { OpenResponse, Snapshot } from '../../server/contract/flow.ts';
import type { Confirmation, InitializeRequest, InitializeResponse } from '../../server/contract/v3.ts';
import { personBefore, type CameraOptions } from '../../testing/camera/capture/capture.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import {
  connectPage,
  followRequests,
  helloOf,
  type WirePerson,
} from '../../testing/camera/capture/exchange-client.ts';
import { type Backend, type Reply, send, sendOk } from './http.ts';
import type { Gatehouse } from './service/server.ts';

export type Run = {
  readonly baseUrl: string;
  readonly sessionId: string;
  readonly url: string;
  readonly flowToken: string;
  /** A call of the flow API below the session, with its token; without a body it is a GET. */
  flow<T = Snapshot>(path: string, body?: unknown): Promise<Reply<T>>;
  snapshot(): Promise<Snapshot>;
};

export async function initialize(
  { baseUrl }: Backend,
  key: string,
  request: InitializeRequest = {},
): Promise<InitializeResponse & { session_id: string }> {
  const reply = await sendOk<InitializeResponse>(`${baseUrl}/v3/initialize`, { key, body: request });
  if (reply.session_id === null) throw new Error('No session came back.');
  return { ...reply, session_id: reply.session_id };
}

/** A session that a device has opened. */
export async function openRun(server: Backend, key: string, request: InitializeRequest = {}): Promise<Run> {
  const { session_id, url } = await initialize(server, key, request);
  const opened = await sendOk<OpenResponse>(`${server.baseUrl}/flow/sessions/${session_id}/open`, {
    body: { device: 'mobile' },
  });
  return runOf(server, { sessionId: session_id, url, flowToken: opened.flow_token });
}

/** Like `openRun`, with consent given. */
export async function consentedRun(
  server: Backend,
  key: string,
  request: InitializeRequest = {},
): Promise<Run> {
  const run = await openRun(server, key, request);
  const { status } = await run.flow('/consent', { accepted: true });
  if (status !== 200) throw new Error(`The consent was answered with ${status}.`);
  return run;
}

/** A complete run of a test face; returns its result token. */
export async function settledToken(
  gatehouse: Gatehouse,
  face: string,
  request: InitializeRequest = {},
): Promise<string> {
  const run = await consentedRun(gatehouse, gatehouse.company.keys.sk_test, request);
  const { body } = await run.flow('/test-capture', { face });
  if (!body.result) throw new Error('The run did not settle.');
  return body.result.vyt;
}

/** The run of a session that was already opened, perhaps by a page. */
export function runOf(
  { baseUrl }: Backend,
  { sessionId, url, flowToken }: Pick<Run, 'sessionId' | 'url' | 'flowToken'>,
): Run {
  const base = `${baseUrl}/flow/sessions/${sessionId}`;
  const flow = <T = Snapshot>(path: string, body?: unknown) => send<T>(base + path, { flowToken, body });
  return {
    baseUrl,
    sessionId,
    url,
    flowToken,
    flow,
    snapshot: () => sendOk<Snapshot>(base, { flowToken }),
  };
}

/**
 * One capture of a person.
 * @returns the server's last message, null if the connection was lost
 */
export async function follow(run: Run, person: WirePerson): Promise<ServerMessage | null> {
  const page = await connectPage(run);
  try {
    page.say(helloOf(run));
    return (await followRequests(page, person)).last;
  } finally {
    page.drop();
  }
}

/**
 * One attempt at the camera, to its verdict.
 * @throws if there is none
 */
export async function attempt(
  run: Run,
  person: Clips | WirePerson,
  options: CameraOptions = {},
): Promise<Snapshot> {
  const last = await follow(run, 'clips' in person ? personBefore(person, options) : person);
  if (last?.type !== 'verdict') throw new Error(`The capture ended with ${JSON.stringify(last)}.`);
  return last.snapshot;
}

/** What the customer's backend reads with a result token. */
export function confirmation({ baseUrl }: Backend, secretKey: string, vyt: string): Promise<Confirmation> {
  return sendOk<Confirmation>(`${baseUrl}/v3/confirmations/${vyt}`, { key: secretKey });
}
