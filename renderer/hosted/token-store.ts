/**
 * The flow token of a session, kept on this device so that a reload resumes the run. Private windows may refuse
 * storage; the token then lives as long as the page.
 */
export type TokenStore = { read: () => string | null; write: (token: string) => void; clear: () => void };

const keyOf = (sessionId: string): string => `gatehouse.flow.${sessionId}`;

/** @param storage `localStorage`, or anything like it; each call may throw */
export function createTokenStore(sessionId: string, storage: () => Storage): TokenStore {
  const key = keyOf(sessionId);
  let inMemory: string | null = null;
  const quietly = <T>(action: () => T, otherwise: T): T => {
    try {
      return action();
    } catch {
      return otherwise;
    }
  };
  return {
    read: () => inMemory ?? quietly(() => storage().getItem(key), null),
    write(token) {
      inMemory = token;
      quietly(() => storage().setItem(key, token), undefined);
    },
    clear() {
      inMemory = null;
      quietly(() => storage().removeItem(key), undefined);
    },
  };
}
