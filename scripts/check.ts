/** `npm run check`: all that can be checked without a browser, and one summary. `npm run types` runs the types alone. */
import { CHECKS_OF_CHANGES, failureReport, outcomeLine, runTasks, type Task } from './run/tasks.ts';

/** What a small machine has; more would only make each slower. */
const AT_ONCE = 2;

/** On SQLite alone: `npm test` repeats those of the store and the services on PostgreSQL. */
const UNIT_TESTS: Task = {
  name: 'unit tests',
  command: ['vitest', 'run', '--reporter=dot', '--project', '!postgres'],
};

const [only] = process.argv.slice(2);
const tasks = [UNIT_TESTS, ...CHECKS_OF_CHANGES].filter(
  ({ name }) => only === undefined || name.startsWith(only),
);
const outcomes = await runTasks(tasks, AT_ONCE, (outcome) => console.log(outcomeLine(outcome)));
process.stdout.write(failureReport(outcomes));
const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
