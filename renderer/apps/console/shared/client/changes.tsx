/** One event stream for the whole console, which refreshes the affected queries. */
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { CONSOLE_API } from '../../../../../server/contract/console/common.ts';
import type { ChangeTopic } from '../../../../../server/contract/console/changes.ts';
import { PAGE_ID } from './api.ts';
import { checkConnection, whenLineIsBack } from './connection.ts';
import { followChangeStream } from './change-stream.ts';
import { companiesQuery, endSession, meQuery, scopeQuery, useScope } from './session.ts';

type Listener = (topic: ChangeTopic) => void;
type Feed = {
  listeners: Set<Listener>;
  /** When each topic last changed, in this browser's time. */
  changedMs: Map<ChangeTopic, number>;
};
const ChangesContext = createContext<Feed | null>(null);
/** A burst of events causes one refresh. */
const GATHER_MS = 250;

export function ChangesProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const { company, companies, partition } = useScope();
  const [feed] = useState<Feed>(() => ({ listeners: new Set(), changedMs: new Map() }));
  const address = new URLSearchParams({
    ...scopeQuery({ company, companies, partition }),
    page: PAGE_ID,
  }).toString();

  const [cuts, setCuts] = useState(0);

  useEffect(
    () =>
      whenLineIsBack(() => {
        setCuts((count) => count + 1);
        void client.invalidateQueries();
      }),
    [client],
  );
  useEffect(() => {
    return followChangeStream(() => new EventSource(`${CONSOLE_API}/live?${address}`), {
      announce: (topic) => {
        feed.changedMs.set(topic, Date.now());
        for (const listener of feed.listeners) listener(topic);
      },
      signedOut: () => endSession(client),
      // The page shows another one.
      companyGone: () => void client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
      lost: () => {
        // The server may be away, or the session may have ended: a call shows which.
        void checkConnection().then(async (here) => {
          if (here) await client.invalidateQueries({ queryKey: meQuery.queryKey });
        });
      },
    });
    // A stream of before a cut is dead, and the browser does not notice.
  }, [address, client, feed, cuts]);

  return <ChangesContext value={feed}>{children}</ChangesContext>;
}

/**
 * Refreshes every query whose key starts with one of `keys` when something in `topic` changes.
 * @param keys first parts of query keys, as `settings` or `settings/clean-up`
 */
export function useChanges(topic: ChangeTopic, ...keys: readonly string[]): void {
  const client = useQueryClient();
  const feed = useContext(ChangesContext);
  const wanted = keys.join('\n');
  useEffect(() => {
    if (feed === null) return undefined;
    refreshOlder(client, wanted.split('\n'), feed.changedMs.get(topic));
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const listener: Listener = (happened) => {
      if (happened !== topic) return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        for (const key of wanted.split('\n')) void client.invalidateQueries({ queryKey: key.split('/') });
      }, GATHER_MS);
    };
    feed.listeners.add(listener);
    return () => {
      clearTimeout(waiting);
      feed.listeners.delete(listener);
    };
  }, [client, feed, topic, wanted]);
}

/**
 * Reads again what was read before a change of which no page was told: lists that were read ahead, or left, count as
 * new for some seconds.
 * @param changedMs undefined if there was none
 */
export function refreshOlder(
  client: QueryClient,
  keys: readonly string[],
  changedMs: number | undefined,
): void {
  if (changedMs === undefined) return;
  for (const key of keys) {
    void client.invalidateQueries({
      queryKey: key.split('/'),
      // What is being read just now will be new enough.
      predicate: ({ state }) => state.fetchStatus === 'idle' && state.dataUpdatedAt <= changedMs,
    });
  }
}
