/** `npm run check`: everything that can be said about the code in a minute, and one summary of what is wrong. */
import { failureReport, outcomeLine, runTasks, STATIC_CHECKS, type Task } from './run/tasks.ts';

/** What a small machine has; more would only make each slower. */
const AT_ONCE = 2;

const UNIT_TESTS: Task = { name: 'unit tests', command: ['vitest', 'run', '--reporter=dot'] };

const outcomes = await runTasks([UNIT_TESTS, ...STATIC_CHECKS], AT_ONCE, (outcome) =>
  console.log(outcomeLine(outcome)),
);
process.stdout.write(failureReport(outcomes));
const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
console.log(failed.length === 0 ? '\nAll is well.' : `\nNot well: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
