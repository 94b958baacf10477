/** A fetch that survives a lost network, a busy engine and maintenance, and reports why it waits. */
import type { WaitReason } from '../i18n/messages.ts';
import { isPortal } from './portal.ts';
import { retryAfterS } from './request-error.ts';

export type RetryTools = {
  fetch: typeof fetch;
  /** Resolves after `ms`, or earlier if the network comes back. Rejects when `signal` aborts. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called with the reason why a request waits, and with null once it succeeds. */
  report: (reason: WaitReason | null) => void;
};

/** A call had no whole reply within its time. */
export class CutOffError extends Error {
  /** The line was cut meanwhile, and answers again: the call can be repeated at once. */
  readonly isBack: boolean;

  constructor(isBack: boolean) {
    super('no reply');
    this.name = 'CutOffError';
    this.isBack = isBack;
  }
}

/** Longest and shortest pause between two tries. */
const MAX_PAUSE_MS = 15_000;
const MIN_PAUSE_MS = 1_000;
/** Somebody is signing in to the network, and returns to the page. */
const PORTAL_PAUSE_MS = 3_000;
/** Maintenance often ends before it said, and a guest stands before the screen. Its answer costs the server nothing. */
const MAINTENANCE_PAUSE_MS = 5_000;
/** Number of tries against a server that fails with 5xx before the person is told. */
const MAX_SERVER_TRIES = 3;

/** Pause after the given number of failures in a row: 1 s, doubled each time, at most 15 s. */
export const backoffMs = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** (failures - 1));

/** The wait that a reply requests, within the page's limits; `fallbackMs` if it requests none. */
export function pauseMsOf(headers: Headers, fallbackMs: number): number {
  const seconds = retryAfterS(headers);
  return seconds === null ? fallbackMs : Math.min(60_000, Math.max(MIN_PAUSE_MS, seconds * 1_000));
}

type Refusal = { reason: WaitReason; failed: boolean };

/** 429s that are an answer: the person is told, and may try again at any time. */
const FOR_THE_PERSON: readonly unknown[] = ['resend_too_soon', 'too_many_codes', 'too_many_sessions'];

/**
 * Why a 503 or 429 was sent; null if it is the answer itself. An engine that failed may fail again; a busy engine or
 * maintenance is temporary.
 */
async function refusalOf(response: Response): Promise<Refusal | null> {
  if (response.status !== 503 && response.status !== 429) return null;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null;
  if (FOR_THE_PERSON.includes(detail)) return null;
  const failed = detail === 'engine_failed';
  return {
    failed,
    reason: response.status === 429 || failed || detail === 'engine_busy' ? 'busy' : 'maintenance',
  };
}

/**
 * A `fetch` that repeats a request until the reply is neither 503 nor 429; retries without limit if the network is
 * lost, a few times on other 5xx. Bodies must be re-readable: text, blobs and forms are, streams are not.
 */
export const retrying =
  (tools: RetryTools): typeof fetch =>
  async (input, init = {}) => {
    const { signal } = init;
    let serverErrors = 0;
    for (let failures = 1; ; failures += 1) {
      let pauseMs = backoffMs(failures);
      try {
        const response = await tools.fetch(input, init);
        const refused = await refusalOf(response);
        if (isPortal(response)) {
          tools.report('portal');
          pauseMs = Math.min(pauseMs, PORTAL_PAUSE_MS);
        } else if (refused !== null && (!refused.failed || ++serverErrors < MAX_SERVER_TRIES)) {
          tools.report(refused.reason);
          pauseMs = pauseMsOf(response.headers, pauseMs);
          if (refused.reason === 'maintenance') pauseMs = Math.min(pauseMs, MAINTENANCE_PAUSE_MS);
        } else if (refused === null && response.status >= 500 && ++serverErrors < MAX_SERVER_TRIES) {
          pauseMs = MIN_PAUSE_MS;
        } else {
          tools.report(null);
          return response;
        }
      } catch (error) {
        if (signal?.aborted === true) throw error;
        // The line was cut under this call and is back.
        if (error instanceof CutOffError && error.isBack) continue;
        tools.report('offline');
      }
      await tools.pause(pauseMs, signal ?? undefined);
    }
  };

/** The browser's own pause: a timer that the `online` event cuts short. */
export function browserPause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal?.removeEventListener('abort', abort);
    };
    const done = () => {
      end();
      resolve();
    };
    const abort = () => {
      end();
      reject(new DOMException('Aborted', 'AbortError'));
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
  });
}
