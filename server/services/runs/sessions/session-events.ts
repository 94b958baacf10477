import type { Database } from '../../../store/sql/port.ts';

type Follower = {
  /** The session's snapshot may have changed. */
  changed: () => void;
  /** The server is shutting down. */
  drained: () => void;
};

/** Tells the followers of a session that a commit has changed it. */
export type SessionEvents = {
  /** Returns a function that stops following. */
  follow(sessionId: string, follower: Follower): () => void;
  /** Calls back once, at a clean stop. Returns a function that stops following. */
  onDrain(listener: () => void): () => void;
  /** Ends all followers, for a clean stop. */
  drain(): void;
  followers(): number;
};

export function createSessionEvents(db: Pick<Database, 'follow'>): SessionEvents {
  const followers = new Set<Follower>();
  const others = new Set<() => void>();
  return {
    follow(sessionId, follower) {
      const unfollow = db.follow('session', () => follower.changed(), sessionId);
      followers.add(follower);
      return () => {
        unfollow();
        followers.delete(follower);
      };
    },
    onDrain(listener) {
      others.add(listener);
      return () => others.delete(listener);
    },
    drain() {
      for (const { drained } of [...followers]) drained();
      for (const listener of [...others]) listener();
    },
    followers: () => followers.size,
  };
}
