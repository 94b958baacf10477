import type { PartitionName } from '../contract/console/common.ts';

/** Test and live data of one company are separate partitions (contract, "What the service does" 6). */
export type Partition = PartitionName;

/**
 * Where all data about a person belongs. A required parameter of every store call on such data, so that a row of
 * another company or partition cannot be reached (decisions §1.2).
 */
export type Scope = { readonly companyId: string; readonly partition: Partition };

export const isSameScope = (a: Scope, b: Scope): boolean =>
  a.companyId === b.companyId && a.partition === b.partition;
