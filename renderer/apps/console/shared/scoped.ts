/** Calls for the company and partition in the address, which each call sends. */
import { useMemo } from 'react';
import type { PartitionName } from '../../../../server/contract/console/common.ts';
import type { Client } from '../../../http/client.ts';
import { clientWith } from './api.ts';
import { scopeQuery, useScope } from './session.ts';

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
