/**
 * A short number for a run, on the guest's screen and on the door's: staff see at a glance which guest stands before
 * them. It follows from the run's ID alone and grants nothing.
 * @returns 100 to 999
 */
export function guestNumber(sessionId: string): string {
  // FNV-1a, so that IDs that differ in one character differ here.
  let hash = 0x811c9dc5;
  for (let at = 0; at < sessionId.length; at += 1) {
    hash = Math.imul(hash ^ sessionId.charCodeAt(at), 0x01000193);
  }
  return String(100 + ((hash >>> 0) % 900));
}
