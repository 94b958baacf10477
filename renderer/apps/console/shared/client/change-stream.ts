/** Reads the console's event stream: which topics may have changed. */
import {
  CHANGE_TOPICS,
  COMPANY_GONE_EVENT,
  SIGNED_OUT_EVENT,
  type ChangeTopic,
} from '../../../../../server/contract/console/changes.ts';

type ChangeStreamHandlers = {
  announce: (topic: ChangeTopic) => void;
  signedOut: () => void;
  companyGone: () => void;
  /** The connection was lost, or never opened; the browser retries. */
  lost: () => void;
};

/** An `EventSource`. */
type ChangeSource = EventTarget & Pick<EventSource, 'readyState' | 'close'>;

/** `EventSource.CLOSED`: the browser has given the stream up. */
const CLOSED = 2;
/** How soon a stream that the browser has given up is opened again. */
const REOPEN_AFTER_MS = 10_000;

/**
 * Announces what the stream reports. Events sent while the connection was lost are missing, so every topic is
 * announced when it opens again.
 *
 * The browser restores a lost connection, but gives up after any other reply: a load balancer without a node, or too
 * many tabs. Then the page opens the stream again, and every topic is announced before each try, so that a page without a
 * stream refreshes regularly.
 * @returns a function that ends the stream
 */
export function followChangeStream(
  open: () => ChangeSource,
  { announce, signedOut, companyGone, lost }: ChangeStreamHandlers,
): () => void {
  let isLost = false;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let stream = listenTo(open());
  const stop = () => {
    clearTimeout(reopening);
    stream.close();
  };
  const announceAll = () => {
    for (const topic of CHANGE_TOPICS) announce(topic);
  };

  function listenTo(source: ChangeSource): ChangeSource {
    let hasEnded = false;
    source.addEventListener('error', () => {
      if (hasEnded) return;
      isLost = true;
      lost();
      if (source.readyState !== CLOSED) return;
      reopening = setTimeout(() => {
        announceAll();
        stream = listenTo(open());
      }, REOPEN_AFTER_MS);
    });
    source.addEventListener('open', () => {
      if (!isLost) return;
      isLost = false;
      announceAll();
    });
    for (const topic of CHANGE_TOPICS) source.addEventListener(topic, () => announce(topic));
    const endsWith = (event: string, tell: () => void) =>
      source.addEventListener(event, () => {
        hasEnded = true;
        stop();
        tell();
      });
    endsWith(SIGNED_OUT_EVENT, signedOut);
    endsWith(COMPANY_GONE_EVENT, companyGone);
    return source;
  }

  return stop;
}
