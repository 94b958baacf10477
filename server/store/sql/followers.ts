import type { Topic } from './port.ts';

export type Announcement = { topic: Topic; subject: string };

/** Who is told what a commit announced. Engines share it, so that each announces by the same rules. */
export function createFollowers(onError: (error: unknown) => void = warn) {
  const listeners: Record<Topic, Set<(subject: string) => void>> = {
    webhooks: new Set(),
    codes: new Set(),
    session: new Set(),
  };
  return {
    /** @returns the way to stop */
    follow: (topic: Topic, listener: (subject: string) => void): (() => void) => {
      listeners[topic].add(listener);
      return () => void listeners[topic].delete(listener);
    },
    /** Tells each announcement once. */
    tell(announcements: readonly Announcement[]): void {
      const once = new Map(announcements.map((each) => [`${each.topic} ${each.subject}`, each]));
      for (const { topic, subject } of once.values()) {
        for (const listener of listeners[topic]) {
          try {
            listener(subject);
          } catch (error) {
            onError(error);
          }
        }
      }
    },
  };
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}
