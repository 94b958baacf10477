/** Calls about the company and partition of the address: what it says goes along with each. */
import { useCallback, useMemo } from 'react';
import { send } from './api.ts';
import { scopeQuery, useScope } from './session.ts';

/** The scope as parts of a query, the same object while it stays the same. */
export function useScopeFilter(): { company_id: string; partition: string } {
  const scope = useScope();
  const { company_id, partition } = scopeQuery(scope);
  return useMemo(() => ({ company_id, partition }), [company_id, partition]);
}

type Send = <T = void>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<T>;

/** As `send`, about the scope of the address. */
export function useScopedSend(): Send {
  const filter = useScopeFilter();
  return useCallback(
    (method, path, body) => send(method, `${path}?${new URLSearchParams(filter).toString()}`, body),
    [filter],
  );
}
