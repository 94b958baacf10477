/** Converts the address's filters for the API. */
import { dayRange } from '../shared/day-range.ts';
import type { Search } from '../shared/search.ts';

export type AuditListFilters = Readonly<
  Record<'action' | 'actor' | 'subject' | 'from' | 'to', string | undefined>
>;

export const auditFilters = (search: Search): AuditListFilters => ({
  action: search['action'],
  actor: search['actor'],
  subject: search['subject'],
  ...dayRange(search),
});
