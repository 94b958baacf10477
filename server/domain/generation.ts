/** Generations of the interface: what a run's own id names, and what its config leaves out, differs by them. */
export const GENERATIONS = ['v1', 'v2', 'v3'] as const;
export type Generation = (typeof GENERATIONS)[number];
