/**
 * Keeps a phone's screen on while its owner looks at the camera.
 * @returns a function that allows it to turn off
 */
export function keepScreenOn(): () => void {
  // Absent before iOS 16.4 and Firefox 126.
  const wakeLock = navigator.wakeLock as WakeLock | undefined;
  const held = wakeLock?.request('screen').catch(() => null);
  return () => void held?.then((lock) => lock?.release()).catch(() => undefined);
}
