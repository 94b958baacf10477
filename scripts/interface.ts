/**
 * `npm run interface` records the shape of the interface, unless something was narrowed. With `--check` it compares, and lints the document
 * with Redocly and Spectral.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PROJECT_ROOT } from './assets/paths.ts';
import { readShape, RECORDED, shapeOf } from './interface/recorded.ts';
import { narrowings } from './interface/narrowing.ts';
import { publicDocument } from '../server/routes/docs/openapi.ts';

/** No address of anybody. */
const BASE_URL = 'https://verify.gatehouse.test';

const LINTERS = [
  ['redocly', 'lint', '--extends=recommended'],
  [
    'spectral',
    'lint',
    '--fail-severity=hint',
    `--ruleset=${path.join(import.meta.dirname, 'interface/spectral.yaml')}`,
  ],
] as const;

/** What the linters find, each under its name; empty if they find nothing. */
async function findings(document: object): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-interface-'));
  try {
    const file = path.join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document, null, 2));
    return LINTERS.flatMap(([program, ...args]) => {
      const { status, stdout, stderr, error } = spawnSync(
        path.join(PROJECT_ROOT, 'node_modules/.bin', program),
        [...args, file],
        {
          encoding: 'utf8',
          shell: process.platform === 'win32',
          env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
        },
      );
      const said = `${stdout}${stderr}`;
      // Redocly succeeds with warnings.
      return status === 0 && !/You have \d+ warning/.test(said)
        ? []
        : [`${program}: ${error?.message ?? said}`];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const document = await publicDocument(BASE_URL);
const narrower = narrowings(await readShape(), document);
const problems = process.argv.includes('--check') ? [...narrower, ...(await findings(document))] : narrower;
for (const problem of problems) console.error(problem);
if (narrower.length > 0) console.error('Integrators rely on these. Add instead of changing or removing.');
process.exitCode = problems.length === 0 ? 0 : 1;
if (problems.length === 0 && !process.argv.includes('--check')) {
  await writeFile(RECORDED, `${JSON.stringify(shapeOf(document), null, 1)}\n`);
  console.log(`Recorded in ${path.relative(PROJECT_ROOT, RECORDED)}.`);
}
