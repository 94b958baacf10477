/** People and attackers of the built-in set: what each shows the camera for a request. */
import { createHash } from 'node:crypto';
import type { CaptureRequest } from '../../../server/contract/capture.ts';
import { SINGLE_STEPS, type LivenessStep } from '../../../server/contract/flow.ts';
import { randomOf, type Random } from '../../../testing/camera/capture/random.ts';
import { EYES } from '../../../testing/camera/face-points.ts';
import { headModel, type Head } from '../../../testing/camera/head-model.ts';
import { project } from '../../../testing/camera/projection.ts';
import { Rasteriser } from '../../../testing/camera/rasteriser.ts';
import { distance, type Vec3 } from '../../../testing/camera/vectors.ts';
import { expose, takeSensor, type Holes, type Shot } from './camera.ts';
import { COARSE, FINE, paper, screen, type Material } from './materials.ts';
import type { Sitter } from './people.ts';
import {
  headDoing,
  scenePose,
  sheetDoing,
  takeManner,
  takeStance,
  withEffort,
  type Holding,
} from './performance.ts';
import { isPainted, takePace } from './pace.ts';
import { ownedSteps, type ClipKind, type PlannedClip } from '../plan.ts';
import { takeLight, type ClipLight, type Tinted } from './light.ts';
import { emptyRoom, faceOutline, furnished, personMask } from './room.ts';
import { lookAt, type Picture, type SurfacePose } from './surface.ts';

/** One still that an actor sends. */
export type Shown = {
  /** Milliseconds from the request to its arrival. */
  afterMs: number;
  /** Identifies its picture within the clip: the same key is always the same picture. */
  key: string;
  take: () => Promise<Buffer>;
};

export type Actor = {
  isCalm: boolean;
  labels: Record<string, string>;
  /** Whether the clip can answer. Defaults to every request. */
  fits?: (request: CaptureRequest) => boolean;
  /** @param atMs when it is asked, since the capture began @returns none if it goes unanswered, null if nothing more will follow */
  answer: (request: CaptureRequest, atMs: number) => Shown[] | null;
};

/** Boundaries of the labels within the ranges of `takeSensor`. */
const DIM_BELOW = 0.95;
const GRAINY_FROM = 2.2;
/** Delay of a screen's picture, or a script's, behind the page. */
const TINT_DELAY_MS = 200;
const AGAIN_EFFORT = 1.2;
/** A script that renders this slowly misses the time windows of steps. */
const SLOW_RENDER_MS = { from: 16_000, to: 25_000 } as const;

/** The scene at the camera in one frame. */
type View = { picture: Picture; pose: SurfacePose; holes: Holes | null };
/** @param random of this still @param effort of the movement, 1 as usual */
type Show = (step: LivenessStep | null, random: Random, effort?: number) => View;
type Surface = { show: Show; material: Material | null; outline?: Outline };
/** Whether a point of the picture is on the surface, which may be cut out. */
type Outline = (u: number, v: number) => boolean;

export function createActor(sitter: Sitter, plan: PlannedClip): Actor {
  const { kind, seed } = plan;
  const random = randomOf(seed);
  const head = headModel(furnished(sitter.still, random), sitter.triangles, false);
  const { show, material, outline } = surfaceOf(plan, head, sitter, random);
  const sensor = takeSensor(random);
  const { size } = head.still;
  const room = emptyRoom(random, size);
  const glareAt = [random.between(0.1, 0.9), random.between(0.1, 0.9)] as const;
  const light = takeLight(kind, random);
  const person = material === null || kind === 'tinted_face_screen' ? personMask(head.still) : null;
  const prepared = random
    .pick(SINGLE_STEPS, SINGLE_STEPS.length)
    .map((step) => ({ step, place: random.between(0, 1) }))
    .sort((a, b) => a.place - b.place)
    .map(({ step }) => step);
  const answeredAfterMs = takePace(plan, random);
  const asked: CaptureRequest[] = [];

  const take = async (
    step: LivenessStep | null,
    tinted: Tinted,
    { key, effort }: { key: string; effort: number },
  ): Promise<Buffer> => {
    const ofStill = randomOf(seedOf(seed, key));
    const { picture, pose, holes } = show(step, ofStill, effort);
    const looks = lookAt(size, pose, material?.marginPx ?? 0);
    if (outline) cutOut(looks, outline);
    const shot: Shot = {
      picture,
      looks,
      material,
      room,
      holes,
      glareAt,
      person,
      light: light.at(tinted, ofStill),
    };
    return expose(shot, sensor, ofStill);
  };

  return {
    isCalm: light.slow,
    labels: {
      light: sensor.exposure < DIM_BELOW ? 'dim' : 'bright',
      sensor: sensor.noiseSigma < GRAINY_FROM ? 'clean' : 'grainy',
      tints: light.slow ? 'slow' : 'quick',
      ...(ownedSteps(kind) !== null && { painted: isPainted(plan) ? 'painted' : 'plain' }),
    },
    answer(request, atMs) {
      const nth = asked.filter((one) => one.ask === request.ask).length;
      const before = asked.findLast(({ ask }) => ask === 'tint')?.tint ?? null;
      asked.push(request);
      // A recording and a prepared video answer in their own order.
      const isFixed = kind === 'replay' || kind === 'prepared_warp';
      const asks = request.step ?? null;
      const step = asks && isFixed ? (prepared[nth % prepared.length] ?? asks) : asks;
      // A person who is asked again, in other words and with a drawing, does it more clearly.
      const effort = kind === 'genuine' && request.again ? AGAIN_EFFORT : 1;
      const pace = randomOf(seedOf(seed, `pace ${request.id}`));
      const answered = answeredAfterMs(request, atMs, pace);
      if (answered === null) return [];
      let afterMs = answered;
      if (kind === 'slow_warp' && asks) afterMs = pace.between(SLOW_RENDER_MS.from, SLOW_RENDER_MS.to);
      const tinted: Tinted = {
        page: request.tint ?? null,
        painted: paintedTint(plan, light, { request, nth, before, afterMs }),
      };
      return Array.from({ length: request.stills }, (_, place): Shown => {
        const key = `${step ?? request.ask} ${tinted.page ?? '-'} ${tinted.painted ?? '-'} ${nth} ${place}`;
        const betweenMs = place === 0 ? 0 : pace.between(70, 160);
        afterMs += betweenMs;
        return { afterMs, key, take: () => take(step, tinted, { key, effort }) };
      });
    },
  };
}

type Moment = { request: CaptureRequest; nth: number; before: Tinted['page']; afterMs: number };

/** Paint the page's tint on the face that they show, `TINT_DELAY_MS` late. */
const FOLLOWING: readonly ClipKind[] = ['following_screen', 'tinted_face_screen', 'live_warp', 'slow_warp'];

function paintedTint(plan: PlannedClip, { recorded }: ClipLight, moment: Moment): Tinted['painted'] {
  const { request, nth, before, afterMs } = moment;
  if (FOLLOWING.includes(plan.kind) || isPainted(plan))
    return (afterMs >= TINT_DELAY_MS ? request.tint : before) ?? null;
  return request.ask === 'tint' ? (recorded[nth % Math.max(1, recorded.length)] ?? null) : null;
}

const seedOf = (seed: number, key: string): number =>
  createHash('sha256').update(`${seed} ${key}`).digest().readUInt32LE();

/** Where the surface was cut away, the room is visible. */
function cutOut({ u, v }: ReturnType<typeof lookAt>, outline: Outline): void {
  for (let i = 0; i < u.length; i++) {
    if (!outline(u[i] as number, v[i] as number)) u[i] = v[i] = NaN;
  }
}

function surfaceOf(plan: PlannedClip, head: Head, sitter: Sitter, random: Random): Surface {
  const manner = takeManner(random);
  const holding: Holding = {
    zoom: random.between(0, 1) < 0.5 ? random.between(0.72, 0.95) : random.between(1.05, 1.25),
    bendRadiusPx: null,
    tiltDeg: random.between(18, 40),
    liftDeg: random.between(14, 32),
    closer: random.between(1.25, 1.45),
  };
  const { width, height } = head.still.size;
  const draw = (points: readonly Vec3[], from: Head, mouthDark = 0): Picture => ({
    width,
    height,
    pixels: new Rasteriser(from).draw(points, mouthDark),
  });
  const performed = (step: LivenessStep | null, ofStill: Random, effort = 1): Picture => {
    const state = headDoing(step, withEffort(manner, effort), ofStill);
    return draw(project(head, state, false), head, Math.min(1, state.jaw * 1.6));
  };
  const stance = takeStance(random);
  const photograph: Picture = { width, height, pixels: head.still.pixels };
  const scene: Show = (step, ofStill, effort) => ({
    picture: performed(step, ofStill, effort),
    pose: scenePose(ofStill, stance),
    holes: null,
  });
  const sheet =
    (held: Holding): Show =>
    (step, ofStill) => ({ picture: photograph, pose: sheetDoing(step, held, ofStill), holes: null });
  const withHoles = (held: Holding, inside: Holes['inside'], depthPx: number): Show => {
    return (step, ofStill) => {
      const pose = sheetDoing(step, held, ofStill);
      const behind = step === 'blink' || step === 'open_mouth' ? step : null;
      const state = headDoing(behind, manner, ofStill);
      const still = { ...state, yawDeg: 0, pitchDeg: 0, rollDeg: 0, dxPx: 0, dyPx: 0 };
      const live = draw(project(head, still, false), head, Math.min(1, state.jaw * 1.6));
      const du = depthPx * Math.sin((pose.yawDeg * Math.PI) / 180);
      return { picture: photograph, pose, holes: { picture: live, inside, du } };
    };
  };
  switch (plan.kind) {
    case 'genuine':
    case 'blind_loop':
    case 'scripted_2':
    case 'scripted_3':
    case 'scripted_4':
    case 'scripted_5':
    case 'scripted_6':
    case 'scripted_7':
      return { material: null, show: scene };
    case 'live_warp':
    case 'slow_warp':
    case 'prepared_warp':
      return { material: null, show: (step, ofStill) => ({ ...scene(step, ofStill), pose: stance }) };
    case 'screen':
    case 'fine_screen':
    case 'following_screen':
    case 'tinted_face_screen':
    case 'replay': {
      const isEitherSize = plan.kind === 'following_screen' || plan.kind === 'tinted_face_screen';
      const isFine = plan.kind === 'fine_screen' || (isEitherSize && random.between(0, 1) < 0.5);
      return {
        material: screen(random, isFine ? FINE : COARSE),
        show: (step, ofStill) => ({
          picture: performed(step, ofStill),
          pose: sheetDoing(null, holding, ofStill),
          holes: null,
        }),
      };
    }
    case 'print':
      return { material: paper(random), show: sheet(holding) };
    case 'bent_paper':
      return {
        material: paper(random),
        show: sheet({ ...holding, bendRadiusPx: random.between(0.45, 1) * width }),
      };
    case 'cutout_eyes':
      return {
        material: paper(random),
        show: withHoles(holding, eyeHoles(head), random.between(6, 30)),
      };
    case 'lit_mask': {
      const worn = {
        ...holding,
        zoom: random.between(0.95, 1.1),
        bendRadiusPx: random.between(0.22, 0.4) * width,
      };
      return {
        material: { ...paper(random), marginPx: 0 },
        show: withHoles(worn, eyeHoles(head), random.between(4, 12)),
        outline: faceOutline(head.still),
      };
    }
    case 'warped_still': {
      const flat = headModel(head.still, sitter.triangles, true);
      const reachShare = random.between(0.7, 1.4);
      const pullShare = random.between(0.16, 0.34);
      return {
        material: null,
        show(step, ofStill) {
          const state = headDoing(step, manner, ofStill);
          const turned = { ...state, yawDeg: 0, pitchDeg: 0 };
          const points = pulled(project(flat, turned, true), flat, { step, reachShare, pullShare });
          const picture = draw(points, flat, Math.min(1, state.jaw * 1.6));
          return { picture, pose: scenePose(ofStill, stance), holes: null };
        },
      };
    }
  }
}

/** Ellipses around the lids, slightly wider than the eyes. */
function eyeHoles(head: Head): Holes['inside'] {
  const eyes = [EYES.right, EYES.left].map(({ upper, lower }) => {
    const points = [...upper, ...lower].flatMap((index) => head.rest[index] ?? []);
    const xs = points.filter((_, i) => i % 3 === 0);
    const ys = points.filter((_, i) => i % 3 === 1);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    return { x: (left + right) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2, reach: (right - left) / 2 };
  });
  return (u, v) =>
    eyes.some(({ x, y, reach }) => Math.hypot((u - x) / (1.3 * reach), (v - y) / (0.85 * reach)) < 1);
}

type Pull = { step: LivenessStep | null; reachShare: number; pullShare: number };

/** The centre of the face is pulled to one side, less with distance, as photo-animating apps do without depth. */
function pulled(points: readonly Vec3[], head: Head, { step, reachShare, pullShare }: Pull): Vec3[] {
  const up = [0, -1] as const;
  const direction = { turn_left: [1, 0], turn_right: [-1, 0], look_up: up, look_up_smile: up } as const;
  const [dx, dy] = step !== null && step in direction ? direction[step as keyof typeof direction] : [0, 0];
  const nose = points[NOSE_TIP] ?? [0, 0, 0];
  const eyesApartPx =
    EYES_OF_OUTER * distance(head.rest[EYE_OUTER_RIGHT] ?? nose, head.rest[EYE_OUTER_LEFT] ?? nose);
  return points.map((point): Vec3 => {
    const away = Math.hypot(point[0] - nose[0], point[1] - nose[1]) / (reachShare * eyesApartPx);
    const pull = pullShare * eyesApartPx * Math.exp(-away * away);
    return [point[0] + dx * pull, point[1] + dy * pull, point[2]];
  });
}

/** Of MediaPipe's mesh. */
const NOSE_TIP = 1;
const EYE_OUTER_RIGHT = 33;
const EYE_OUTER_LEFT = 263;
/** Distance between the eyes' centres divided by that between their outer corners. */
const EYES_OF_OUTER = 0.7;
