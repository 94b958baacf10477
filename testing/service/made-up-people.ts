/** People of synthetic evidence in a capture: the engine's numbers are given, everything after them is real. */
import type { CaptureRequest } from '../../server/contract/capture.ts';
import { TINT_LIGHT } from '../../server/domain/capture/attack/tints.ts';
import type { FrameEvidence } from '../../server/domain/capture/evidence.ts';
import { doing, madeUpFrame } from '../../server/domain/capture/liveness.fixture.ts';
import type { FaceEngine } from '../../server/face/engine.ts';
import type { WirePerson } from '../camera/capture/exchange-client.ts';
import type { TestClock } from './temp-service.ts';

/** The page's share of the light on a face. */
const LIGHT_SHARE = 0.2;

/** An honest person's still for a request. */
export function honestFrame({ tint, step }: CaptureRequest, place: number): FrameEvidence {
  if (step) return doing(step)[place] ?? madeUpFrame();
  const frame = madeUpFrame();
  if (!tint || !frame.cues) return frame;
  const [red, green, blue] = frame.cues.skin;
  const [r, g, b] = TINT_LIGHT[tint];
  const lit = (colour: number, change: number) => colour * (1 + LIGHT_SHARE * change);
  return { ...frame, cues: { ...frame.cues, skin: [lit(red, r), lit(green, g), lit(blue, b)] } };
}

/**
 * A person, and the engine that measures them: a still's bytes are the index of its evidence.
 * @param face of unit length @param show their still for a request; honest by default
 */
export function madeUpPerson(
  clock: Pick<TestClock, 'advance'>,
  face: Float32Array,
  show: (request: CaptureRequest, place: number) => FrameEvidence = honestFrame,
): WirePerson & { analyse: FaceEngine['analyse'] } {
  const frames: FrameEvidence[] = [];
  return {
    async react({ opens_in_ms: opensMs }) {
      clock.advance(opensMs + 200);
    },
    async show(request, place) {
      frames.push({ ...show(request, place), embedding: face });
      return Buffer.from(String(frames.length - 1));
    },
    async analyse(stills) {
      return stills.flatMap((still) => frames[Number(Buffer.from(still).toString())] ?? []);
    },
  };
}
