/** The flow API of one run. Every call rejects with a `RequestError` if the server refuses. */
import type { CaptureAnswers } from '../../server/contract/capture.ts';
import type {
  ContinuationResponse,
  Device,
  HandoffResponse,
  OpenRequest,
  OpenResponse,
  ShownPeriods,
  Snapshot,
  TestDecision,
} from '../../server/contract/flow.ts';
import { flow } from '../../server/contract/routes/flow.ts';
import type { CaptureEndpoint } from '../capture/exchange/carriers.ts';
import { addressOf, createClient } from '../http/client.ts';
import { asRequestError } from '../http/request-error.ts';
import { retrying, type RetryTools } from '../http/retrying.ts';
import { serverEvents } from '../http/sse.ts';
import { flowRefusalOf } from './flow-refusal.ts';
import type { PageLink } from './link.ts';
import type { PendingHandoff, RunMemory } from './run-memory.ts';

/** Something that expires, with its remaining life measured on the server's clock. */
type Living<T> = T & { lifeMs: number };
export type HandoffOffer = Living<HandoffResponse>;
export type ContinuationOffer = Living<ContinuationResponse>;

export type FlowApi = ReturnType<typeof createFlowApi>;

/** Delay before a followed stream that ended is opened again. */
const RECONNECT_MS = 1_000;
/** Delay and number of tries for a run that the previous frame may still hold. */
const REOPEN_MS = 1_000;
const MAX_OPEN_TRIES = 5;

const CAPTURE = { method: 'GET', path: '/flow/sessions/:session_id/capture' } as const;
const CAPTURE_MESSAGES = { method: 'POST', path: '/flow/sessions/:session_id/capture/messages' } as const;

export function createFlowApi(
  { run: link, directToken }: Pick<PageLink, 'run' | 'directToken'>,
  memory: RunMemory,
  tools: RetryTools,
) {
  /** The session's ID is known once the link was opened. */
  let sessionId = link.kind === 'session' ? link.id : '';

  const options = {
    credentials: 'omit',
    headers: (): Record<string, string> => {
      const token = memory.token();
      return token === null ? {} : { 'x-flow-token': token };
    },
  } as const;
  const { call, callTimed, send } = createClient({ ...options, fetch: retrying(tools) });
  /** Calls that are not repeated. */
  const once = createClient({ ...options, fetch: tools.fetch });

  /** Without lasting storage, the previous frame releases its run while this one opens. */
  const untilReleased = async (ask: () => Promise<OpenResponse>): Promise<OpenResponse> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask();
      } catch (error) {
        const taken = asRequestError(error).code === 'session_claimed';
        if (!taken || memory.lasts() || tries === MAX_OPEN_TRIES) throw error;
        await tools.pause(REOPEN_MS);
      }
    }
  };
  const here = () => ({ params: { session_id: sessionId } });
  const withLife = async <T extends { expires_at: string }>(
    answer: Promise<{ reply: T; serverMs: number }>,
  ): Promise<Living<T>> => {
    const { reply, serverMs } = await answer;
    return { ...reply, lifeMs: Date.parse(reply.expires_at) - serverMs };
  };
  const opened = ({ flow_token, snapshot }: OpenResponse): Snapshot => {
    memory.keepToken(flow_token);
    sessionId = snapshot.session_id;
    return snapshot;
  };

  const askToOpen = (body: OpenRequest): Promise<OpenResponse> => {
    switch (link.kind) {
      case 'session':
        return call(flow.open, { params: { session_id: link.id }, body });
      case 'invite':
        return call(flow.openInvite, { params: { code: link.id }, body });
      case 'verification':
        return call(flow.openVerification, { params: { id: link.id }, body });
    }
  };
  const open = async (device: Device): Promise<Snapshot> => {
    const settled = memory.settled();
    if (settled !== null) {
      sessionId = settled;
      try {
        return await call(flow.read, here());
      } catch (error) {
        // Erased meanwhile, for example; the link then says what it is worth.
        if (asRequestError(error).status === 0) throw error;
        memory.forget();
        sessionId = link.kind === 'session' ? link.id : '';
      }
    }
    const proof = directToken === null ? {} : { t: directToken };
    const body = { device, resume_key: memory.resumeKey(), ...proof };
    return opened(await untilReleased(() => askToOpen(body)));
  };

  /** Of this run. */
  const capture: CaptureEndpoint = {
    resume: { key: null },
    token: () => memory.token(),
    address: () => new URL(addressOf(CAPTURE, here()), location.href.replace(/^http/, 'ws')).href,
    async post(message, signal) {
      const isStill = message instanceof Blob;
      const file = isStill ? message : new Blob([JSON.stringify(message)], { type: 'application/json' });
      const response = await once.send(CAPTURE_MESSAGES, { ...here(), file, signal });
      return (await response.json()) as CaptureAnswers;
    },
  };

  return {
    open,
    /** Asks to take the run over from a computer, with the code of its link. */
    async openHandoff(code: string, device: Device): Promise<PendingHandoff> {
      const body = { session_id: sessionId, code, device, resume_key: memory.resumeKey() };
      const { flow_token, ...handoff } = await call(flow.openHandoff, { body });
      memory.keepToken(flow_token);
      memory.keepHandoff(handoff);
      return handoff;
    },
    /** Takes the run over from another browser of this phone, with the code of its link. */
    async openContinuation(code: string, device: Device) {
      const body = { session_id: sessionId, code, device, resume_key: memory.resumeKey() };
      try {
        return opened(await call(flow.openContinuation, { body }));
      } catch (error) {
        // The page that offers the link also has it in its own address, and may be reloaded late.
        const { code: problem } = asRequestError(error);
        const isSpent = problem === 'continuation_used' || problem === 'continuation_expired';
        if (isSpent && memory.token() !== null) return open(device);
        throw error;
      }
    },
    consent: (textVersion: string, language: string, shown?: ShownPeriods) =>
      call(flow.consent, {
        ...here(),
        body: { accepted: true, text_version: textVersion, language, ...shown },
      }),
    /** Sends a code; by default to the run's own number. */
    sendCode: (phone: string | null) =>
      call(flow.sendCode, { ...here(), body: phone === null ? {} : { phone } }),
    confirmCode: (code: string) => call(flow.confirmCode, { ...here(), body: { code } }),
    capture,
    testCapture: (face: string) => call(flow.testCapture, { ...here(), body: { face } }),
    testReview: (decision: TestDecision) => call(flow.testReview, { ...here(), body: { decision } }),
    decline: () => call(flow.decline, here()),
    /** Releases the run so that the next page can open it. The request outlives this page, and no response is awaited. */
    release: () => {
      if (memory.token() === null || sessionId === '') return;
      void once.send(flow.release, { ...here(), keepalive: true }).catch(() => undefined);
    },
    offerHandoff: (): Promise<HandoffOffer> => withLife(callTimed(flow.offerHandoff, here())),
    /** A link with which another browser of this phone takes the run over. */
    offerContinuation: (): Promise<ContinuationOffer> => withLife(callTimed(flow.offerContinuation, here())),
    /** Proves with the computer's number that this phone is the person's. */
    async confirmHandoff(number: string) {
      try {
        return await call(flow.confirmHandoff, { ...here(), body: { number } });
      } catch (error) {
        const { triesLeft } = flowRefusalOf(error).details;
        const handoff = memory.handoff();
        if (triesLeft !== null && handoff !== null) memory.keepHandoff({ ...handoff, tries_left: triesLeft });
        throw error;
      }
    },
    snapshot: () => call(flow.read, here()),
    /** Follows the run until `signal` aborts, reconnecting automatically. */
    async follow(onSnapshot: (snapshot: Snapshot) => void, signal: AbortSignal) {
      const stopped = () => signal.aborted;
      while (!stopped()) {
        try {
          const response = await send(flow.events, { ...here(), signal });
          for await (const { event, data } of serverEvents(response.body ?? new ReadableStream())) {
            if (event === 'snapshot') onSnapshot(JSON.parse(data) as Snapshot);
          }
        } catch (error) {
          if (stopped()) return;
          // A stream that broke off is opened again; a refusal is the answer.
          if (asRequestError(error).status !== 0) throw error;
        }
        await tools.pause(RECONNECT_MS, signal).catch(() => undefined);
      }
    },
  };
}
