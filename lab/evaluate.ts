/**
 * `npm run evaluate -- [folder] [--recordings DATA-FOLDER] [--rendered] [--fit] [--portraits FOLDER] [--sample 2] [--kind
 * genuine] [--half reported] [--phone] [--claim] [--report FILE.html]`
 *
 * Error rates of liveness and recognition. Without a folder, rendered people and attacks are played against the live
 * capture; with one, recorded clips are (layout: `lab/evaluate/recordings/folder.ts`, documented in
 * `docs/explanation/liveness-evidence.md`). `--recordings` replays what `gatehouse record` kept, and `--rendered` adds the
 * built-in set to either. `--portraits` adds a person for each suitable picture in a folder, `--sample`
 * takes that many clips of each kind and person, `--kind` plays only these kinds, `--half` plays one half of the people, `--phone` plays captures as of a phone, `--claim` the fast lane beside the full check, `--report` writes a page for an auditor, `--fit` prints newly fitted weights. Frames stay on this
 * machine.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ensureAssets } from '../scripts/assets/ensure.ts';
import { cacheDir, MANIFEST_DIR, modelsDir, PROJECT_ROOT } from '../scripts/assets/paths.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { injectKey } from '../server/data/injected-key.ts';
import { loadManifests } from '../server/face/models/model-files.ts';
import { openPipeline, type FramePipeline } from '../server/face/pipeline.ts';
import { StoreError } from '../server/store/sql/port.ts';
import { analysisVersion, evidenceCache, rulesVersion } from './evaluate/evidence.ts';
import { fitThresholds, fitWeights, withUnlit } from './evaluate/fit.ts';
import { ClipFolderError, findClips, type FoundClip } from './evaluate/recordings/folder.ts';
import { type Judged, recognition } from './evaluate/judge.ts';
import { evaluateProgram, type EvaluateOptions } from './evaluate/options.ts';
import { pageOf } from './evaluate/page.ts';
import { BEYOND_CLAIM, INJECTED, isTraining } from './evaluate/plan.ts';
import { judgeRecorded } from './evaluate/recordings/recorded.ts';
import { findRecordings } from './evaluate/recordings/recordings.ts';
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
  recordings: [
    'Live captures of people who agreed, and of attacks that staff labelled, recorded by the server at the venue (gatehouse record).',
    'Each was replayed as it went, under the mode that it was recorded in. Under the others, the live capture’s state machine asked for what was recorded, in any order.',
  ],
} as const;

const AS_OF_A_PHONE =
  'Captures were judged as of a phone, whose surroundings move with the face. Recorded live captures were judged as of their own device.';

const program = evaluateProgram();
await program.parseAsync();
const {
  fit,
  half,
  portraits,
  sample,
  kind: kinds,
  recordings,
  rendered,
  keyStdin,
  phone: isHandheld = false,
  claim: withClaim = false,
  report: reportFile,
} = program.opts<EvaluateOptions>();
const [folder] = program.args;
const cache = join(cacheDir(), 'evaluate');
const isRendered = rendered === true || (folder === undefined && recordings === undefined);
if (keyStdin) injectKey(await text(process.stdin));
await ensureAssets('test', progressOn(process.stderr));

/** Clips that were judged, and how a report about them is made. */
type Part = {
  title: string;
  judged: Judged[];
  conditions: keyof typeof CIRCUMSTANCES;
  /** Whether the report may name single clips. */
  isNamed: boolean;
};

try {
  await tell([
    ...(isRendered ? await playRendered() : []),
    ...(folder === undefined ? [] : [await playFolder(resolve(folder))]),
    ...(recordings === undefined ? [] : [await playRecordings(resolve(recordings))]),
  ]);
} catch (error) {
  if (!(error instanceof ClipFolderError || error instanceof StoreError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function playRendered(): Promise<Part[]> {
  const judged = await playSet({
    cache,
    sample,
    kinds,
    half,
    portraits,
    isHandheld,
    withClaim,
    onProgress: (done, of) => note(`played ${done} of ${of} clips`),
  });
  note('\n');
  const part = (title: string, isOf: (one: Judged) => boolean): Part => ({
    title,
    judged: judged.filter(isOf),
    conditions: 'rendered',
    isNamed: true,
  });
  const halves = [part('Training half', isTrained), part('Reported half', (entry) => !isTrained(entry))];
  return halves.filter((one) => one.judged.length > 0);
}

async function playFolder(root: string): Promise<Part> {
  const kept = evidenceCache(cache, await analysisVersion(MANIFEST_DIR));
  const judged = await playClips(
    await findClips(root),
    (pipeline) => (jpeg, purpose) => kept(jpeg, purpose, (...frame) => pipeline.analyse(...frame)),
  );
  return { title: 'All clips', judged, conditions: 'recorded', isNamed: true };
}

/** People agreed to shares, not to be listed, and their measurements are biometric data: neither is written down. */
async function playRecordings(dataDir: string): Promise<Part> {
  const judged = await playClips(
    await findRecordings(dataDir),
    (pipeline) => (jpeg, purpose) => pipeline.analyse(jpeg, purpose),
  );
  return { title: 'Recordings', judged, conditions: 'recordings', isNamed: false };
}

/** One frame at a time, because a venue may have many clips. */
async function playClips(
  clips: readonly FoundClip[],
  analyseWith: (pipeline: FramePipeline) => Parameters<typeof judgeRecorded>[1],
): Promise<Judged[]> {
  const pipeline = await openPipeline(await loadManifests(MANIFEST_DIR, modelsDir()), modelsDir());
  const analyse = analyseWith(pipeline);
  const judged: Judged[] = [];
  try {
    for (const [index, clip] of clips.entries()) {
      judged.push(...(await judgeRecorded(clip, analyse, isHandheld)));
      note(`played ${index + 1} of ${clips.length} clips`);
    }
    for (const clip of withClaim ? clips : []) {
      const vector = boundFace(clip, judged);
      if (vector === null) continue;
      const claim = { personId: clip.identity ?? '', vector, least: await leastOneToOne() };
      judged.push(...(await judgeRecorded(clip, analyse, isHandheld, claim)));
    }
  } finally {
    await pipeline.close();
  }
  note('\n');
  return judged;
}

/** With which the ticket of the clip's person was bound: at another visit. Null if there is none. */
const boundFace = ({ name, identity }: FoundClip, judged: readonly Judged[]): Float32Array | null =>
  judged.find(
    ({ clip, template }) =>
      clip.kind === 'genuine' &&
      identity !== null &&
      clip.identity === identity &&
      clip.name !== name &&
      template !== null,
  )?.template ?? null;

async function leastOneToOne(): Promise<number> {
  const { samePerson, oneToOne = samePerson } = (await loadManifests(MANIFEST_DIR, modelsDir())).embed
    .thresholds;
  return oneToOne;
}

async function tell(parts: readonly Part[]): Promise<void> {
  const manifests = await loadManifests(MANIFEST_DIR, modelsDir());
  const { samePerson, oneToOne = samePerson } = manifests.embed.thresholds;
  const reports: Report[] = parts.map(({ title, judged, conditions, isNamed }) => {
    const report = reportOf(title, judged, {
      recognition: recognition(judged, samePerson),
      samePerson,
      ...(withClaim && { oneToOne: { threshold: oneToOne, ...recognition(judged, oneToOne) } }),
      beyond: conditions === 'rendered' ? BEYOND_CLAIM : [],
      injected: conditions === 'rendered' ? INJECTED : [],
    });
    return isNamed ? report : { ...report, misjudged: [] };
  });
  for (const report of reports) console.log(`${markdownOf(report)}\n`);
  if (reportFile !== undefined) {
    const { version } = JSON.parse(await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    const conditions = [
      ...[...new Set(parts.map((part) => part.conditions))].flatMap((of) => CIRCUMSTANCES[of]),
      ...(isHandheld ? [AS_OF_A_PHONE] : []),
    ];
    const rules = await rulesVersion();
    await writeFile(reportFile, pageOf(reports, { version, conditions, manifests, rules }));
    console.log(`Written to ${reportFile}`);
  }
  if (fit) tellFitted(parts);
}

/** Fitted on the training half of the rendered people, and on all of the venue's own clips. */
function tellFitted(parts: readonly Part[]): void {
  const clips = parts.flatMap(({ judged, conditions }) =>
    judged
      .filter(({ condition }) => condition === 'standard' || condition === 'strict')
      .filter(
        (entry) => conditions !== 'rendered' || (isTrained(entry) && !BEYOND_CLAIM.includes(entry.clip.kind)),
      )
      .map(({ clip, signals }) => ({ kind: clip.kind, signals })),
  );
  const examples = withUnlit(clips);
  const weights = fitWeights(examples);
  const fitted = { ...weights, thresholds: fitThresholds(weights, examples) };
  console.log(`\nFitted on ${clips.length} captures:\n${JSON.stringify(fitted, null, 2)}`);
}

function isTrained({ clip }: Judged): boolean {
  return clip.identity !== null && isTraining(clip.identity);
}

/** Progress on one line, for a waiting person. */
function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(text === '\n' ? text : `\r${text}`);
}
