/**
 * Keeps a screen on while somebody looks at it, or may come. A browser ends the lock of a page that it hides, so it is
 * taken again when the page is back.
 * @returns a function that allows the screen to turn off
 */
export function keepScreenOn(): () => void {
  // Absent before iOS 16.4 and Firefox 126.
  const wakeLock = navigator.wakeLock as WakeLock | undefined;
  if (wakeLock === undefined) return () => undefined;
  let held = Promise.resolve<WakeLockSentinel | null>(null);
  const release = () => void held.then((lock) => lock?.release()).catch(() => undefined);
  const hold = () => {
    if (document.hidden) return;
    release();
    held = wakeLock.request('screen').catch(() => null);
  };
  hold();
  document.addEventListener('visibilitychange', hold);
  return () => {
    document.removeEventListener('visibilitychange', hold);
    release();
  };
}
