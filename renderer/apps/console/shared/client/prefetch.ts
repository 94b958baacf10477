/** What a page reads first, so that it can be requested before the page is opened. */
import type { QueryClient } from '@tanstack/react-query';
import type { Role } from '../../../../../server/contract/console/common.ts';
import { companiesQuery, meQuery, scopeIn, type ScopeFilter } from './session.ts';
import type { Search } from '../lists/search.ts';

/** Who is about to open a page, and for which scope. */
export type Visit = { client: QueryClient; scope: ScopeFilter; role: Role };

/** Null while nobody is signed in. */
export function visitTo(client: QueryClient, search: Search): Visit | null {
  const me = client.getQueryData(meQuery.queryKey);
  const companies = client.getQueryData(companiesQuery.queryKey);
  const scope = companies && scopeIn(companies.items, search);
  if (!me || !scope) return null;
  const { company, partition } = scope;
  return { client, scope: { company_id: company.company_id, partition }, role: me.operator.role };
}

/** Waits for nothing: if it fails, the page itself reads again and shows why. */
export const readAhead = (reading: Promise<unknown>): void => void reading.catch(() => undefined);
