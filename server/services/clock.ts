/** Epoch milliseconds; a parameter so that tests can move time. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };
