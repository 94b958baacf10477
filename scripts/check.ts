/** `npm run check`: everything that needs neither a browser nor a database server, with one summary. `npm run types` checks only types. */
import { unitTestsOfChanges } from './run/changed-tests.ts';
import { failureReport, outcomeLine, runTasks, STATIC_CHECKS } from './run/tasks.ts';

/** A small machine has two processors; more tasks at once would slow each other down. */
const AT_ONCE = 2;

const unit = unitTestsOfChanges();
const [only] = process.argv.slice(2);
const tasks = [unit.task, ...STATIC_CHECKS].filter(({ name }) => only === undefined || name.startsWith(only));
const outcomes = await runTasks(tasks, AT_ONCE, (outcome) => console.log(outcomeLine(outcome)));
if (outcomes.some(({ name, ok }) => ok && name === unit.task.name)) unit.passed();
process.stdout.write(failureReport(outcomes));
const failed = outcomes.filter(({ ok }) => !ok).map(({ name }) => name);
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
