/** Calls about the company and partition of the address: what it says goes along with each. */
import { useMemo } from 'react';
import type { PartitionName } from '../../../../server/contract/console/common.ts';
import type { Client } from '../../../http/client.ts';
import { clientWith } from './api.ts';
import { scopeQuery, useScope } from './session.ts';

export type ScopeFilter = { company_id: string; partition: PartitionName };

/** The scope as parts of a query, the same object while it stays the same. */
export function useScopeFilter(): ScopeFilter {
  const scope = useScope();
  const { company_id, partition } = scopeQuery(scope);
  return useMemo(() => ({ company_id, partition }), [company_id, partition]);
}

/** As `call`, about the scope of the address. */
export function useScopedCall(): Client['call'] {
  const scope = useScopeFilter();
  return useMemo(() => clientWith(scope).call, [scope]);
}
