/**
 * `npm run evaluate -- [folder] [--fit] [--share 0.2] [--out folder]`
 *
 * Error rates of liveness and recognition on a folder of clips (layout: `lab/evaluate/folder.ts`, documented in
 * `docs/explanation/liveness-evidence.md`), or, without a folder, on the built-in set of rendered clips, half of which the weights were
 * fitted on. `--fit` prints weights fitted anew, `--share` makes a smaller built-in set. Frames stay on this machine.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createFaceEngine } from '../server/face/engine.ts';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { cacheDir, MANIFEST_DIR, modelsDir } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { evidenceStore } from './evaluate/evidence.ts';
import { fitThresholds, fitWeights, withUnlit } from './evaluate/fit.ts';
import { ClipFolderError, findClips } from './evaluate/folder.ts';
import { generatedSet } from './evaluate/generate.ts';
import { judgeClip, type Judged } from './evaluate/judge.ts';
import { BEYOND_CLAIM, isTraining } from './evaluate/plan.ts';
import { recognition } from './evaluate/recognition.ts';
import { markdownOf, reportOf, writeReport } from './evaluate/report.ts';

/** Clips that are looked at side by side: enough to keep every worker of the engine busy. */
const AT_ONCE = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fit: { type: 'boolean' }, share: { type: 'string' }, out: { type: 'string' } },
});
const cache = join(cacheDir(), 'evaluate');
const builtIn = positionals[0] === undefined;
await ensureAssets('test', progressOn(process.stderr));

try {
  await evaluate(positionals[0] === undefined ? await makeSet() : resolve(positionals[0]));
} catch (error) {
  if (!(error instanceof ClipFolderError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function evaluate(folder: string): Promise<void> {
  const clips = await findClips(folder);
  const engine = await createFaceEngine({ modelDir: modelsDir(), manifestDir: MANIFEST_DIR });
  const judged: Judged[] = [];
  try {
    const store = await evidenceStore(cache, MANIFEST_DIR, engine);
    const waiting = [...clips];
    const work = async () => {
      for (let clip = waiting.shift(); clip; clip = waiting.shift()) {
        judged.push(await judgeClip(clip, store));
        note(`judged ${judged.length} of ${clips.length} clips`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    note('\n');
    judged.sort((a, b) => a.clip.name.localeCompare(b.clip.name));
    await tell(judged, engine.thresholds.samePerson);
  } finally {
    await engine.close();
  }
}

async function tell(judged: readonly Judged[], sameFaceThreshold: number): Promise<void> {
  const out = resolve(values.out ?? join(cache, 'report'));
  const parts = builtIn
    ? ([
        ['training', 'Training half', judged.filter(isTrained)],
        ['reported', 'Reported half', judged.filter((entry) => !isTrained(entry))],
      ] as const)
    : ([['', 'All clips', judged]] as const);
  for (const [name, title, part] of parts) {
    const beyond = builtIn ? BEYOND_CLAIM : [];
    const report = reportOf(title, part, {
      recognition: recognition(part, sameFaceThreshold),
      sameFaceThreshold,
      beyond,
    });
    await writeReport(join(out, name), report, part);
    console.log(`${markdownOf(report)}\n`);
  }
  console.log(`Written to ${out}`);
  if (values.fit === true) {
    const clips = judged
      .filter((entry) => !builtIn || (isTrained(entry) && !BEYOND_CLAIM.includes(entry.clip.kind)))
      .map(({ clip, signals }) => ({ kind: clip.kind, signals }));
    const examples = withUnlit(clips);
    const fit = fitWeights(examples);
    const fitted = { ...fit, thresholds: fitThresholds(fit, examples) };
    console.log(`\nFitted on ${clips.length} clips:\n${JSON.stringify(fitted, null, 2)}`);
  }
}

function isTrained({ clip }: Judged): boolean {
  return isTraining(clip.identity);
}

function makeSet(): Promise<string> {
  const share = Math.min(1, Math.max(0.01, Number(values.share ?? 1) || 1));
  return generatedSet({ cache, share, onProgress: (done, of) => note(`rendered ${done} of ${of} clips`) });
}

/** Progress on one line, for a person who waits. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text === '\n' ? text : `\r${text}`);
}
