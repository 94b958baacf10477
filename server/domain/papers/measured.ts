/** Figures that an impact assessment quotes. The documentation has each with its version, its command or set, and its limits. */

/** With an exact 95 % interval. */
export type Share = { count: number; of: number; percent: number; low: number; high: number };

export const MEASURED = {
  /** `docs/explanation/liveness-evidence.md`: every species of rendered attack, passed without a reviewer. */
  attacks: {
    standard: { count: 125, of: 674, percent: 18.5, low: 15.7, high: 21.7 },
    strict: { count: 70, of: 673, percent: 10.4, low: 8.2, high: 13 },
  },
  /** The same: rendered people refused, in either mode. */
  genuineRefused: { count: 0, of: 81, percent: 0, low: 0, high: 4.5 },
  /** `docs/explanation/real-clips.md`: percentage of searches for new people that ended in a wrong match, among 200 and 2,000 enrolled. */
  newPeople: { few: 0.07, many: 0.25 },
  /** The same: percentage of single photos missed at the starting threshold; wrong matches within one group. */
  groups: { women: 17.5, men: 11.3, low: 0.2, high: 2.3 },
  /** The same, one photo against one at .50, which is the fast lane’s threshold: wrong matches of a million comparisons; percentage of right ones missed. */
  oneToOne: { wrong: 4.5, missed: 7.3 },
} as const;
