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
  /** Like `follow`, for all sessions. */
  followAll(follower: Follower): () => void;
  /** Ends all followers, for a clean stop. */
  drain(): void;
  followers(): number;
};

export function createSessionEvents(db: Pick<Database, 'follow'>): SessionEvents {
  const ofOne = new Set<Follower>();
  const ofAll = new Set<Follower>();
  const add = (followers: Set<Follower>, follower: Follower, sessionId?: string) => {
    const unfollow = db.follow('session', () => follower.changed(), sessionId);
    followers.add(follower);
    return () => {
      unfollow();
      followers.delete(follower);
    };
  };
  return {
    follow: (sessionId, follower) => add(ofOne, follower, sessionId),
    followAll: (follower) => add(ofAll, follower),
    drain() {
      for (const follower of [...ofOne, ...ofAll]) follower.drained();
    },
    followers: () => ofOne.size,
  };
}
