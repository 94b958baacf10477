/** The address's filters as the API takes them: whole days become the times they begin and end. */
import type { Search } from '../shared/search.ts';

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export type AuditListFilters = Readonly<
  Record<'action' | 'actor' | 'subject' | 'from' | 'to', string | undefined>
>;

export function auditFilters(search: Search): AuditListFilters {
  return {
    action: search['action'],
    actor: search['actor'],
    subject: search['subject'],
    from: dayStart(search['from'], 0),
    // The API leaves its end out; the person means the whole last day.
    to: dayStart(search['to'], DAY_MS),
  };
}

function dayStart(day: string | undefined, laterMs: number): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const startMs = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(startMs) ? undefined : new Date(startMs + laterMs).toISOString();
}
