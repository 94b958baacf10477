/** Reads the console's event stream: which topics may have changed. */
import {
  LIVE_SIGNED_OUT,
  LIVE_TOPICS,
  type LiveEvent,
  type LiveTopic,
} from '../../../../server/contract/console/live.ts';

export type LiveStreamHandlers = {
  announce: (topic: LiveTopic) => void;
  signedOut: () => void;
  /** The connection was lost, or never made; the browser tries again. */
  lost: () => void;
};

/** Versions that this page has already shown, from the replies to its own changes. */
const shown = new Set<string>();

/** Ignores the next event of this version: the page has already shown that state. */
export function ignoreAnnouncement(version: string): void {
  shown.clear();
  shown.add(version);
}

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
      if (version !== undefined && shown.delete(version)) return;
      announce(topic);
    });
  }
  stream.addEventListener(LIVE_SIGNED_OUT, signedOut);
}
