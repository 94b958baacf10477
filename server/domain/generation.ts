/** Generations of the interface. They differ in what a run's own ID names and in their defaults. */
export const GENERATIONS = ['v1', 'v2', 'v3'] as const;
export type Generation = (typeof GENERATIONS)[number];
