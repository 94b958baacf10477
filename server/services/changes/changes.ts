/**
 * Tells the console's pages what to refresh: after an announcement, and at the slow look, it compares what marks the topics
 * of each scope that somebody watches.
 */
import {
  REPLY_TOPICS,
  type ChangeVersions,
  type ChangeEvent,
  type ChangeTopic,
} from '../../contract/console/changes.ts';
import { utcDay } from '../../domain/days.ts';
import type { Scope } from '../../domain/scope.ts';
import { readMarkers, type ChangeMarkers } from '../../store/changes/markers.ts';

export { readChangeVersions } from '../../store/changes/markers.ts';
export { INSTALLATION } from '../../store/sql/port.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionEvents } from '../runs/sessions/session-events.ts';
import { Refusal } from '../../refusals/refusal.ts';

/** A burst of frames and steps becomes one event. */
const GATHER_MS = 200;
/** A busy venue announces many times a second. */
const LOOKS_APART_MS = 1_000;
const MAX_STREAMS = 128;
const RETRY_S = 10;

export type ChangeListener = {
  scope: Scope;
  notify: (event: ChangeEvent) => void;
  /** Sent once: changes from these versions on are announced. */
  began: (versions: ChangeVersions) => void;
  /** The server is shutting down. */
  drained: () => void;
};

export type ChangeFeed = {
  /** Something in the topic changed: in one company and partition, or everywhere (null). */
  publish(topic: ChangeTopic, scope: Scope | null, version?: string): void;
  /**
   * Returns a function that stops listening.
   * @throws Refusal `too_many_streams`
   */
  listen(listener: ChangeListener): () => void;
  listeners(): number;
};

export function createChangeFeed(
  db: Database,
  clock: Clock,
  events: Pick<SessionEvents, 'onDrain'>,
  onError: (error: unknown) => void,
): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  const seen = new Map<string, ChangeMarkers>();
  let gathering: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let lookedMs = -Infinity;
  let followed: (() => void)[] = [];

  const publish: ChangeFeed['publish'] = (topic, scope, version) => {
    const event = version === undefined ? { topic } : { topic, version };
    for (const listener of listeners) {
      if (scope === null || keyOf(scope) === keyOf(listener.scope)) listener.notify(event);
    }
  };

  /**
   * The first listener of a scope takes the last known versions; the first poll would treat a second of changes as the
   * baseline.
   */
  async function begin({ scope, began }: ChangeListener): Promise<void> {
    const key = keyOf(scope);
    // Awaited in either case, because the listener's stream is not open before `listen` has returned.
    const baseline = await (seen.get(key) ?? readMarkers(db, scope, utcDay(clock.now())));
    if (!seen.has(key)) seen.set(key, baseline);
    const versions = seen.get(key) ?? baseline;
    began(Object.fromEntries(REPLY_TOPICS.map((topic) => [topic, versions[topic]])));
  }

  async function look(): Promise<void> {
    const scopes = new Map([...listeners].map(({ scope }) => [keyOf(scope), scope]));
    for (const key of seen.keys()) if (!scopes.has(key)) seen.delete(key);
    for (const [key, scope] of scopes) {
      const now = await readMarkers(db, scope, utcDay(clock.now()));
      const before = seen.get(key);
      seen.set(key, now);
      if (!before) continue;
      for (const topic of Object.keys(now) as (keyof ChangeMarkers)[]) {
        if (now[topic] !== before[topic]) publish(topic, scope, now[topic]);
      }
    }
  }

  /** One at a time: what is announced during a look is looked at afterwards. */
  let isLooking = false;
  let isDue = false;
  function lookSoon(): void {
    isDue = true;
    if (isLooking || looking !== undefined) return;
    const restMs = lookedMs + LOOKS_APART_MS - performance.now();
    looking = setTimeout(
      () => {
        looking = undefined;
        isDue = false;
        isLooking = true;
        look()
          .catch(onError)
          .finally(() => {
            isLooking = false;
            lookedMs = performance.now();
            if (isDue && listeners.size > 0) lookSoon();
          });
      },
      Math.max(restMs, GATHER_MS),
    ).unref();
  }

  function start(): void {
    followed = [
      db.follow('audit', lookSoon),
      db.follow('shown', lookSoon),
      db.follow('webhooks', lookSoon),
      db.follow('session', (isNews) => {
        lookSoon();
        // What happens to a session after its creation has no mark.
        if (isNews)
          gathering ??= setTimeout(() => {
            gathering = undefined;
            publish('session', null);
          }, GATHER_MS).unref();
      }),
      events.onDrain(() => {
        for (const listener of listeners) listener.drained();
      }),
    ];
  }

  function stop(): void {
    clearTimeout(looking);
    clearTimeout(gathering);
    looking = undefined;
    gathering = undefined;
    for (const end of followed) end();
    seen.clear();
  }

  return {
    publish,
    listen(listener) {
      if (listeners.size >= MAX_STREAMS) {
        throw new Refusal('too_many_streams', { retryAfterS: RETRY_S });
      }
      if (listeners.size === 0) start();
      listeners.add(listener);
      begin(listener).catch(onError);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
    listeners: () => listeners.size,
  };
}

const keyOf = ({ companyId, partition }: Scope): string => `${companyId} ${partition}`;
