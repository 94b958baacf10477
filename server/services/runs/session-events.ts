import { EventEmitter } from 'node:events';
import type { Database } from '../../store/sql/port.ts';

export type Follower = {
  /** The session's snapshot may have changed. */
  changed: () => void;
  /** The server is going down. */
  drained: () => void;
};

/** Tells the followers of a session that a commit has changed it. */
export type SessionEvents = {
  /** Returns the way to stop following. */
  follow(sessionId: string, follower: Follower): () => void;
  /** As `follow`, for what happens to any session. */
  followAll(follower: Follower): () => void;
  /** Sends every follower home, for a clean stop. */
  drain(): void;
  followers(): number;
};

export function createSessionEvents(db: Pick<Database, 'follow'>): SessionEvents {
  const emitter = new EventEmitter();
  // A session may be followed by its phone, its desktop page and staff at once.
  emitter.setMaxListeners(0);
  const everyone = new Set<Follower>();
  const ofAll = new Set<Follower>();
  db.follow('session', (sessionId) => {
    emitter.emit(sessionId);
    for (const follower of ofAll) follower.changed();
  });
  return {
    follow(sessionId, follower) {
      emitter.on(sessionId, follower.changed);
      everyone.add(follower);
      return () => {
        emitter.off(sessionId, follower.changed);
        everyone.delete(follower);
      };
    },
    followAll(follower) {
      ofAll.add(follower);
      return () => void ofAll.delete(follower);
    },
    drain() {
      for (const follower of [...everyone, ...ofAll]) follower.drained();
    },
    followers: () => everyone.size,
  };
}
