/**
 * `npm run evaluate -- [folder] [--fit] [--portraits FOLDER] [--sample 2] [--half reported] [--report FILE.html]`
 *
 * Error rates of liveness and recognition. Without a folder, rendered people and attacks are played against the live
 * capture; with one, recorded clips are (layout: `lab/evaluate/folder.ts`, documented in
 * `docs/explanation/liveness-evidence.md`). `--portraits` adds a person for each suitable picture in a folder, `--sample`
 * takes that many clips of each kind and person, `--half` plays one half of the people, `--report` writes a page for an auditor, `--fit` prints newly fitted weights. Frames stay on this
 * machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { cacheDir, MANIFEST_DIR, modelsDir, PROJECT_ROOT } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { loadManifests } from '../server/face/model-files.ts';
import { openPipeline } from '../server/face/pipeline.ts';
import { analysisVersion, evidenceCache, rulesVersion } from './evaluate/evidence.ts';
import { fitThresholds, fitWeights, withUnlit } from './evaluate/fit.ts';
import { ClipFolderError, findClips } from './evaluate/folder.ts';
import type { Judged } from './evaluate/judge.ts';
import { evaluateProgram, type EvaluateOptions } from './evaluate/options.ts';
import { pageOf } from './evaluate/page.ts';
import { BEYOND_CLAIM, INJECTED, isTraining } from './evaluate/plan.ts';
import { recognition } from './evaluate/recognition.ts';
import { judgeRecorded } from './evaluate/recorded.ts';
import { markdownOf, reportOf, type Report } from './evaluate/report.ts';
import { playSet } from './evaluate/set.ts';

const CIRCUMSTANCES = {
  rendered: [
    'Every person is a photo, or a picture of the folder of portraits, on the mesh of a head. Every attack is rendered; no real attack was recorded.',
    'Each capture was played against the live capture’s own state machine, which asked for one thing at a time.',
    'Weights and thresholds were fitted on the training half. Nobody is in both halves.',
    'The demo photos’ reported half is not untouched: it was looked at on 21, 22 and 23 November 2026, before the rules were settled.',
  ],
  recorded: [
    'Clips recorded on site were played against the live capture’s own state machine, which asked for the steps recorded.',
    'A clip that ended before the server had enough counts as not acquired, unless what it shows is refused or leaves a doubt for a reviewer.',
  ],
} as const;

const program = evaluateProgram();
await program.parseAsync();
const { fit, half, portraits, sample, report: reportFile } = program.opts<EvaluateOptions>();
const [folder] = program.args;
const cache = join(cacheDir(), 'evaluate');
const isBuiltIn = folder === undefined;
await ensureAssets('test', progressOn(process.stderr));

try {
  await tell(folder === undefined ? await playBuiltIn() : await playFolder(resolve(folder)));
} catch (error) {
  if (!(error instanceof ClipFolderError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function playBuiltIn(): Promise<Judged[]> {
  const judged = await playSet({
    cache,
    sample,
    half,
    portraits,
    onProgress: (done, of) => note(`played ${done} of ${of} clips`),
  });
  note('\n');
  return judged;
}

/** One frame at a time, because a venue may have many clips. */
async function playFolder(root: string): Promise<Judged[]> {
  const clips = await findClips(root);
  const pipeline = await openPipeline(await loadManifests(MANIFEST_DIR, modelsDir()), modelsDir());
  const kept = evidenceCache(cache, await analysisVersion(MANIFEST_DIR));
  const judged: Judged[] = [];
  try {
    for (const [index, clip] of clips.entries()) {
      judged.push(
        ...(await judgeRecorded(clip, (jpeg, purpose) =>
          kept(jpeg, purpose, (...frame) => pipeline.analyse(...frame)),
        )),
      );
      note(`played ${index + 1} of ${clips.length} clips`);
    }
  } finally {
    await pipeline.close();
  }
  note('\n');
  return judged;
}

async function tell(judged: readonly Judged[]): Promise<void> {
  const manifests = await loadManifests(MANIFEST_DIR, modelsDir());
  const { samePerson } = manifests.embed.thresholds;
  const parts = isBuiltIn
    ? (
        [
          ['Training half', judged.filter(isTrained)],
          ['Reported half', judged.filter((entry) => !isTrained(entry))],
        ] as const
      ).filter(([, part]) => part.length > 0)
    : ([['All clips', judged]] as const);
  const reports: Report[] = parts.map(([title, part]) =>
    reportOf(title, part, {
      recognition: recognition(part, samePerson),
      samePerson,
      beyond: isBuiltIn ? BEYOND_CLAIM : [],
      injected: isBuiltIn ? INJECTED : [],
    }),
  );
  for (const report of reports) console.log(`${markdownOf(report)}\n`);
  if (reportFile !== undefined) {
    const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const conditions = CIRCUMSTANCES[isBuiltIn ? 'rendered' : 'recorded'];
    const rules = await rulesVersion();
    await writeFile(reportFile, pageOf(reports, { version, conditions, manifests, rules }));
    console.log(`Written to ${reportFile}`);
  }
  if (fit) {
    const clips = judged
      .filter(({ condition }) => condition !== 'standard_unlit')
      .filter((entry) => !isBuiltIn || (isTrained(entry) && !BEYOND_CLAIM.includes(entry.clip.kind)))
      .map(({ clip, signals }) => ({ kind: clip.kind, signals }));
    const examples = withUnlit(clips);
    const weights = fitWeights(examples);
    const fitted = { ...weights, thresholds: fitThresholds(weights, examples) };
    console.log(`\nFitted on ${clips.length} captures:\n${JSON.stringify(fitted, null, 2)}`);
  }
}

function isTrained({ clip }: Judged): boolean {
  return clip.identity !== null && isTraining(clip.identity);
}

/** Progress on one line, for a waiting person. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text === '\n' ? text : `\r${text}`);
}
