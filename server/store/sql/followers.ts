import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Listener, type Topic, TOPICS } from './port.ts';

/** `subject` is a hash, or empty for everything in the topic; `page` as for `Listener`. */
export type Announcement = { topic: Topic; subject: string; page?: string };

const request = new AsyncLocalStorage<{ page: string; shown: readonly string[] } | undefined>();

/**
 * Runs a request of a page. What its commits announce about the topics that the reply shows names the page, which then need
 * not read it again. What continues after the reply is news to the page, too.
 */
export async function fromPage<T>(
  page: string,
  shown: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const own = { page, shown };
  try {
    return await request.run(own, work);
  } finally {
    own.shown = [];
  }
}

/** PostgreSQL passes announcements to everyone who may connect, and the ID of a session opens its link. */
const hashOf = (subject: string): string =>
  subject === '' ? '' : createHash('sha256').update(subject).digest('base64url');

export function announcementOf(topic: Topic, subject = ''): Announcement {
  const from = request.getStore();
  return {
    topic,
    subject: hashOf(subject),
    ...(from?.shown.includes(topic) && { page: from.page }),
  };
}

/** What may have been missed: anything. */
export const EVERYTHING: readonly Announcement[] = TOPICS.map((topic) => ({ topic, subject: '' }));

/** How long something that was not announced to this process goes unnoticed. */
export const SLOW_LOOK_MS = 15_000;

/** The listeners of commits. Both engines share it, so that they announce by the same rules. */
export function createFollowers(onError: (error: unknown) => void = warn) {
  const listeners = new Map<Topic, Map<string, Set<Listener>>>(TOPICS.map((topic) => [topic, new Map()]));
  const of = (topic: Topic) => listeners.get(topic) ?? new Map<string, Set<Listener>>();

  function listenersOf({ topic, subject }: Announcement): Listener[] {
    const bySubject = of(topic);
    const called = subject === '' ? [...bySubject.values()] : [bySubject.get(''), bySubject.get(subject)];
    return called.flatMap((each) => [...(each ?? [])]);
  }

  function call(listener: Listener, ...news: Parameters<Listener>): void {
    try {
      // What a listener does is not part of the request whose commit it follows.
      request.run(undefined, listener, ...news);
    } catch (error) {
      onError(error);
    }
  }

  /** One listener after the other, so that requests are answered in between. */
  let isLooking = false;
  let isClosed = false;
  async function lookSlowly(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (const bySubject of listeners.values())
      for (const present of bySubject.values())
        for (const listener of present) {
          if (isClosed) return;
          call(listener, false);
          await turn();
        }
    isLooking = false;
  }
  const timer = setInterval(() => void lookSlowly(), SLOW_LOOK_MS).unref();

  return {
    /** @returns a function that stops following */
    follow: (topic: Topic, listener: Listener, subject = ''): (() => void) => {
      const bySubject = of(topic);
      const key = hashOf(subject);
      const present = bySubject.get(key) ?? new Set();
      bySubject.set(key, present.add(listener));
      return () => {
        if (present.delete(listener) && present.size === 0) bySubject.delete(key);
      };
    },
    /** Sends each announcement once. */
    tell(announcements: readonly Announcement[]): void {
      const once = new Map(announcements.map((each) => [Object.values(each).join(' '), each]));
      for (const each of once.values())
        for (const listener of listenersOf(each)) call(listener, true, each.page);
    },
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
