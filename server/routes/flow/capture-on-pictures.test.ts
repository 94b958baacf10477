/**
 * The capture with the real models: a rendered person, with hints from the page, and only from the server.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personBefore, type CameraOptions } from '../../../testing/camera/capture/capture.ts';
import { renderClips, type Clips } from '../../../testing/camera/clips.ts';
import { connectPage, followRequests, helloOf } from '../../../testing/camera/capture/exchange-client.ts';
import { PEOPLE } from '../../../testing/camera/people.ts';
import { openFlowServer } from '../../../testing/service/flow-server.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import type { CaptureMode } from '../../contract/capture.ts';
import { createFaceEngine, type FaceEngine } from '../../face/engine.ts';

const root = join(import.meta.dirname, '../../..');
const FIRST_RENDER_MS = 240_000;
/** The length of the vectors in the test's face index. */
const EMBEDDING_LENGTH = 8;

let engine: FaceEngine;
let clips: Clips;
beforeAll(async () => {
  clips = await renderClips(PEOPLE[0]);
  engine = await createFaceEngine({
    modelDir: join(root, '.cache/models'),
    manifestDir: join(root, 'assets/models'),
  });
}, FIRST_RENDER_MS);
afterAll(() => engine.close());

/** The test's index has short vectors, because the search is not tested here. */
const analyse: FaceEngine['analyse'] = async (stills, signal) => {
  const frames = await engine.analyse(stills, signal);
  return frames.map((frame) => ({
    ...frame,
    embedding:
      frame.embedding && Float32Array.from({ length: EMBEDDING_LENGTH }, (_, at) => (at === 0 ? 1 : 0)),
  }));
};

type Tried = { mode?: CaptureMode; camera?: CameraOptions };

async function verdictOf({ mode = 'coached', camera }: Tried) {
  const { service, target } = await openFlowServer(await openTestService(), { analyse });
  const page = await connectPage(target, 'socket');
  page.say(helloOf(target, { mode }));
  const person = {
    ...personBefore(clips, { seed: 5, ...camera }),
    react: async ({ opens_in_ms: opensMs }: { opens_in_ms: number }) => {
      service.clock.advance(opensMs + 700);
    },
  };
  const { last, heard } = await followRequests(page, person);
  page.drop();
  if (last?.type !== 'verdict') throw new Error(JSON.stringify(heard));
  return last.snapshot;
}

test.each<[string, Tried]>([
  ['coached by the page', {}],
  ['coached by the server alone', { mode: 'stills' }],
])('a person passes %s', async (_name, tried) => {
  expect(await verdictOf(tried)).toMatchObject({
    state: 'settled',
    result: { verified: true },
    findings: [],
  });
});

test('a dark room ends in a finding that helps', async () => {
  const snapshot = await verdictOf({ camera: { picture: 'dark' } });
  expect(snapshot).toMatchObject({ state: 'open', attempts_left: 2, findings: ['too_dark'] });
});

test('a still held to the camera does not pass', async () => {
  const { result, findings } = await verdictOf({ camera: { attack: 'frozen_still' } });
  expect(result).toBeNull();
  expect(findings).not.toEqual([]);
});
