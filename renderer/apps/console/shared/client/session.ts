/** The signed-in operator, the companies, and the page's company and partition. */
import { queryOptions, useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  setup,
  session,
  companies as companiesRoutes,
} from '../../../../../server/contract/routes/console/access.ts';
import type { ConsoleCompany, Me } from '../../../../../server/contract/console/access.ts';
import { isAtLeast, type PartitionName, type Role } from '../../../../../server/contract/console/common.ts';
import type { Client } from '../../../../http/client.ts';
import { call, isSignedOut, setCsrfToken, clientWith, reading } from './api.ts';
import { dropDrafts, dropDraftsOfOthers } from '../forms/drafts.ts';
import { useSearch, type Search } from '../lists/search.ts';

export const setupQuery = queryOptions({ ...reading(['setup'], setup.read), staleTime: Infinity });

/** Null: nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ client, signal }): Promise<Me | null> => {
    try {
      const me = await call(session.me, { signal });
      setCsrfToken(me.csrf_token);
      if (isSignOutDue()) {
        await call(session.signOut);
        setSignOutDue(false);
        return null;
      }
      const before = client.getQueryData<Me | null>(['me']);
      if (before && before.operator.operator_id !== me.operator.operator_id) {
        void client.resetQueries({ predicate: isOfOperator });
      }
      return me;
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      setSignOutDue(false);
      return null;
    }
  },
  staleTime: Infinity,
});

const isOfOperator = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
  queryKey[0] !== 'me' && queryKey[0] !== 'setup';

/** Set while an operator has signed out here but the server does not know it, also over a reload. */
const SIGN_OUT_DUE = 'gatehouse.console.sign-out';

const isSignOutDue = (): boolean => localStorage.getItem(SIGN_OUT_DUE) !== null;

function setSignOutDue(isDue: boolean): void {
  if (isDue) localStorage.setItem(SIGN_OUT_DUE, '1');
  else localStorage.removeItem(SIGN_OUT_DUE);
}

export const companiesQuery = queryOptions({
  ...reading(['companies'], companiesRoutes.list),
  staleTime: 60_000,
});

/** Stores a new session. */
export function beginSession(client: QueryClient, me: Me): void {
  dropDraftsOfOthers(me.operator.operator_id);
  setSignOutDue(false);
  setCsrfToken(me.csrf_token);
  client.setQueryData(meQuery.queryKey, me);
}

/** Shows the current state of a session, unless it has ended here meanwhile. */
export function followSession(client: QueryClient, me: Me): void {
  client.setQueryData(meQuery.queryKey, (before) => (before?.session_id === me.session_id ? me : before));
}

/** Clears all data of the operator who was signed in. */
export function endSession(client: QueryClient): void {
  setCsrfToken('');
  client.setQueryData(meQuery.queryKey, null);
  client.removeQueries({ predicate: isOfOperator });
}

/** Ends the session on the server and here; here even if the server is away, which learns it when it is back. */
export async function signOut(client: QueryClient): Promise<void> {
  dropDrafts();
  setSignOutDue(true);
  const { failed, provider } = await call(session.signOut).then(
    ({ provider_url: url }) => ({ failed: false, provider: url }),
    (error: unknown) => ({ failed: !isSignedOut(error), provider: null }),
  );
  setSignOutDue(failed);
  endSession(client);
  // A server of the version before says nothing of it.
  if (typeof provider === 'string') window.location.assign(provider);
  if (failed) void client.invalidateQueries({ queryKey: meQuery.queryKey });
}

/** The signed-in operator. Only inside the frame, which is shown to nobody else. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery);
  if (data === null) throw new Error('Nobody is signed in.');
  return data;
}

export const useMay = (needed: Role): boolean => isAtLeast(useMe().operator.role, needed);

type Scope = {
  company: ConsoleCompany;
  companies: readonly ConsoleCompany[];
  partition: PartitionName;
};

/** Parameters of every call about people, sessions or keys. */
export const scopeQuery = ({ company, partition }: Scope) => ({ company_id: company.company_id, partition });

/** The company and partition in the address; by default the operator's own oldest company and live. */
export function useScope(): Scope {
  const scope = scopeIn(useSuspenseQuery(companiesQuery).data.items, useSearch());
  if (scope === null) throw new Error('There is no company.');
  return scope;
}

/** Null if there is no company. */
export function scopeIn(companies: readonly ConsoleCompany[], search: Search): Scope | null {
  const [oldest] = companies;
  if (oldest === undefined) return null;
  return {
    company: companies.find(({ company_id }) => company_id === search['company']) ?? oldest,
    companies,
    partition: search['partition'] === 'test' ? 'test' : 'live',
  };
}

/** The part of the address with the scope: kept by every link. */
export const scopeSearch = (search: Search): Search =>
  Object.fromEntries(
    ['company', 'partition'].flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  );

/** The company and partition in the address, as calls about people, sessions or keys send them. */
export type ScopeFilter = { company_id: string; partition: PartitionName };

/** The scope as parts of a query; the same object while it does not change. */
export function useScopeFilter(): ScopeFilter {
  const scope = useScope();
  const { company_id, partition } = scopeQuery(scope);
  return useMemo(() => ({ company_id, partition }), [company_id, partition]);
}

/** Like `call`, for the scope of the address. */
export function useScopedCall(): Client['call'] {
  const scope = useScopeFilter();
  return useMemo(() => clientWith(scope).call, [scope]);
}
