/** Counts tests out of the runners' machine-readable reports. */
import { readFile } from 'node:fs/promises';

/** `skipped` tells each test that was left out although it is part of the run, and why. */
export type Counts = { passed: number; failed: number; skipped: readonly string[] };

/** The part of Vitest's JSON report that counts. */
type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

/** The part of Playwright's JSON report that counts. */
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: unknown[];
  suites: readonly PlaywrightSuite[];
};
type PlaywrightSuite = {
  specs: readonly {
    title: string;
    tests: readonly { status: string; annotations: readonly { type: string; description?: string }[] }[];
  }[];
  suites?: readonly PlaywrightSuite[];
};

/** A file that could not even be loaded has no failed tests of its own; it counts as one. */
export function countVitest(report: VitestReport): Counts {
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  // Unit tests are skipped only on systems that lack what they test, such as rights of files.
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable.length, skipped: [] };
}

/** A test that passes only sometimes has failed; so has an error outside any test. */
export function countPlaywright({ stats, errors, suites }: PlaywrightReport): Counts {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: suites.flatMap(skippedIn),
  };
}

function skippedIn({ specs, suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => {
        const why = annotations.find(({ type }) => type === 'skip')?.description;
        return why === undefined ? title : `${title}: ${why}`;
      }),
  );
  return [...own, ...suites.flatMap(skippedIn)];
}

/**
 * Counts one run.
 * @param exitCode a runner that ends badly has at least one failure, even with no report or none in it
 */
export async function countRun<T>(
  reportFile: string,
  exitCode: number,
  count: (report: T) => Counts,
): Promise<Counts> {
  let counts: Counts;
  try {
    counts = count(JSON.parse(await readFile(reportFile, 'utf8')) as T);
  } catch {
    counts = { passed: 0, failed: 1, skipped: [] };
  }
  return exitCode === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}
