const MAX_LENGTH = 60;

const BROWSERS: readonly [mark: RegExp, name: string][] = [
  [/Electron\//, 'Gatehouse app'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [mark: RegExp, name: string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox on Windows": enough for operators to tell their own sessions apart. */
export function deviceLabel(userAgent: string | undefined): string {
  const nameIn = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return (userAgent ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, MAX_LENGTH) || 'unknown';
}
