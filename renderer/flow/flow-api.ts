/** The flow API as the hosted page uses it. Every call rejects with a `FlowProblem` when the server says no. */
import type {
  ChallengeResponse,
  ContinuationResponse,
  Device,
  HandoffOpenResponse,
  HandoffResponse,
  OpenResponse,
  Snapshot,
  TestDecision,
  Timeline,
} from '../../server/contract/flow.ts';
import { asFlowProblem, problemOf } from './flow-problem.ts';
import type { PageLink, RunLink } from './link.ts';
import { fetchRetrying, type RetryTools } from './retrying.ts';
import type { PendingHandoff, RunMemory } from './run-memory.ts';
import { serverEvents } from './sse.ts';

/** Something that ends, with its life from now measured on the server's clock. */
type Living<T> = T & { lifeMs: number };
export type Challenge = Living<ChallengeResponse>;
export type HandoffOffer = Living<HandoffResponse>;
export type ContinuationOffer = Living<ContinuationResponse>;

/** One finished capture: the frames in the order of the timeline's entries. */
export type CaptureUpload = { nonce: string; timeline: Timeline; frames: readonly Blob[] };

export type FlowApi = {
  open: (device: Device) => Promise<Snapshot>;
  /** Takes the run over from another browser of this phone, with the code of its link. */
  openContinuation: (code: string, device: Device) => Promise<Snapshot>;
  /** Asks to take the run over from a computer, with the code of its link. */
  openHandoff: (code: string, device: Device) => Promise<PendingHandoff>;
  consent: (textVersion: string, language: string) => Promise<Snapshot>;
  /** Sends a code; to the run's own number when none is given. */
  sendCode: (phone: string | null) => Promise<Snapshot>;
  confirmCode: (code: string) => Promise<Snapshot>;
  challenge: () => Promise<Challenge>;
  capture: (upload: CaptureUpload) => Promise<Snapshot>;
  testCapture: (face: string) => Promise<Snapshot>;
  testReview: (decision: TestDecision) => Promise<Snapshot>;
  decline: () => Promise<Snapshot>;
  /** Gives the run back so that the next page may open it. Outlives this page; nobody waits for the answer. */
  release: () => void;
  offerHandoff: () => Promise<HandoffOffer>;
  /** A link by which another browser of this phone takes the run over. */
  offerContinuation: () => Promise<ContinuationOffer>;
  /** Proves with the computer's number that this phone is the person's. */
  confirmHandoff: (number: string) => Promise<Snapshot>;
  snapshot: () => Promise<Snapshot>;
  /** Follows the run until `signal` aborts, reconnecting on its own. */
  follow: (onSnapshot: (snapshot: Snapshot) => void, signal: AbortSignal) => Promise<void>;
};

/** A followed stream that ends is opened again after this. */
const RECONNECT_MS = 1_000;
/** A run that the frame before may still hold is asked for again after this, so often in all. */
const REOPEN_MS = 1_000;
const MAX_OPEN_TRIES = 5;

const OPENED_AT: Record<RunLink['kind'], string> = {
  session: '/flow/sessions/',
  invite: '/flow/invites/',
  verification: '/flow/verifications/',
};

export function createFlowApi(
  { run: link, directToken }: Pick<PageLink, 'run' | 'directToken'>,
  memory: RunMemory,
  tools: RetryTools,
): FlowApi {
  /** The session's id is known once the link was opened. */
  let sessionId = link.kind === 'session' ? link.id : '';

  const request = async (method: string, path: string, body?: object, signal?: AbortSignal) => {
    const response = await fetchRetrying(tools, path, () => {
      const headers = new Headers({ accept: 'application/json' });
      const token = memory.token();
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
    if (!response.ok) {
      const reply: unknown = await response.json().catch(() => null);
      throw problemOf(response.status, reply, response.headers.get('retry-after'));
    }
    return response;
  };
  /** Where nothing lasts, the frame before this one gives its run back while this one opens. */
  const untilReleased = async (ask: () => Promise<Response>): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const taken = asFlowProblem(error).code === 'session_claimed';
        if (!taken || memory.lasts() || tries === MAX_OPEN_TRIES) throw error;
        await tools.pause(REOPEN_MS);
      }
    }
  };
  const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
  const here = (path: string) => `/flow/sessions/${encodeURIComponent(sessionId)}${path}`;
  const post = (path: string, body?: object) => json<Snapshot>(request('POST', here(path), body));
  const postLiving = async <T extends { expires_at: string }>(path: string): Promise<Living<T>> => {
    const response = await request('POST', here(path));
    const reply = (await response.json()) as T;
    const now = Date.parse(response.headers.get('date') ?? '') || Date.now();
    return { ...reply, lifeMs: Date.parse(reply.expires_at) - now };
  };
  const opened = ({ flow_token, snapshot }: OpenResponse): Snapshot => {
    memory.keepToken(flow_token);
    sessionId = snapshot.session_id;
    return snapshot;
  };

  const open = async (device: Device): Promise<Snapshot> => {
    const path = `${OPENED_AT[link.kind]}${encodeURIComponent(link.id)}/open`;
    const body = { device, resume_key: memory.resumeKey() };
    const proof = directToken === null ? {} : { t: directToken };
    return opened(await json(untilReleased(() => request('POST', path, { ...body, ...proof }))));
  };

  return {
    open,
    async openHandoff(code, device) {
      const body = { session_id: sessionId, code, device, resume_key: memory.resumeKey() };
      const { flow_token, ...handoff } = await json<HandoffOpenResponse>(
        request('POST', '/flow/handoff/open', body),
      );
      memory.keepToken(flow_token);
      memory.keepHandoff(handoff);
      return handoff;
    },
    async openContinuation(code, device) {
      const body = { session_id: sessionId, code, device, resume_key: memory.resumeKey() };
      try {
        return opened(await json(request('POST', '/flow/continuation/open', body)));
      } catch (error) {
        // The page that offers the link has it in its own address, too, and may be reloaded late.
        const { code: problem } = asFlowProblem(error);
        const isSpent = problem === 'continuation_used' || problem === 'continuation_expired';
        if (isSpent && memory.token() !== null) return open(device);
        throw error;
      }
    },
    consent: (textVersion, language) =>
      post('/consent', { accepted: true, text_version: textVersion, language }),
    sendCode: (phone) => post('/phone', phone === null ? {} : { phone }),
    confirmCode: (code) => post('/phone/confirm', { code }),
    challenge: () => postLiving<ChallengeResponse>('/capture/challenge'),
    capture({ nonce, timeline, frames }) {
      const form = new FormData();
      form.append('nonce', nonce);
      form.append('timeline', JSON.stringify(timeline));
      frames.forEach((frame, index) => form.append('frames', frame, `frame-${index}.jpg`));
      return post('/capture', form);
    },
    testCapture: (face) => post('/test-capture', { face }),
    testReview: (decision) => post('/test-review', { decision }),
    decline: () => post('/decline'),
    release() {
      const token = memory.token();
      if (token === null || sessionId === '') return;
      const headers = { 'x-flow-token': token };
      const options = { method: 'POST', headers, keepalive: true, credentials: 'omit' } as const;
      void tools.fetch(here('/release'), options).catch(() => undefined);
    },
    offerHandoff: () => postLiving<HandoffResponse>('/handoff'),
    offerContinuation: () => postLiving<ContinuationResponse>('/continuation'),
    async confirmHandoff(number) {
      try {
        return await post('/handoff/confirm', { number });
      } catch (error) {
        const { triesLeft } = asFlowProblem(error).details;
        const handoff = memory.handoff();
        if (triesLeft !== null && handoff !== null) memory.keepHandoff({ ...handoff, tries_left: triesLeft });
        throw error;
      }
    },
    snapshot: () => json<Snapshot>(request('GET', here(''))),
    async follow(onSnapshot, signal) {
      const stopped = () => signal.aborted;
      while (!stopped()) {
        try {
          const response = await request('GET', here('/events'), undefined, signal);
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
