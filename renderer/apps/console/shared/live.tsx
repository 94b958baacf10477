/** One event stream for the whole console, which refreshes the affected queries. */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { CONSOLE_API } from '../../../../server/contract/console/common.ts';
import type { LiveTopic } from '../../../../server/contract/console/live.ts';
import { checkConnection } from './connection.ts';
import { followLiveStream } from './live-stream.ts';
import { endSession, meQuery, scopeQuery, useScope } from './session.ts';

type Listener = (topic: LiveTopic) => void;
const LiveContext = createContext<Set<Listener> | null>(null);
/** A burst of events causes one refresh. */
const GATHER_MS = 250;

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { company, companies, partition } = useScope();
  const [listeners] = useState(() => new Set<Listener>());
  const address = new URLSearchParams(scopeQuery({ company, companies, partition })).toString();

  useEffect(() => {
    const stream = new EventSource(`${CONSOLE_API}/live?${address}`);
    followLiveStream(stream, {
      announce: (topic) => {
        for (const listener of listeners) listener(topic);
      },
      signedOut: () => {
        stream.close();
        endSession(client);
      },
      lost: () => {
        // The server may be away, or the session may have ended: a call shows which.
        void checkConnection().then(async (here) => {
          if (here) await client.invalidateQueries({ queryKey: meQuery.queryKey });
        });
      },
    });
    return () => stream.close();
  }, [address, client, listeners]);

  return <LiveContext value={listeners}>{children}</LiveContext>;
}

/**
 * Refreshes every query whose key starts with one of `keys` when something in `topic` changes.
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
