/** Uploads of made-up evidence: the engine's numbers are given, everything behind them is real. */
import { CAPTURE_PLAN } from '../../server/contract/flow.ts';
import { doing, resting } from '../../server/domain/capture/liveness-fixtures.ts';
import type { FaceEngine } from '../../server/face/engine.ts';
import type { CaptureUpload } from '../../server/services/capture/capture.ts';
import type { ServiceDeps } from '../../server/services/deps.ts';
import { createChallenge } from '../../server/services/runs/flow.ts';
import type { Session } from '../../server/store/runs/sessions.ts';

/** Time of the first frame, between frames and between parts, as an honest person takes it. */
const FIRST_MS = 200;
const FRAME_MS = 150;
const PART_MS = 1_200;

/**
 * An honest capture of a face, ready for `judgeUpload` with the engine that measures it.
 * @param face of unit length, as long as the engine's embeddings
 */
export async function honestUpload(
  deps: ServiceDeps,
  session: Session,
  face: Float32Array,
): Promise<{ upload: CaptureUpload; faces: FaceEngine; tookMs: number }> {
  const { nonce, steps } = await createChallenge(deps, session);
  const parts = [
    resting(CAPTURE_PLAN.neutralFrames),
    ...steps.map((step) => doing(step).slice(0, CAPTURE_PLAN.framesPerStep)),
  ];
  const frames = parts.flatMap((part, place) =>
    part.map((_, index) => ({
      step: place === 0 ? null : place - 1,
      at_ms: FIRST_MS + place * PART_MS + index * FRAME_MS,
    })),
  );
  const evidence = parts.flat().map((frame) => ({ ...frame, embedding: face }));
  return {
    upload: { nonce, timeline: { frames }, frames: frames.map(() => Buffer.from('a frame')) },
    faces: { ...deps.faces, analyse: async () => evidence },
    tookMs: (parts.length + 1) * PART_MS,
  };
}
