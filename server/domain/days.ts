import { isFarAhead } from './clock.ts';

/** Days, weeks and months start at 00:00 UTC (decisions §1.5); weeks on Monday, as in ISO 8601. */
export type Period = 'total' | 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` of an instant, UTC. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** First instant of the period that contains `atMs`. */
export function periodStart(period: Period, atMs: number): number {
  const midnight = Math.floor(atMs / DAY_MS) * DAY_MS;
  switch (period) {
    case 'total':
      return Number.NEGATIVE_INFINITY;
    case 'day':
      return midnight;
    case 'week': {
      const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
      return midnight - sinceMonday * DAY_MS;
    }
    case 'month': {
      const date = new Date(midnight);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
  }
}

/** The day on which a settlement is counted, never earlier than the last day counted. */
export function meteringDay(nowMs: number, latestMetered: string | null): string {
  const today = utcDay(nowMs);
  if (latestMetered === null || latestMetered <= today) return today;
  // A later day was counted by a wrong clock; its cap would otherwise apply for years.
  return isFarAhead(Date.parse(latestMetered), nowMs) ? today : latestMetered;
}
