/** Renders one clip of the built-in set: the frames that the page would send, in order. */
import { CAPTURE_PLAN, type LivenessStep, type Timeline, type Tint } from '../../server/contract/flow.ts';
import { randomOf, type Random } from '../../testing/camera/capture-random.ts';
import { timelineOf } from '../../testing/camera/capture-pace.ts';
import { EYES } from '../../testing/camera/face-points.ts';
import { headModel, type Head } from '../../testing/camera/head-model.ts';
import { project } from '../../testing/camera/projection.ts';
import { Rasteriser } from '../../testing/camera/rasteriser.ts';
import { distance, type Vec3 } from '../../testing/camera/vectors.ts';
import { expose, takeSensor, type Holes, type Shot } from './camera.ts';
import { COARSE, FINE, paper, screen, type Material } from './materials.ts';
import type { Sitter } from './people.ts';
import { headDoing, scenePose, sheetDoing, takeManner, takeStance, type Holding } from './performance.ts';
import type { PlannedClip } from './plan.ts';
import { takeLight } from './light.ts';
import { emptyRoom, furnished, personMask } from './room.ts';
import { lookAt, type Picture, type SurfacePose } from './surface.ts';

export type RenderedClip = {
  frames: Buffer[];
  timeline: Timeline;
  tints: Tint[];
  labels: Record<string, string>;
};

/** Where labels divide the ranges of `takeSensor`. */
const DIM_BELOW = 0.95;
const GRAINY_FROM = 2.2;

/** What is before the camera in one frame. */
type View = { picture: Picture; pose: SurfacePose; holes: Holes | null };
type Actor = { view: (step: LivenessStep | null) => View; material: Material | null };

export async function renderClip(sitter: Sitter, plan: PlannedClip): Promise<RenderedClip> {
  const random = randomOf(plan.seed);
  const head = headModel(furnished(sitter.still, random), sitter.triangles, false);
  const { view, material } = actorOf(plan, head, sitter, random);
  const sensor = takeSensor(random);
  const { size } = head.still;
  const room = emptyRoom(random, size);
  const glareAt = [random.between(0.1, 0.9), random.between(0.1, 0.9)] as const;
  const { neutralFrames, framesPerStep } = CAPTURE_PLAN;
  const shown = [
    ...Array.from({ length: neutralFrames }, () => null),
    ...plan.performed.flatMap((step) => Array.from({ length: framesPerStep }, () => step)),
  ];
  const light = takeLight(plan, random);
  const person = material === null ? personMask(head.still) : null;
  const frames: Buffer[] = [];
  for (const [index, step] of shown.entries()) {
    const { picture, pose, holes } = view(step);
    const looks = lookAt(size, pose, material?.marginPx ?? 0);
    const lit = light.inFrame(index < neutralFrames ? index : null, random);
    const shot: Shot = { picture, looks, material, room, holes, glareAt, person, light: lit };
    frames.push(await expose(shot, sensor, random));
  }
  const pace = {
    firstFrameMs: random.between(900, 2_200),
    betweenFramesMs: random.between(70, 160),
    betweenStepsMs: random.between(1_500, 3_200),
    reactionMs: random.between(80, 350),
    jitterMs: random.between(10, 60),
  };
  const labels = {
    light: sensor.exposure < DIM_BELOW ? 'dim' : 'bright',
    sensor: sensor.noiseSigma < GRAINY_FROM ? 'clean' : 'grainy',
  };
  return {
    frames,
    timeline: timelineOf(plan.asked, pace, random),
    tints: light.tints,
    labels: { ...labels, tints: light.slow ? 'slow' : 'quick' },
  };
}

function actorOf(plan: PlannedClip, head: Head, sitter: Sitter, random: Random): Actor {
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
  const performed = (step: LivenessStep | null): Picture => {
    const state = headDoing(step, manner, random);
    return draw(project(head, state, false), head, Math.min(1, state.jaw * 1.6));
  };
  const stance = takeStance(random);
  const photograph: Picture = { width, height, pixels: head.still.pixels };
  switch (plan.kind) {
    case 'genuine':
      return {
        material: null,
        view: (step) => ({ picture: performed(step), pose: scenePose(random, stance), holes: null }),
      };
    case 'screen':
    case 'fine_screen':
    case 'replay':
      return {
        material: screen(random, plan.kind === 'fine_screen' ? FINE : COARSE),
        view: (step) => ({ picture: performed(step), pose: sheetDoing(null, holding, random), holes: null }),
      };
    case 'print':
      return {
        material: paper(random),
        view: (step) => ({ picture: photograph, pose: sheetDoing(step, holding, random), holes: null }),
      };
    case 'bent_paper': {
      const bent = { ...holding, bendRadiusPx: random.between(0.45, 1) * width };
      return {
        material: paper(random),
        view: (step) => ({ picture: photograph, pose: sheetDoing(step, bent, random), holes: null }),
      };
    }
    case 'cutout_eyes': {
      const inside = eyeHoles(head);
      const depthPx = random.between(6, 30);
      return {
        material: paper(random),
        view(step) {
          const pose = sheetDoing(step, holding, random);
          const state = headDoing(step === 'blink' ? 'blink' : null, manner, random);
          const live = draw(
            project(head, { ...state, yawDeg: 0, pitchDeg: 0, rollDeg: 0, dxPx: 0, dyPx: 0 }, false),
            head,
          );
          const du = depthPx * Math.sin((pose.yawDeg * Math.PI) / 180);
          return { picture: photograph, pose, holes: { picture: live, inside, du } };
        },
      };
    }
    case 'warped_still': {
      const flat = headModel(head.still, sitter.triangles, true);
      const reachShare = random.between(0.7, 1.4);
      const pullShare = random.between(0.16, 0.34);
      return {
        material: null,
        view(step) {
          const state = headDoing(step, manner, random);
          const turned = { ...state, yawDeg: 0, pitchDeg: 0 };
          const points = pulled(project(flat, turned, true), flat, { step, reachShare, pullShare });
          const picture = draw(points, flat, Math.min(1, state.jaw * 1.6));
          return { picture, pose: scenePose(random, stance), holes: null };
        },
      };
    }
  }
}

/** Ellipses about the lids, a little wider than the eyes. */
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

/** The middle of the face is pulled to one side, less with distance: what a photo-animating app does without depth. */
function pulled(points: readonly Vec3[], head: Head, { step, reachShare, pullShare }: Pull): Vec3[] {
  const direction = { turn_left: [1, 0], turn_right: [-1, 0], look_up: [0, -1] } as const;
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
/** Distance between the eyes' middles over that between their outer corners. */
const EYES_OF_OUTER = 0.7;
