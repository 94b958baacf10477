/** One stream of events for the whole console; what they touch is asked again. */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CONSOLE_API } from '../../../../server/contract/console/common.ts';
import {
  LIVE_SIGNED_OUT,
  LIVE_TOPICS,
  type LiveEvent,
  type LiveTopic,
} from '../../../../server/contract/console/live.ts';
import { checkConnection } from './connection.ts';
import { endSession, meQuery, scopeQuery, useScope } from './session.ts';

type Listener = (topic: LiveTopic) => void;
const LiveContext = createContext<Set<Listener> | null>(null);
/** A burst of events asks once. */
const GATHER_MS = 250;

/** Versions that this page has shown already, out of the replies to its own changes. */
const shown = new Set<string>();

/** The page has what an event of this version would have it ask for. */
export function ignoreAnnouncement(version: string): void {
  shown.clear();
  shown.add(version);
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { company, companies, partition } = useScope();
  const [listeners] = useState(() => new Set<Listener>());
  const address = new URLSearchParams(scopeQuery({ company, companies, partition })).toString();

  useEffect(() => {
    const stream = new EventSource(`${CONSOLE_API}/live?${address}`);
    for (const topic of LIVE_TOPICS) {
      stream.addEventListener(topic, ({ data }: MessageEvent<string>) => {
        const { version } = JSON.parse(data) as LiveEvent;
        if (version !== undefined && shown.delete(version)) return;
        for (const listener of listeners) listener(topic);
      });
    }
    stream.addEventListener(LIVE_SIGNED_OUT, () => {
      stream.close();
      endSession(client);
    });
    stream.onerror = () => {
      // A stream ends when the server goes, and when the session does; only asking tells which.
      void checkConnection().then(async (here) => {
        if (here) await client.invalidateQueries({ queryKey: meQuery.queryKey });
      });
    };
    return () => stream.close();
  }, [address, client, listeners]);

  return <LiveContext value={listeners}>{children}</LiveContext>;
}

/**
 * Asks again for every query whose key starts with one of `keys` when something of `topic` happens.
 * @param keys first parts of query keys
 */
export function useLive(topic: LiveTopic, ...keys: readonly string[]): void {
  const client = useQueryClient();
  const listeners = useContext(LiveContext);
  const wanted = keys.join('\n');
  useEffect(() => {
    if (listeners === null) return undefined;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const listener: Listener = (happened) => {
      if (happened !== topic) return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        for (const key of wanted.split('\n')) void client.invalidateQueries({ queryKey: [key] });
      }, GATHER_MS);
    };
    listeners.add(listener);
    return () => {
      clearTimeout(waiting);
      listeners.delete(listener);
    };
  }, [client, listeners, topic, wanted]);
}
