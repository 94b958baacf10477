/** Counts tests in the runners' reports, and lists those that failed. */
import { readFile, writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * `skipped` lists each test that was left out although it is part of the run, `failures` each that failed, both with
 * the reason.
 */
export type Counts = {
  passed: number;
  failed: number;
  skipped: readonly string[];
  failures: readonly string[];
};

type Failing = { readonly errors: readonly ({ readonly message?: string } | undefined)[] };

/** The part of a Vitest test module that is counted. */
export type CountedModule = Pick<TestModule, 'relativeModuleId'> & {
  state: () => string;
  errors: () => Failing['errors'];
  children: {
    allTests: () => Iterable<{ fullName: string; result: () => { state: string } & Partial<Failing> }>;
    allSuites: () => Iterable<{ fullName: string; errors: () => Failing['errors'] }>;
  };
};

/** The part of Playwright's JSON report that is counted. */
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number };
  errors: readonly { message?: string }[];
  suites: readonly PlaywrightSuite[];
};
type PlaywrightSuite = {
  specs: readonly {
    title: string;
    file: string;
    tests: readonly {
      status: string;
      annotations: readonly { type: string; description?: string }[];
      results: readonly { errors: readonly { message?: string }[] }[];
    }[];
  }[];
  suites?: readonly PlaywrightSuite[];
};

/** Writes the counts of a Vitest run to a file. */
export const countsReporter = (file: string): Reporter => ({
  async onTestRunEnd(modules, unhandledErrors) {
    await writeFile(file, JSON.stringify(countVitest(modules, unhandledErrors)));
  },
});

/** Every error outside a test, such as that of a hook or of a file that cannot be loaded, counts as one failure. */
export function countVitest(modules: readonly CountedModule[], unhandled: Failing['errors']): Counts {
  let passed = 0;
  const failures = unhandled.map((error) => `outside the tests: ${shortReason([error])}`);
  for (const module of modules) {
    const { relativeModuleId: file, children } = module;
    const before = failures.length;
    for (const test of children.allTests()) {
      const { state, errors = [] } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'failed') failures.push(`${file} › ${test.fullName}: ${shortReason(errors)}`);
    }
    for (const holder of [module, ...children.allSuites()]) {
      if (holder.errors().length === 0) continue;
      const name = 'fullName' in holder ? holder.fullName : 'outside the tests';
      failures.push(`${file} › ${name}: ${shortReason(holder.errors())}`);
    }
    if (module.state() === 'failed' && failures.length === before) failures.push(`${file} failed`);
  }
  // Unit tests are skipped only on systems without the tested feature, such as file permissions.
  return { passed, failed: failures.length, skipped: [], failures };
}

/** A flaky test counts as failed; so does an error outside any test. */
export function countPlaywright({ stats, errors, suites }: PlaywrightReport): Counts {
  const outside = errors.map((error) => `outside the tests: ${shortReason([error])}`);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: suites.flatMap(skippedIn),
    failures: [...suites.flatMap(failuresIn), ...outside],
  };
}

const allSpecs = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(allSpecs),
];

function skippedIn(suite: PlaywrightSuite): string[] {
  return allSpecs(suite).flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .map(({ annotations }) => {
        const why = annotations.find(({ type }) => type === 'skip')?.description;
        return why === undefined ? title : `${title}: ${why}`;
      }),
  );
}

function failuresIn(suite: PlaywrightSuite): string[] {
  return allSpecs(suite).flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => `${file} › ${title}: ${shortReason(results.flatMap(({ errors }) => errors))}`),
  );
}

/** The files of unit tests that failed. */
export const filesOf = (failures: readonly string[]): string[] => [
  ...new Set(failures.flatMap((failure) => /^\S+\.test\.tsx?/.exec(failure) ?? [])),
];

const MAX_REASON_CHARS = 600;

/** The error on one line. A server that did not start is explained only by the lines after the first. */
function shortReason([error]: Failing['errors']): string {
  const lines = stripVTControlCharacters(error?.message ?? 'no message').split('\n');
  const text = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' | ');
  return text.length > MAX_REASON_CHARS ? `${text.slice(0, MAX_REASON_CHARS)}…` : text;
}

/**
 * Counts one run.
 * @param exitCode a runner that ends with an error has at least one failure, even without one in its report
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
    counts = { passed: 0, failed: 1, skipped: [], failures: ['a runner ended without a report'] };
  }
  if (exitCode === 0 || counts.failed > 0) return counts;
  return {
    ...counts,
    failed: 1,
    failures: [`a runner ended with ${exitCode} although none of its tests failed`],
  };
}
