/** Reads the console's event stream: which topics may have changed. */
import {
  REPLY_TOPICS,
  BASELINE_EVENT,
  COMPANY_GONE_EVENT,
  SIGNED_OUT_EVENT,
  CHANGE_TOPICS,
  type ChangeVersions,
  type ChangeEvent,
  type ChangeTopic,
  type VersionChange,
} from '../../../../../server/contract/console/changes.ts';

type ChangeStreamHandlers = {
  announce: (topic: ChangeTopic) => void;
  signedOut: () => void;
  companyGone: () => void;
  /** The connection was lost, or never opened; the browser retries. */
  lost: () => void;
};

/** A change whose reply takes longer no longer holds events back. */
const LONGEST_HOLD_MS = 5_000;

/** The version of each topic that this page knows: announced by the stream, or from the reply to its own change. */
const known = new Map<ChangeTopic, string>();
let changesInProgress = 0;
/** Events that arrived during a change: its reply shows whether they are about it. */
let held: (() => void)[] = [];

/** The page already shows this version of `topic`, so the stream's event about it is ignored. */
export function ignoreAnnouncement(topic: ChangeTopic, version: string): void {
  known.set(topic, version);
}

function releaseHeld(): void {
  const waiting = held;
  held = [];
  for (const decide of waiting) decide();
}

/**
 * Called before a change is sent.
 * @returns a function to call with the versions in its reply; null if it failed
 */
export function beginChange(): (versions: VersionChange | null) => void {
  changesInProgress += 1;
  const timer = setTimeout(releaseHeld, LONGEST_HOLD_MS);
  return (versions) => {
    clearTimeout(timer);
    if (versions) for (const topic of REPLY_TOPICS) followOwn(topic, versions);
    changesInProgress -= 1;
    if (changesInProgress === 0) releaseHeld();
  };
}

/**
 * If someone else's change came in between, the page keeps the older version, and refreshes when that is announced.
 */
function followOwn(topic: (typeof REPLY_TOPICS)[number], { before, after }: VersionChange): void {
  const [from, to, own] = [before[topic], after[topic], known.get(topic)];
  if (from === undefined || to === undefined || own === undefined) return;
  if (own === from) known.set(topic, to);
  else if (from.startsWith('/') && own.endsWith(from)) known.set(topic, own.slice(0, -from.length) + to);
}

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
    source.addEventListener(BASELINE_EVENT, (event) => {
      const versions = JSON.parse((event as MessageEvent<string>).data) as ChangeVersions;
      for (const topic of REPLY_TOPICS) known.set(topic, versions[topic] ?? '');
    });
    source.addEventListener('open', () => {
      if (!isLost) return;
      isLost = false;
      announceAll();
    });
    for (const topic of CHANGE_TOPICS) {
      source.addEventListener(topic, (event) => {
        const { version } = JSON.parse((event as MessageEvent<string>).data) as ChangeEvent;
        const decide = () => {
          if (version !== undefined && known.get(topic) === version) return;
          if (version !== undefined) known.set(topic, version);
          announce(topic);
        };
        if (changesInProgress > 0) held.push(decide);
        else decide();
      });
    }
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
