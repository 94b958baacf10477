/** Whatever a guest shows, every picture that is kept is a real one of a still that counted. */
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  CAPTURE_BOUNDS,
  CAPTURE_PROTOCOL,
  type CaptureMode,
  type ServerMessage,
} from '../../contract/capture.ts';
import { EVENT_PHOTO_CONSENT_VERSIONS } from '../../contract/event-consents.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import type { FrameEvidence } from '../../domain/capture/evidence.ts';
import { madeUpFrame } from '../../domain/capture/liveness.fixture.ts';
import { FaceEngineError } from '../../face/errors.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { listCaseFrames, readCaseFrame } from '../../store/reviews/case-frames.ts';
import { honestFrame } from '../../../testing/service/made-up-people.ts';
import { passOf, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { sized } from '../../../testing/tier.ts';
import { initialize } from '../runs/initialize.ts';
import { giveConsent, openSession, readSnapshot } from '../runs/flow.ts';
import { createEvent } from '../venue/events.ts';
import { createExchanges } from './exchanges.ts';

const DAY_MS = 86_400_000;
const GROUP = 'gala';
/** Between two stills, as a page without a landmarker sends them. */
const APART_MS = 700;
const MOST_SHOWN = 60;

/** Possible stills of a guest; `good` is the one that the server asked for. */
const SHOWN = [
  'good',
  'blurred',
  'rest',
  'sharp rest',
  'blurred rest',
  'away',
  'nobody',
  'no picture',
] as const;
type Shown = (typeof SHOWN)[number];

const BLURRED: Partial<FrameEvidence> = { sharpness: 5 };
const SHARP: Partial<FrameEvidence> = { sharpness: 5_000 };

function evidenceFor(shown: Shown, good: FrameEvidence): FrameEvidence | null {
  switch (shown) {
    case 'good':
      return good;
    case 'blurred':
      return { ...good, ...BLURRED };
    case 'rest':
      return madeUpFrame();
    case 'sharp rest':
      return madeUpFrame({}, SHARP);
    case 'blurred rest':
      return madeUpFrame({}, BLURRED);
    case 'away':
      return madeUpFrame({ yawDeg: 30 });
    case 'nobody':
      return madeUpFrame({}, { face: null, embedding: null });
    case 'no picture':
      return null;
  }
}

/** A service with an event that keeps photos, and captures driven without a network. */
async function openVenue() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const { clock } = service;
  const scope = service.scope('test');
  await createEvent(
    service.deps,
    scope,
    {
      name: 'Gala',
      group: GROUP,
      starts_at: new Date(NOW - DAY_MS).toISOString(),
      ends_at: new Date(NOW + 300 * DAY_MS).toISOString(),
      guest_photo_days: 7,
    },
    'operator:ada',
  );
  const measured = new Map<string, FrameEvidence | null>();
  const faults: unknown[] = [];
  const analyse = async (stills: readonly Uint8Array[]) =>
    stills.map((still) => {
      const evidence = measured.get(Buffer.from(still).toString('base64'));
      if (!evidence) throw new FaceEngineError('unreadable_frame', 'Not a picture.');
      return evidence;
    });
  const deps = { ...service.deps, faces: { ...service.deps.faces, analyse } };
  const captures = createExchanges(deps, (error) => faults.push(error));
  onTestFinished(() => captures.close());
  let pictures = 0;

  /** One capture: shows these in turn, again from the first, until the server ends it. */
  const capture = async (request: InitializeRequest, mode: CaptureMode, plan: readonly Shown[]) => {
    const body = { group: GROUP, ...request };
    const id = (await initialize(deps, await service.caller('sk_test'), body)).session_id ?? '';
    const { flow_token: flowToken } = await openSession(deps, id, { device: 'mobile' }, null);
    const { photo_until: photoUntil } = await readSnapshot(deps, id);
    await giveConsent(deps, await sessionOf(service, id), {
      accepted: true,
      text_version: EVENT_PHOTO_CONSENT_VERSIONS.hosted,
      language: 'en',
      ...(photoUntil !== undefined && { photo_until: photoUntil }),
    });
    const heard: ServerMessage[] = [];
    const carrier = { send: (message: ServerMessage) => void heard.push(message), close: () => undefined };
    const hello = { type: 'hello' as const, protocol: CAPTURE_PROTOCOL, mode, flow_token: flowToken };
    const live = await captures.open({ sessionId: id, flowToken, hello, address: '192.0.2.1', carrier });
    const shown = new Map<string, FrameEvidence | null>();
    let mostHeld = 0;
    const face = new Float32Array(8);
    face[pictures % face.length] = 1;
    const isOver = () =>
      heard.some(
        (message) =>
          message.type === 'verdict' ||
          message.type === 'again' ||
          (message.type === 'error' && message.fatal),
      );
    const counts = new Map<number, number>();
    for (let seq = 0; seq < MOST_SHOWN && !isOver(); seq += 1) {
      const asked = heard.findLast((message) => message.type === 'request');
      if (asked?.type !== 'request') throw new Error('Nothing was asked for.');
      const place = counts.get(asked.id) ?? 0;
      counts.set(asked.id, place + 1);
      const evidence = evidenceFor(plan[seq % plan.length] ?? 'good', honestFrame(asked, place % 2));
      pictures += 1;
      const jpeg = pictureOf(pictures);
      const key = jpeg.toString('base64');
      const sha256 = pictures.toString(16).padStart(64, '0');
      const fingerprint = new Uint8Array(32).map(() => Math.floor(Math.random() * 256));
      const whole = evidence && {
        ...evidence,
        sha256,
        fingerprint,
        embedding: evidence.face && face,
      };
      measured.set(key, whole);
      shown.set(key, whole);
      clock.advance(APART_MS);
      live?.takeStill({ request: asked.id, seq }, jpeg);
      mostHeld = Math.max(mostHeld, captures.stats().heldBytes);
      const judged = () => heard.find((message) => message.type === 'judged' && message.seq === seq);
      await until(() => judged() !== undefined || isOver());
      // Sent again with other bytes, as a page that reconnects might.
      live?.takeStill({ request: asked.id, seq }, Buffer.from('other bytes'));
      const isUsable = judged()?.type === 'judged' && (judged() as { usable: boolean }).usable;
      const isAnswered = mode === 'coached' ? asked.stills === place + 1 : isUsable;
      const newest = () => heard.findLast((message) => message.type === 'request');
      await until(() => !isAnswered || newest() !== asked || isOver());
    }
    live?.abandon();
    return { id, heard, shown, mostHeld, last: heard.at(-1) };
  };
  return { service, deps, scope, captures, capture, faults };
}

const WITHIN_MS = 5_000;

/** Waits a turn at a time: a property tries hundreds of stills. */
async function until(isDone: () => boolean): Promise<void> {
  const endsAt = performance.now() + WITHIN_MS;
  while (!isDone()) {
    if (performance.now() > endsAt) throw new Error('The capture does not answer.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

let picture: Buffer;
beforeAll(async () => {
  picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a08070' } })
    .jpeg()
    .toBuffer();
});

/** A JPEG with bytes of its own. */
function pictureOf(n: number): Buffer {
  const suffix = Buffer.alloc(4);
  suffix.writeUInt32BE(n);
  return Buffer.concat([picture, suffix]);
}

const isDecodable = async (jpeg: Uint8Array) => {
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return data.length > 0;
};

/** Half of them good, so that many captures pass. */
const plans = fc.array(fc.oneof(fc.constant<Shown>('good'), fc.constantFrom(...SHOWN)), {
  minLength: 1,
  maxLength: 24,
});
const modes = fc.constantFrom<CaptureMode>('coached', 'stills');
const NO_SKIP = { skip: { window_hours: 0 } };

/** The sharpest stills with the face at rest are those that don't show the step. */
const SHARP_AT_STEPS: [CaptureMode, Shown[]] = [
  'stills',
  [
    ...Array<Shown>(4).fill('good'),
    ...Array.from({ length: 10 }, (): Shown[] => ['sharp rest', 'good']).flat(),
  ],
];

test('every picture that a reviewer gets is a JPEG of a still that counted', async () => {
  const { service, deps, scope, captures, capture } = await openVenue();
  let cases = 0;
  await fc.assert(
    fc.asyncProperty(modes, plans, async (mode, plan) => {
      const config = { ...NO_SKIP, capture: { trust: 'review_untrusted' } };
      const { id, shown, mostHeld, heard } = await capture({ config }, mode, plan);
      expect(heard).not.toContainEqual(expect.objectContaining({ code: 'engine_failed' }));
      expect(mostHeld).toBeLessThanOrEqual(CAPTURE_BOUNDS.maxTotalBytes);
      expect(captures.stats().heldBytes).toBe(0);
      const found = await findOpenCaseOf(deps.db, scope, id);
      if (!found) return;
      cases += 1;
      const now = service.clock.now();
      const frames = await listCaseFrames(deps.db, scope, found.id, now);
      expect(frames.length).toBeGreaterThan(0);
      for (const { index } of frames) {
        const jpeg = (await readCaseFrame(deps.db, scope, { caseId: found.id, index, now })) ?? Buffer.of();
        expect(await isDecodable(jpeg)).toBe(true);
        expect(shown.get(Buffer.from(jpeg).toString('base64'))?.face).toBeTruthy();
      }
    }),
    { numRuns: sized(20, 100), examples: [SHARP_AT_STEPS] },
  );
  expect(cases).toBeGreaterThan(2);
});

test('every capture that passes at an event that keeps photos has a photo', async () => {
  const { service, deps, scope, capture, faults } = await openVenue();
  let approved = 0;
  await fc.assert(
    fc.asyncProperty(modes, plans, async (mode, plan) => {
      const config = { ...NO_SKIP, collision: { action: 'flag' } };
      const { last, heard } = await capture({ config }, mode, plan);
      expect(heard).not.toContainEqual(expect.objectContaining({ code: 'engine_failed' }));
      if (last?.type !== 'verdict' || last.snapshot.result?.verified !== true) return;
      approved += 1;
      const { personId } = await passOf(service, last.snapshot);
      const row = await deps.db.one<{ jpeg: Uint8Array; takenAt: number }>(
        `SELECT jpeg, taken_at AS "takenAt" FROM guest_photos WHERE company_id = ? AND person_id = ?`,
        scope.companyId,
        personId,
      );
      expect(row).toBeDefined();
    }),
    { numRuns: sized(20, 100), examples: [SHARP_AT_STEPS] },
  );
  expect(approved).toBeGreaterThan(2);
  expect(faults).toEqual([]);
});
