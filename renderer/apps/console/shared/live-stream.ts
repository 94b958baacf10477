/** Reads the console's event stream: which topics may have changed. */
import {
  LIVE_SIGNED_OUT,
  LIVE_TOPICS,
  type ChangeVersions,
  type LiveEvent,
  type LiveTopic,
} from '../../../../server/contract/console/live.ts';

export type LiveStreamHandlers = {
  announce: (topic: LiveTopic) => void;
  signedOut: () => void;
  /** The connection was lost, or never made; the browser tries again. */
  lost: () => void;
};

/** The version of each topic that this page has from the reply to its own change. */
const shown = new Map<LiveTopic, string>();
let changesInProgress = 0;
/** Events that came while a change was in progress: its reply says whether they are about it. */
let held: (() => void)[] = [];

/** Ignores events of this version of `topic`: the page already shows that state. */
export function ignoreAnnouncement(topic: LiveTopic, version: string): void {
  shown.set(topic, version);
}

/** Called before a change is sent. @returns to be called with the versions in its reply; null if it failed */
export function beginChange(): (versions: ChangeVersions | null) => void {
  changesInProgress += 1;
  return (versions) => {
    for (const topic of LIVE_TOPICS) {
      const version = versions && topic in versions ? versions[topic as keyof ChangeVersions] : undefined;
      if (version !== undefined) ignoreAnnouncement(topic, version);
    }
    changesInProgress -= 1;
    if (changesInProgress > 0) return;
    const waiting = held;
    held = [];
    for (const decide of waiting) decide();
  };
}

/** Forgets the version with the next event: a marker may have the same value again later. */
const isShown = (topic: LiveTopic, version: string): boolean => {
  const known = shown.get(topic);
  shown.delete(topic);
  return known !== undefined && (version === known || (known.startsWith('/') && version.endsWith(known)));
};

/**
 * Announces what the stream reports. Events sent while the connection was lost are gone, so every topic is announced
 * when it opens again.
 * @param stream an `EventSource`
 */
export function followLiveStream(
  stream: EventTarget,
  { announce, signedOut, lost }: LiveStreamHandlers,
): void {
  let isLost = false;
  stream.addEventListener('error', () => {
    isLost = true;
    lost();
  });
  stream.addEventListener('open', () => {
    if (!isLost) return;
    isLost = false;
    for (const topic of LIVE_TOPICS) announce(topic);
  });
  for (const topic of LIVE_TOPICS) {
    stream.addEventListener(topic, (event) => {
      const { version } = JSON.parse((event as MessageEvent<string>).data) as LiveEvent;
      const decide = () => {
        if (version === undefined || !isShown(topic, version)) announce(topic);
      };
      if (changesInProgress > 0) held.push(decide);
      else decide();
    });
  }
  stream.addEventListener(LIVE_SIGNED_OUT, signedOut);
}
