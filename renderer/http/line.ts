/**
 * The line to the server. A wire that swallows bytes causes no error, and the browser calls it online: so the page
 * asks a small question when it waits, says at once that nothing answers, and sends again what hung on the cut wire.
 */
import { answerOf, expectHungParts } from './load-part.ts';
import { isPortal } from './portal.ts';
import { browserPause, CutOffError } from './retrying.ts';

/** Between two questions while nothing answers; a hung one does not hold up the next. */
const ASK_AGAIN_MS = 1_000;
/** A call without a reply for this long makes the page ask. */
const PATIENCE_MS = 2_000;
/** Pause between two questions while the person reads. */
const WATCH_EVERY_MS = 3_000;
/** A call without a whole reply for this long is given up. */
const LIMIT_MS = 8_000;
/** After the line is back, a reply that is still on its way has this long. */
const GRACE_MS = 500;
/** After so many unanswered questions, what hangs is given up: it may hold every connection to the server. */
const HELD_UP = 15;

export type Line = {
  /** `fetch` with a limit for the whole reply; an event stream ends when the line was cut. Rejects with `CutOffError`. */
  fetch: typeof fetch;
  /** Resolves after `ms`, or earlier when the line is back. Rejects when `signal` aborts. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  isUp: () => boolean;
  /** A call was answered, or not: what the page knows without asking. */
  report: (answers: boolean) => void;
  /** Asks now. Resolves with whether the server answers. */
  check: () => Promise<boolean>;
  /** Called when the line is cut, and when it is back. */
  follow: (listener: (isUp: boolean) => void) => () => void;
  /** Asks now and then while the page is seen and `isNeeded`. */
  watch: (isNeeded: () => boolean) => void;
};

/** @param limitMs of one call; `Infinity` where a reply may take long */
export function createLine(send: typeof fetch, limitMs = LIMIT_MS): Line {
  let isUp = true;
  let asking: Promise<boolean> | null = null;
  /** How many calls were answered. A question that gets no answer meanwhile waited behind others. */
  let replies = 0;
  let repeating: ReturnType<typeof setInterval> | undefined;
  /** Aborts when the line is back after a cut: whatever was sent before is lost. */
  let wire = new AbortController();
  const listeners = new Set<(isUp: boolean) => void>();

  const ask = async (credentials?: RequestCredentials): Promise<boolean> => {
    const reply = await answerOf(send, credentials);
    // A network that wants a sign-in is no cut line: the calls themselves say what it is.
    return reply !== null && (reply.ok || isPortal(reply));
  };
  const settle = (answers: boolean) => {
    if (answers === isUp) return;
    isUp = answers;
    clearInterval(repeating);
    if (isUp) {
      wire.abort();
      wire = new AbortController();
      expectHungParts();
      void ask('same-origin').then((isFree) => isFree || stop());
    } else {
      let unanswered = 0;
      repeating = setInterval(() => {
        // Where calls have no limit, a server that is busy for so long must not lose one.
        if ((unanswered += 1) % HELD_UP === 0 && limitMs < Infinity) stop();
        void ask().then((isBack) => isBack && settle(true));
      }, ASK_AGAIN_MS);
    }
    for (const listener of listeners) listener(isUp);
  };
  const check = (): Promise<boolean> => {
    const before = replies;
    asking ??= ask().then((answers) => {
      asking = null;
      const isThere = answers || replies > before;
      settle(isThere);
      return isThere;
    });
    return asking;
  };

  return {
    isUp: () => isUp,
    report: settle,
    check,
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(isNeeded) {
      const look = () => {
        if (isUp && document.visibilityState === 'visible' && isNeeded()) void check();
      };
      setInterval(look, WATCH_EVERY_MS);
      document.addEventListener('visibilitychange', look);
    },
    async pause(ms, signal) {
      const back = new AbortController();
      const rest = browserPause(ms, back.signal);
      const end = () => back.abort();
      const once = { signal: back.signal };
      wire.signal.addEventListener('abort', end, once);
      signal?.addEventListener('abort', end, once);
      if (signal?.aborted === true) end();
      await rest.catch(() => undefined);
      end();
      if (signal?.aborted === true) throw new DOMException('Aborted', 'AbortError');
    },
    async fetch(input, init = {}) {
      const { signal: outer } = init;
      const own = new AbortController();
      const used = wire.signal;
      const leave = () => own.abort(outer?.reason);
      /** Also of no call any more, so that a signal that lives on forgets it. */
      const giveUp = () => own.abort();
      const timers = [setTimeout(() => void check(), PATIENCE_MS)];
      if (limitMs < Infinity) timers.push(setTimeout(giveUp, limitMs));
      const cutOff = () => void timers.push(setTimeout(giveUp, GRACE_MS));
      const whileOpen = { signal: own.signal };
      used.addEventListener('abort', cutOff, whileOpen);
      outer?.addEventListener('abort', leave, whileOpen);
      if (outer?.aborted === true) leave();
      try {
        const response = await send(input, { ...init, signal: own.signal });
        replies += 1;
        settle(true);
        if (isStream(response)) {
          used.addEventListener('abort', giveUp, whileOpen);
          return response;
        }
        const whole = await wholeOf(response);
        giveUp();
        return whole;
      } catch (error) {
        const isCutOff = own.signal.aborted && outer?.aborted !== true;
        giveUp();
        throw isCutOff ? new CutOffError(used.aborted) : error;
      } finally {
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}

const isStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

/** The reply with its body read, so that a body that never ends counts against the limit. */
async function wholeOf(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, response);
}
