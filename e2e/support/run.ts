/** A person's run without a browser: what the hosted page says to the flow API, said by a test. */
import type { ChallengeResponse, LivenessStep, OpenResponse, Snapshot } from '../../server/contract/flow.ts';
import type { Confirmation, InitializeRequest, InitializeResponse } from '../../server/contract/v3.ts';
import { captureFor, type Capture, type CaptureOptions } from '../../testing/camera/capture.ts';
import { BRISK } from '../../testing/camera/capture-pace.ts';
import type { Clips } from '../../testing/camera/clips.ts';
import { send, sendOk, type Reply } from './http.ts';

export type Challenge = { nonce: string; steps: LivenessStep[]; receivedAtMs: number };

export type Run = {
  readonly sessionId: string;
  readonly url: string;
  readonly flowToken: string;
  /** A call of the flow API below the session, with its token; without a body it is a GET. */
  flow<T = Snapshot>(path: string, body?: unknown): Promise<Reply<T>>;
  snapshot(): Promise<Snapshot>;
  challenge(): Promise<Challenge>;
  /** Uploads a capture, not before its own last frame was taken. */
  upload(challenge: Challenge, capture: Capture): Promise<Reply<Snapshot>>;
};

export type Backend = { readonly baseUrl: string };

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

/** As `openRun`, with the consent given. */
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

/** The run of a session that was opened already, perhaps by a page. */
export function runOf(
  { baseUrl }: Backend,
  { sessionId, url, flowToken }: Pick<Run, 'sessionId' | 'url' | 'flowToken'>,
): Run {
  const base = `${baseUrl}/flow/sessions/${sessionId}`;
  const flow = <T = Snapshot>(path: string, body?: unknown) => send<T>(base + path, { flowToken, body });
  return {
    sessionId,
    url,
    flowToken,
    flow,
    snapshot: () => sendOk<Snapshot>(base, { flowToken }),
    async challenge() {
      const reply = await sendOk<ChallengeResponse>(`${base}/capture/challenge`, {
        method: 'POST',
        flowToken,
      });
      return { nonce: reply.nonce, steps: reply.steps, receivedAtMs: Date.now() };
    },
    async upload({ nonce, receivedAtMs }, { frames, timeline }) {
      const lastMs = Math.max(...timeline.frames.map((frame) => frame.at_ms));
      const leftMs = receivedAtMs + lastMs - Date.now();
      if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
      const form = new FormData();
      form.append('nonce', nonce);
      form.append('timeline', JSON.stringify(timeline));
      frames.forEach((frame, index) =>
        form.append(
          'frames',
          new Blob([new Uint8Array(frame)], { type: 'image/jpeg' }),
          `frame-${index}.jpg`,
        ),
      );
      return flow('/capture', form);
    },
  };
}

/** One attempt: challenge, frames, verdict. */
export async function attempt(
  run: Run,
  person: Clips,
  options: CaptureOptions = {},
): Promise<Snapshot & { capture: Capture }> {
  const challenge = await run.challenge();
  const capture = await captureFor(person, challenge.steps, { pace: BRISK, ...options });
  const { status, body } = await run.upload(challenge, capture);
  if (status !== 200) throw new Error(`The capture was answered with ${status}: ${JSON.stringify(body)}`);
  return { ...body, capture };
}

/** What the customer's backend reads of a result token. */
export function confirmation({ baseUrl }: Backend, secretKey: string, vyt: string): Promise<Confirmation> {
  return sendOk<Confirmation>(`${baseUrl}/v3/confirmations/${vyt}`, { key: secretKey });
}
