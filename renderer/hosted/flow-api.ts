/** The flow API as the hosted page uses it. Every call rejects with a `FlowProblem` when the server says no. */
import type {
  ChallengeResponse,
  Device,
  OpenResponse,
  Snapshot,
  Timeline,
} from '../../server/contract/flow.ts';
import { problemOf } from './flow-problem.ts';
import { fetchRetrying, type RetryTools } from './retrying.ts';
import { serverEvents } from './sse.ts';
import type { TokenStore } from './token-store.ts';

export type Challenge = ChallengeResponse & {
  /** Life of the challenge from now, measured on the server's clock. */
  lifeMs: number;
};

/** One finished capture: the frames in the order of the timeline's entries. */
export type CaptureUpload = { nonce: string; timeline: Timeline; frames: readonly Blob[] };

export type FlowApi = {
  open: (device: Device) => Promise<Snapshot>;
  consent: (textVersion: string, language: string) => Promise<Snapshot>;
  challenge: () => Promise<Challenge>;
  capture: (upload: CaptureUpload) => Promise<Snapshot>;
  testCapture: (face: string) => Promise<Snapshot>;
  decline: () => Promise<Snapshot>;
  snapshot: () => Promise<Snapshot>;
  /** Follows the run until `signal` aborts, reconnecting on its own. */
  follow: (onSnapshot: (snapshot: Snapshot) => void, signal: AbortSignal) => Promise<void>;
};

/** A followed stream that ends is opened again after this. */
const RECONNECT_MS = 1_000;

export function createFlowApi(sessionId: string, tokens: TokenStore, tools: RetryTools): FlowApi {
  const base = `/flow/sessions/${encodeURIComponent(sessionId)}`;

  const request = async (method: string, path: string, body?: object, signal?: AbortSignal) => {
    const response = await fetchRetrying(tools, base + path, () => {
      const headers = new Headers({ accept: 'application/json' });
      const token = tokens.read();
      if (token !== null) headers.set('x-flow-token', token);
      const isForm = body instanceof FormData;
      if (body !== undefined && !isForm) headers.set('content-type', 'application/json');
      return {
        method,
        headers,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      };
    });
    if (!response.ok) throw problemOf(response.status, await response.json().catch(() => null));
    return response;
  };
  const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
  const post = (path: string, body?: object) => json<Snapshot>(request('POST', path, body));
  const snapshot = () => json<Snapshot>(request('GET', ''));

  return {
    async open(device) {
      const opened = await json<OpenResponse>(request('POST', '/open', { device }));
      tokens.write(opened.flow_token);
      return opened.snapshot;
    },
    consent: (textVersion, language) =>
      post('/consent', { accepted: true, text_version: textVersion, language }),
    async challenge() {
      const response = await request('POST', '/capture/challenge');
      const challenge = (await response.json()) as ChallengeResponse;
      const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
      return { ...challenge, lifeMs: Date.parse(challenge.expires_at) - now };
    },
    capture({ nonce, timeline, frames }) {
      const form = new FormData();
      form.append('nonce', nonce);
      form.append('timeline', JSON.stringify(timeline));
      frames.forEach((frame, index) => form.append('frames', frame, `frame-${index}.jpg`));
      return post('/capture', form);
    },
    testCapture: (face) => post('/test-capture', { face }),
    decline: () => post('/decline'),
    snapshot,
    async follow(onSnapshot, signal) {
      const stopped = () => signal.aborted;
      while (!stopped()) {
        try {
          const response = await request('GET', '/events', undefined, signal);
          for await (const { event, data } of serverEvents(response.body ?? new ReadableStream())) {
            if (event === 'snapshot') onSnapshot(JSON.parse(data) as Snapshot);
          }
        } catch (error) {
          if (stopped()) return;
          if (!(error instanceof TypeError)) throw error;
        }
        await tools.pause(RECONNECT_MS, signal).catch(() => undefined);
      }
    },
  };
}
