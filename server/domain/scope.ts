/** Test and live data of one company are separate partitions (contract, "What the service does" 6). */
export const PARTITIONS = ['live', 'test'] as const;
export type Partition = (typeof PARTITIONS)[number];

/**
 * Where everything about a person lives. A required parameter of every store call on such data, so that another
 * company's or partition's row cannot be reached at all (decisions §1.2).
 */
export type Scope = { readonly companyId: string; readonly partition: Partition };
