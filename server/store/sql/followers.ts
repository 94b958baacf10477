import { createHash } from 'node:crypto';
import type { Topic } from './port.ts';

/** `subject` is a hash, or empty for everything in the topic. */
export type Announcement = { topic: Topic; subject: string };

/** PostgreSQL passes announcements to everyone who may connect, and the ID of a session opens its link. */
const hashOf = (subject: string): string =>
  subject === '' ? '' : createHash('sha256').update(subject).digest('base64url');

export const announcementOf = (topic: Topic, subject = ''): Announcement => ({
  topic,
  subject: hashOf(subject),
});

/** The listeners of commits. Both engines share it, so that they announce by the same rules. */
export function createFollowers(onError: (error: unknown) => void = warn) {
  const listeners: Record<Topic, Map<string, Set<() => void>>> = {
    webhooks: new Map(),
    codes: new Map(),
    health: new Map(),
    session: new Map(),
  };

  function listenersOf({ topic, subject }: Announcement): (() => void)[] {
    const bySubject = listeners[topic];
    const told = subject === '' ? [...bySubject.values()] : [bySubject.get(''), bySubject.get(subject)];
    return told.flatMap((each) => [...(each ?? [])]);
  }

  return {
    /** @returns a function that stops following */
    follow: (topic: Topic, listener: () => void, subject = ''): (() => void) => {
      const bySubject = listeners[topic];
      const key = hashOf(subject);
      const present = bySubject.get(key) ?? new Set();
      bySubject.set(key, present.add(listener));
      return () => {
        if (present.delete(listener) && present.size === 0) bySubject.delete(key);
      };
    },
    /** Sends each announcement once. */
    tell(announcements: readonly Announcement[]): void {
      const once = new Map(announcements.map((each) => [`${each.topic} ${each.subject}`, each]));
      for (const listener of [...once.values()].flatMap(listenersOf)) {
        try {
          listener();
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
