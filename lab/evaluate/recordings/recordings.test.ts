/** Live captures of a server that records, played again: the same verdict, from the same stills. */
import { expect, onTestFinished, test } from 'vitest';
import type { CaptureRequest, ServerMessage } from '../../../server/contract/capture.ts';
import { CONSENT_VERSIONS, RECORDING_CONSENT_VERSION } from '../../../server/contract/consent-texts.ts';
import { openRecordings } from '../../../server/data/recordings.ts';
import type { AttackThresholds } from '../../../server/domain/capture/attack/weights.ts';
import type { FrameEvidence } from '../../../server/domain/capture/evidence.ts';
import type { RecordedCapture, Recording } from '../../../server/domain/capture/recording.ts';
import type { RecordingSetup } from '../../../server/services/ports/ports.ts';
import { giveConsent, openSession } from '../../../server/services/runs/flow.ts';
import { initialize } from '../../../server/services/runs/initialize.ts';
import {
  connectPage,
  followRequests,
  helloOf,
  type WirePage,
} from '../../../testing/camera/capture/exchange-client.ts';
import { honestFrame, madeUpPerson } from '../../../testing/service/made-up-people.ts';
import { serveFlow } from '../../../testing/service/flow-server.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { tempDir } from '../../../testing/store/temp-store.ts';
import { judgeRecorded } from './recorded.ts';
import { clipOf, findRecordings } from './recordings.ts';
import { replay } from './replay.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
type Show = (request: CaptureRequest, place: number) => FrameEvidence;

/** A server that records, and a person at its camera. */
async function openRecorder(
  challenge: 'standard' | 'strict',
  show: Show = honestFrame,
  { attackThresholds, randomInt }: { attackThresholds?: AttackThresholds; randomInt?: () => number } = {},
) {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const person = madeUpPerson(service.clock, FACE, show);
  const kept: Pick<Recording, 'capture' | 'stills'>[] = [];
  const recording: RecordingSetup = {
    code: 'ABCD2345',
    keptUntil: '2027-02-21',
    agree: () => undefined,
    isDone: () => kept.some(({ capture }) => capture.verdict !== null),
    keep: async (capture: RecordedCapture, stills) => void kept.push({ capture, stills }),
    captureEnded: () => undefined,
  };
  const faces = { ...service.deps.faces, analyse: person.analyse };
  const deps = { ...service.deps, faces, recording, attackThresholds, ...(randomInt && { randomInt }) };
  const config = { liveness: { challenge } };
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), { config });
  const sessionId = id ?? '';
  const { flow_token: flowToken } = await openSession(deps, sessionId, { device: 'desktop' }, null);
  const agree = async (textVersion: string) =>
    giveConsent(deps, await sessionOf(service, sessionId), { accepted: true, text_version: textVersion });
  const target = { baseUrl: await serveFlow(deps), sessionId, flowToken };
  const measure = async (jpeg: Buffer): Promise<FrameEvidence> => (await person.analyse([jpeg]))[0]!;
  return { service, deps, person, kept, target, agree, measure };
}

const recordingOf = ({ capture, stills }: Pick<Recording, 'capture' | 'stills'>): Recording => ({
  organiser: 'Venue',
  identity: 'p01',
  attack: null,
  labels: {},
  code: 'ABCD2345',
  day: '2026-11-23',
  keptUntil: '2027-02-21',
  consent: { version: '', language: 'en', digest: null, at: '' },
  capture,
  stills,
});

const REST: CaptureRequest = {
  type: 'request',
  id: 1,
  ask: 'tint',
  stills: 1,
  opens_in_ms: 0,
  closes_in_ms: 0,
  steps_done: 0,
  steps_expected: 3,
};
const doubtful: Show = (request, place) => ({ ...honestFrame(request, place), genuineScore: 0.15 });
const still: Show = ({ tint = 'mint' }, place) => honestFrame({ ...REST, tint }, place);

test.each([
  ['a person who passes', 'strict', honestFrame, 'passed'],
  ['a person who passes', 'standard', honestFrame, 'passed'],
  ['a doubt that remains', 'strict', doubtful, 'review'],
  ['a picture that shows no step', 'strict', still, 'refused'],
] as const)('%s in %s mode: the replay gives the server’s verdict', async (_, challenge, show, result) => {
  const { person, kept, target, agree, measure } = await openRecorder(challenge, show);
  await agree(RECORDING_CONSENT_VERSION);
  const page = await connectPage(target);
  page.say(helloOf(target));
  const { last } = await followRequests(page, person);
  expect(last).toMatchObject({
    type: 'verdict',
    snapshot: { state: 'settled', recording: { code: 'ABCD2345', done: true }, result: { verified: false } },
  });
  const [recorded] = kept;
  const { capture, stills } = recordingOf(recorded!);
  const played = await replay({ capture, stills }, async ({ take }) => measure(await take()));
  expect(played?.verdict).toMatchObject({
    passed: capture.verdict?.passed,
    findings: capture.verdict?.findings,
  });
  expect(played?.verdict?.attack?.score ?? null).toBe(capture.verdict?.score);

  const clip = clipOf(recordingOf(recorded!), async () => recordingOf(recorded!));
  const judged = await judgeRecorded(clip, measure);
  const outcomes = Object.fromEntries(judged.map(({ condition, outcome }) => [condition, outcome.result]));
  expect(outcomes[challenge]).toBe(result);
  // A strict recording has the steps of both modes.
  if (challenge === 'strict' && result === 'passed') expect(outcomes['standard']).toBe('passed');
});

/** The next message of that type; the judgement of an earlier still may come first. */
async function answerTo(page: WirePage, type: ServerMessage['type']): Promise<ServerMessage | null> {
  for (;;) {
    const message = await page.hear();
    if (message === null || (message.type === type && !('usable' in message && message.usable)))
      return message;
  }
}

test('a capture with a lost connection, an early still and a broken message is replayed as it went', async () => {
  const { service, person, kept, target, agree, measure } = await openRecorder('standard', honestFrame, {
    // A turn comes first: only its first still can be too early after the tint that announced it.
    randomInt: () => 0,
  });
  await agree(RECORDING_CONSENT_VERSION);
  const first = await connectPage(target);
  first.say(helloOf(target));
  const { heard, last: asked } = await followRequests(
    first,
    person,
    (message) => message.type === 'request' && message.ask === 'step',
  );
  const welcome = heard.find((message) => message.type === 'welcome');
  if (asked?.type !== 'request' || welcome?.type !== 'welcome') throw new Error('No step was asked for.');
  first.still({ request: asked.id, seq: 4 }, await person.show(asked, 0));
  expect(await answerTo(first, 'judged')).toMatchObject({ seq: 4, hints: ['too_early'] });
  first.still({ request: asked.id + 5, seq: 5 }, await person.show(asked, 0));
  expect(await answerTo(first, 'error')).toMatchObject({ code: 'message_invalid' });
  first.drop();
  service.clock.advance(3_000);
  const second = await connectPage(target);
  second.say(helloOf(target, { resume_key: welcome.resume_key }));
  expect((await followRequests(second, person)).last).toMatchObject({ type: 'verdict' });

  const [recorded] = kept;
  const types = recorded!.capture.events.map(({ event }) => event.type);
  expect(types).toContain('resumed');
  expect(recorded!.stills.has(4)).toBe(true);
  const played = await replay(recorded!, async ({ take }) => measure(await take()));
  expect(played?.verdict).toMatchObject({ passed: true, findings: [] });
  expect(played?.state.earlyStills).toBe(1);
  expect(played?.state.faults).toBe(1);
});

test('a replay is judged by the thresholds of today, not by those of its recording', async () => {
  const { person, kept, target, agree, measure } = await openRecorder('standard', honestFrame, {
    attackThresholds: { standard: 0, strict: 0 },
  });
  await agree(RECORDING_CONSENT_VERSION);
  const page = await connectPage(target);
  page.say(helloOf(target));
  await followRequests(page, person);
  expect(kept[0]!.capture.verdict).toMatchObject({ passed: false, findings: ['presentation_attack'] });
  const played = await replay(kept[0]!, async ({ take }) => measure(await take()));
  expect(played?.verdict).toMatchObject({ passed: true, findings: [] });
});

test('where the rules ask for something else now, the recording is played as a clip', async () => {
  const { person, kept, target, agree, measure } = await openRecorder('strict');
  await agree(RECORDING_CONSENT_VERSION);
  const page = await connectPage(target);
  page.say(helloOf(target));
  await followRequests(page, person);
  const { capture, stills } = kept[0]!;
  // As if strict mode had needed two steps when it was recorded.
  const requests = capture.requests.slice(0, -1);
  const events = capture.events.filter(
    ({ event }) => event.type !== 'still' || event.request <= requests.length,
  );
  const shorter = { capture: { ...capture, requests, events }, stills };
  expect(await replay(shorter, async ({ take }) => measure(await take()))).toBeNull();
  const clip = clipOf(recordingOf(shorter), async () => recordingOf(shorter));
  const judged = await judgeRecorded(clip, measure);
  expect(judged.map(({ condition }) => condition)).not.toContain('strict');
});

test('nobody is recorded under another text, nor checked under the text of recordings', async () => {
  const { agree, kept, deps, service, target } = await openRecorder('strict');
  expect(await refusalOf(agree(CONSENT_VERSIONS.hosted))).toBe('wrong_step');
  const ordinary = { ...deps, recording: undefined };
  const session = await sessionOf(service, target.sessionId);
  const consent = { accepted: true as const, text_version: RECORDING_CONSENT_VERSION };
  expect(await refusalOf(giveConsent(ordinary, session, consent))).toBe('wrong_step');
  expect(kept).toEqual([]);
});

test('a recorded person is neither enrolled nor remembered', async () => {
  const { person, target, agree, service } = await openRecorder('strict');
  await agree(RECORDING_CONSENT_VERSION);
  const page = await connectPage(target);
  page.say(helloOf(target));
  await followRequests(page, person);
  for (const table of ['people', 'templates', 'seen_frames', 'case_frames']) {
    const row = await service.deps.db.one<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
    expect(row?.n, table).toBe(0);
  }
});

test('a recording is measured up to its last day, even where nothing has deleted it', async () => {
  const dir = tempDir();
  const { save } = await openRecordings(dir, { databaseUrl: null, databaseKeys: null });
  const plan = { challenge: 'strict', mode: 'coached', isCalm: false, isHandheld: false } as const;
  const capture = { plan, events: [], requests: [], verdict: null };
  await save({ ...recordingOf({ capture, stills: new Map() }), keptUntil: '2027-02-21' });
  expect(await findRecordings(dir, Date.parse('2027-02-21T23:59:59Z'))).toHaveLength(1);
  await expect(findRecordings(dir, Date.parse('2027-02-22T00:00:00Z'))).rejects.toThrow('no recordings');
});
