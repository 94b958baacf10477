const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** "in 40 minutes", "in 5 hours": rounded up, so that nobody is refused for coming when the page said. */
export function waitInWords(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (seconds > HOUR_S) return words.format(Math.ceil(seconds / HOUR_S), 'hour');
  return words.format(Math.max(1, Math.ceil(seconds / MINUTE_S)), 'minute');
}
