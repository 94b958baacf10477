/** Size of the demo: enough to show every page with data, or as much as a busy venue after a season. */
export const DEMO_SIZES = ['small', 'large'] as const;
export type DemoSizeName = (typeof DEMO_SIZES)[number];

export type DemoSize = {
  name: DemoSizeName;
  people: number;
  /** Runs of the live partition; nearly all settle. */
  runs: number;
  webhookCalls: number;
  openCases: number;
  decidedCases: number;
  testRuns: number;
  dailyLimit: number;
};

export const SIZES: Record<DemoSizeName, DemoSize> = {
  small: {
    name: 'small',
    people: 600,
    runs: 2_400,
    webhookCalls: 180,
    openCases: 14,
    decidedCases: 26,
    testRuns: 60,
    dailyLimit: 160,
  },
  large: {
    name: 'large',
    people: 10_000,
    // Some of them are abandoned and leave no pass.
    runs: 103_500,
    webhookCalls: 5_000,
    openCases: 120,
    decidedCases: 380,
    testRuns: 400,
    dailyLimit: 7_000,
  },
};

/** Days of the demo's past, including today. */
export const DEMO_DAYS = 90;
