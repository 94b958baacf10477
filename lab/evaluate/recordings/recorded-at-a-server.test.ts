/** `gatehouse record` with the real models and a rendered person, then `npm run evaluate` on what it kept. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFEST_DIR, modelsDir } from '../../../scripts/assets/paths.ts';
import { recordSitting, type Sitting } from '../../../server/cli/sitting.ts';
import { consentDigest, RECORDING_CONSENT_VERSION } from '../../../server/contract/consent-texts.ts';
import { deleteRecordings, listRecordings, openRecordings } from '../../../server/data/recordings.ts';
import { openDatabase } from '../../../server/data/folder.ts';
import { loadManifests } from '../../../server/face/models/model-files.ts';
import { openPipeline } from '../../../server/face/pipeline.ts';
import { personBefore } from '../../../testing/camera/capture/capture.ts';
import { renderClips } from '../../../testing/camera/clips.ts';
import { connectPage, followRequests, helloOf } from '../../../testing/camera/capture/exchange-client.ts';
import { PEOPLE } from '../../../testing/camera/people.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { limitMs } from '../../../testing/tier.ts';
import { judgeRecorded } from './recorded.ts';
import { findRecordings } from './recordings.ts';
import { replay } from './replay.ts';
import { recognition } from '../judge.ts';
import { reportOf } from '../report.ts';

const FILE = { databaseUrl: null, databaseKeys: null };

const sittingIn = (dataDir: string, change: Partial<Sitting> = {}): Sitting => ({
  dataDir,
  database: FILE,
  organiser: 'Blue Room',
  identity: 'p01',
  attack: null,
  labels: { light: 'dim' },
  challenge: 'strict',
  keepDays: 90,
  port: '0',
  ...change,
});

async function post<T>(url: string, body: unknown, flowToken?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(flowToken && { 'x-flow-token': flowToken }) },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

/** The session behind the link, opened by this machine's browser. */
async function opened(url: string) {
  const { origin, searchParams } = new URL(url);
  const sessionId = searchParams.get('vys') ?? '';
  const flow = `${origin}/flow/sessions/${sessionId}`;
  const { flow_token: flowToken } = await post<{ flow_token: string }>(`${flow}/open`, { device: 'desktop' });
  return { baseUrl: origin, sessionId, flowToken, flow };
}

const never = new AbortController().signal;

test(
  'a recorded capture, evaluated: the server’s verdict and its figures',
  { timeout: limitMs(240_000) },
  async () => {
    const dataDir = tempDir();
    await (await openDatabase(dataDir)).close();
    const clips = await renderClips(PEOPLE[0]);
    let isPageDone = Promise.resolve<unknown>(null);
    const { kept, code } = await recordSitting(sittingIn(dataDir), {
      signal: never,
      onReady(url) {
        isPageDone = (async () => {
          const { flow, ...target } = await opened(url);
          const consent = { accepted: true, text_version: RECORDING_CONSENT_VERSION, language: 'de' };
          await post(`${flow}/consent`, consent, target.flowToken);
          const page = await connectPage(target);
          page.say(helloOf(target));
          return (await followRequests(page, personBefore(clips, { seed: 5 }))).last;
        })();
      },
    });
    expect(await isPageDone).toMatchObject({
      type: 'verdict',
      snapshot: { recording: { code, done: true } },
    });
    expect(kept).toHaveLength(1);
    // Nothing else than the sealed recording was added to the venue's folder.
    expect(await readdir(join(dataDir, 'recordings'))).toEqual([kept[0]!.name]);

    const { read } = await openRecordings(dataDir, FILE);
    const recording = await read(kept[0]!);
    expect(recording).toMatchObject({
      identity: 'p01',
      labels: { light: 'dim' },
      consent: {
        version: RECORDING_CONSENT_VERSION,
        language: 'de',
        digest: consentDigest(RECORDING_CONSENT_VERSION, 'de'),
      },
      capture: { plan: { challenge: 'strict' } },
    });
    const { verdict } = recording.capture;
    const manifests = await loadManifests(MANIFEST_DIR, modelsDir());
    const pipeline = await openPipeline(manifests, modelsDir());
    try {
      const played = await replay(recording, async ({ take }, purpose) =>
        pipeline.analyse(await take(), purpose),
      );
      expect(played?.verdict).toMatchObject({ passed: verdict?.passed, findings: verdict?.findings });
      expect(played?.verdict?.attack?.score).toBe(verdict?.score);

      const [clip] = await findRecordings(dataDir);
      const judged = await judgeRecorded(clip!, (jpeg, purpose) => pipeline.analyse(jpeg, purpose));
      const strict = judged.find(({ condition }) => condition === 'strict');
      expect(strict?.outcome.findings).toEqual(verdict?.findings);
      const { samePerson } = manifests.embed.thresholds;
      const options = { samePerson, beyond: [], injected: [], recognition: recognition(judged, samePerson) };
      const rates = reportOf('Recordings', judged, options).rates.find(
        ({ condition }) => condition === 'strict',
      );
      expect(rates).toMatchObject({
        bpcer: { count: verdict?.passed === true ? 0 : 1, of: 1 },
        fta: { count: 0 },
      });
    } finally {
      await pipeline.close();
    }
    expect(await deleteRecordings(dataDir, code)).toBe(1);
    expect(await listRecordings(dataDir)).toEqual([]);
  },
);

test(
  'somebody who says no, or an operator who stops, leaves nothing',
  { timeout: limitMs(60_000) },
  async () => {
    const dataDir = tempDir();
    await (await openDatabase(dataDir)).close();
    const declined = await recordSitting(sittingIn(dataDir, { attack: 'print' }), {
      signal: never,
      onReady: (url) =>
        void opened(url).then(({ flow, flowToken }) => post(`${flow}/decline`, undefined, flowToken)),
    });
    expect(declined.kept).toEqual([]);
    const stop = new AbortController();
    const stopped = await recordSitting(sittingIn(dataDir), {
      signal: stop.signal,
      onReady: () => stop.abort(),
    });
    expect(stopped.kept).toEqual([]);
    expect(existsSync(join(dataDir, 'recordings'))).toBe(false);
  },
);
