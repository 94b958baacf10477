/** Groups whose history counts for a run; null means everything in the scope (decisions §5). */
export type Pool = ReadonlySet<string> | null;

/** Contract, initialize rules 7 and 8. Without a group the included groups add nothing. */
export function poolOf(group: string | null, includeGroups: readonly string[]): Pool {
  return group === null ? null : new Set([group, ...includeGroups]);
}

export function inPool(pool: Pool, group: string | null): boolean {
  return pool === null || (group !== null && pool.has(group));
}
