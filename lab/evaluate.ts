/**
 * `npm run evaluate -- [folder] [--fit] [--sample 2] [--half reported] [--report FILE.html]`
 *
 * Error rates of liveness and recognition. Without a folder, rendered people and attacks are played against the live
 * capture, half of which the weights were fitted on; with one, recorded clips are (layout: `lab/evaluate/folder.ts`,
 * documented in `docs/explanation/liveness-evidence.md`). `--sample` takes that many clips of each kind and person,
 * `--half` plays one half of the people, `--report` writes a page for an auditor, `--fit` prints newly fitted weights.
 * Frames stay on this machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createFaceEngine, type FaceEngine } from '../server/face/engine.ts';
import { loadManifests } from '../server/face/model-files.ts';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { cacheDir, MANIFEST_DIR, modelsDir, PROJECT_ROOT } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { analysisVersion, evidenceCache } from './evaluate/evidence.ts';
import { fitThresholds, fitWeights, withUnlit } from './evaluate/fit.ts';
import { ClipFolderError, findClips, type FoundClip } from './evaluate/folder.ts';
import { judgePictures, judgePlayed, type AboutClip, type Judged } from './evaluate/judge.ts';
import { pageOf } from './evaluate/page.ts';
import { BEYOND_CLAIM, HALVES, INJECTED, isTraining } from './evaluate/plan.ts';
import { play } from './evaluate/play.ts';
import { recognition } from './evaluate/recognition.ts';
import { recordedActor } from './evaluate/recorded.ts';
import { markdownOf, reportOf, type Report } from './evaluate/report.ts';
import { playSet } from './evaluate/set.ts';

const CONDITIONS = {
  rendered: [
    'Every person is a photo on the mesh of a head, every attack is rendered; no real attack was recorded.',
    'Each capture was played against the live capture’s own state machine, which asked for one thing at a time.',
    'Weights and thresholds were fitted on the training half. Nobody is in both halves.',
  ],
  recorded: [
    'Clips recorded on site were played against the live capture’s own state machine, which asked for the steps recorded.',
    'A clip that ended before the server had enough is judged by what it shows.',
  ],
} as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fit: { type: 'boolean' },
    half: { type: 'string' },
    sample: { type: 'string' },
    report: { type: 'string' },
  },
});
const cache = join(cacheDir(), 'evaluate');
const [folder] = positionals;
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
  const sample =
    values.sample === undefined ? undefined : Math.max(1, Math.floor(Number(values.sample)) || 1);
  const judged = await playSet({
    cache,
    sample,
    half: HALVES.find((half) => half === values.half),
    onProgress: (done, of) => note(`played ${done} of ${of} clips`),
  });
  note('\n');
  return judged;
}

async function playFolder(root: string): Promise<Judged[]> {
  const clips = await findClips(root);
  const engine = await createFaceEngine({ modelDir: modelsDir(), manifestDir: MANIFEST_DIR });
  try {
    const version = await analysisVersion(MANIFEST_DIR);
    const judged: Judged[] = [];
    for (const clip of clips) {
      for (const mode of ['standard', 'strict'] as const)
        judged.push(await playRecorded(clip, mode, engine, version));
      note(`played ${judged.length / 2} of ${clips.length} clips`);
    }
    note('\n');
    return judged;
  } finally {
    await engine.close();
  }
}

async function playRecorded(
  clip: FoundClip,
  mode: AboutClip['mode'],
  engine: Pick<FaceEngine, 'analyse'>,
  version: string,
): Promise<Judged> {
  const { name, kind, identity, labels, tints, steps } = clip;
  const about: AboutClip = { name, kind, identity, mode, labels, hasTints: tints.length > 0 };
  const kept = evidenceCache(cache, version);
  const actor = await recordedActor(clip);
  const measure: Parameters<typeof play>[0]['measure'] = async ({ take }) =>
    kept(await take(), async (jpeg) => {
      const [evidence] = await engine.analyse([jpeg]);
      if (!evidence) throw new ClipFolderError(`${name}: a frame could not be read`);
      return evidence;
    });
  if (steps.length > 0) return judgePlayed(about, await play({ actor, mode, seed: 1, measure }));
  const pictures = actor.everything.map(measure);
  return judgePictures(
    about,
    (await Promise.all(pictures)).filter((evidence) => evidence !== null),
  );
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
  if (values.report !== undefined) {
    const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const conditions = CONDITIONS[isBuiltIn ? 'rendered' : 'recorded'];
    await writeFile(values.report, pageOf(reports, { version, conditions, manifests }));
    console.log(`Written to ${values.report}`);
  }
  if (values.fit === true) {
    const clips = judged
      .filter((entry) => !isBuiltIn || (isTrained(entry) && !BEYOND_CLAIM.includes(entry.clip.kind)))
      .map(({ clip, signals }) => ({ kind: clip.kind, signals }));
    const examples = withUnlit(clips);
    const fit = fitWeights(examples);
    const fitted = { ...fit, thresholds: fitThresholds(fit, examples) };
    console.log(`\nFitted on ${clips.length} captures:\n${JSON.stringify(fitted, null, 2)}`);
  }
}

function isTrained({ clip }: Judged): boolean {
  return isTraining(clip.identity);
}

/** Progress on one line, for a person who waits. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text === '\n' ? text : `\r${text}`);
}
