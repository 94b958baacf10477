/**
 * `npm test`: fetches and builds what the tests need, then runs the unit tests and the real app in a real browser,
 * with format, lint and types beside them. The last line is `N passed, N failed` and counts both kinds of tests.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderClips } from '../testing/camera/clips.ts';
import { personA, personB } from '../testing/camera/people.ts';
import { findPostgres } from '../testing/postgres/server.ts';
import { ensureAssets } from './assets/ensure.ts';
import { progressOn } from './assets/progress.ts';
import { ensureBrowser, ensureOtherBrowsers, ensurePostgres } from './run/browser.ts';
import { ensureBuilt } from './run/built.ts';
import { failureReport, outcomeLine, runTasks, runVisibly, STATIC_CHECKS } from './run/tasks.ts';
import { ensureTestDesktop } from './run/test-desktop.ts';
import { type Counts, countPlaywright, countRun, filesOf } from './run/test-counts.ts';

/** The problem, and which tests are left out even without one. */
type Prepared = { troubles: string[]; leftOut: string[] };

async function prepare(): Promise<Prepared> {
  const troubles: string[] = [];
  const leftOut: string[] = [];
  const attempt = async (step: () => Promise<unknown>) => {
    try {
      await step();
    } catch (error) {
      troubles.push(error instanceof Error ? error.message : String(error));
    }
  };
  const browser = ensureBrowser((line) => console.log(line));
  if (browser !== null) troubles.push(browser);
  troubles.push(...ensureOtherBrowsers((line) => console.log(line)));
  const postgres = ensurePostgres((line) => console.log(line));
  if (postgres !== null) (process.env['CI'] === undefined ? leftOut : troubles).push(postgres);
  // Two wait for the network while the other one keeps a processor busy.
  await Promise.all([
    attempt(async () => {
      await ensureAssets('test', progressOn(process.stderr));
      // Several runners need them at once, and would each render them.
      for (const person of [personA, personB]) await renderClips(person);
    }),
    attempt(() => ensureBuilt((line) => console.log(line))),
    attempt(async () => {
      const desktop = await ensureTestDesktop((line) => console.log(line));
      if (desktop.leftOut !== null) leftOut.push(desktop.leftOut);
      if (desktop.trouble !== null) troubles.push(desktop.trouble);
    }),
  ]);
  return { troubles, leftOut };
}

/** @param files all of them if left out */
async function unitTests(folder: string, files: readonly string[] = []): Promise<Counts> {
  const report = path.join(folder, 'unit.json');
  const code = await runVisibly(['vitest', 'run', ...files], {
    env: { GATEHOUSE_UNIT_REPORT: report },
  });
  return countRun(report, code, (counts: Counts) => counts);
}

type EndToEnd = { projects: readonly string[]; workers: number; only?: readonly `--${string}`[] };

async function endToEndTests(folder: string, { projects, workers, only = [] }: EndToEnd): Promise<Counts> {
  const name = projects.join('-');
  const report = path.join(folder, `${name}.json`);
  const code = await runVisibly(
    [
      ...(['playwright', 'test', '-c', 'e2e/playwright.config.ts', '--workers', `${workers}`] as const),
      // One folder per run, because a run empties its folder first.
      ...['--output', `test-results/${name}`],
      ...only,
      ...projects.flatMap((project) => ['--project', project]),
    ],
    { env: { GATEHOUSE_E2E_REPORT: report } },
  );
  return countRun(report, code, countPlaywright);
}

/** One runner after the other: each keeps the processors of a small machine busy, and beside others tests miss their limits. */
async function runTests(folder: string): Promise<Counts[]> {
  const cameras: EndToEnd = { projects: ['cameras'], workers: 1 };
  const others: EndToEnd = {
    projects: ['desktops', 'others', ...(findPostgres() === undefined ? [] : ['postgres'])],
    workers: 3,
  };
  const again = (tests: EndToEnd) => () =>
    endToEndTests(folder, { ...tests, workers: 1, only: ['--last-failed'] });
  const units = await unitTests(folder);
  return [
    await alone(units, async () => {
      const files = filesOf(units.failures);
      return files.length === 0 ? units : unitTests(folder, files);
    }),
    await alone(await endToEndTests(folder, cameras), again(cameras)),
    await alone(await endToEndTests(folder, others), again(others)),
  ];
}

/** More than this fail for another reason than a busy machine. */
const MOST_ALONE = 8;
const onlyAlone: string[] = [];

/**
 * Runs a few tests that failed once more, with the machine to themselves: where other programs work on the same
 * processors, a camera gets too few frames. A test that passes only then is named at the end, and is a fault to fix.
 */
async function alone(first: Counts, again: () => Promise<Counts>): Promise<Counts> {
  if (first.failed === 0 || first.failed > MOST_ALONE) return first;
  const { passed, failed } = await again();
  if (failed > 0 || passed === 0) return first;
  onlyAlone.push(...first.failures);
  return { ...first, passed: first.passed + first.failed, failed: 0, failures: [] };
}

// The checks need no preparation.
const checking = runTasks(STATIC_CHECKS, 1, (outcome) => console.log(outcomeLine(outcome)), {
  inBackground: true,
});
const { troubles, leftOut } = await prepare();
for (const trouble of troubles) console.error(trouble);
for (const what of leftOut) console.log(what);
const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-test-'));
let counts: Counts[];
try {
  counts = await runTests(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
const checks = await checking;
process.stdout.write(failureReport(checks));

const sum = (of: (count: Counts) => number) => counts.reduce((total, count) => total + of(count), 0);
const failed = sum((count) => count.failed);
for (const skipped of counts.flatMap((count) => count.skipped)) console.log(`Skipped: ${skipped}`);
const failedChecks = checks.filter(({ ok }) => !ok).map(({ name }) => name);
if (failedChecks.length > 0) console.log(`Failed checks: ${failedChecks.join(', ')}.`);
// Repeated at the end, because the first time has scrolled away.
for (const failure of counts.flatMap(({ failures }) => failures)) console.log(`Failed: ${failure}`);
for (const failure of onlyAlone) console.log(`Passed only alone: ${failure}`);
for (const what of leftOut) console.log(what);
if (troubles.length > 0) console.log(`Not prepared: ${troubles.join(' ')}`);
console.log(`${sum((count) => count.passed)} passed, ${failed} failed`);
process.exitCode = failed + failedChecks.length + troubles.length === 0 ? 0 : 1;
