/**
 * Captures of synthetic evidence, ready to be settled: the engine's numbers are given, everything after them is real.
 */
import { honestCapture as honestFacts } from '../../server/domain/capture/liveness.fixture.ts';
import { judgeCapture } from '../../server/domain/capture/liveness.ts';
import { type JudgedCapture, openCapture, settleCapture } from '../../server/services/capture/capture.ts';
import type { ServiceDeps } from '../../server/routes/deps.ts';
import { framesSeenBefore } from '../../server/services/matching/replay.ts';
import { restingFacesOf } from '../../server/services/matching/seen-faces.ts';
import { LIVENESS_STEPS, type Snapshot } from '../../server/contract/flow.ts';
import type { SqlReader } from '../../server/store/sql/port.ts';
import type { Session } from '../../server/store/runs/sessions.ts';

const ENDS_AFTER_MS = 240_000;

type MadeUpCapture = {
  nonce: string;
  /** @param db in which earlier frames are looked up */
  judge: (db?: SqlReader) => Promise<JudgedCapture>;
};

/**
 * An honest capture of a face.
 * @param face of unit length, with the length of the engine's embeddings
 * @param jpeg every still; not a real picture by default
 */
export async function honestCapture(
  deps: ServiceDeps,
  session: Session,
  face: Float32Array,
  jpeg: Uint8Array = Buffer.from('a frame'),
): Promise<MadeUpCapture> {
  const { nonce } = await openCapture(deps, session, ENDS_AFTER_MS, LIVENESS_STEPS);
  const facts = honestFacts(['turn_left', 'smile']);
  const evidence = facts.frames.map((frame) => ({ ...frame, embedding: face }));
  return {
    nonce,
    async judge(db = deps.db) {
      const receivedAtMs = deps.clock.now();
      const restingFaces =
        deps.remembersFaces === true
          ? restingFacesOf({ ...facts, frames: evidence }, deps.faces.embeddingModel)
          : undefined;
      const seenBefore = await framesSeenBefore(db, evidence, receivedAtMs, restingFaces);
      return {
        verdict: judgeCapture({ ...facts, frames: evidence, seenBefore }),
        evidence,
        restingFaces,
        pictures: evidence.map(() => ({ jpeg, takenAtMs: receivedAtMs })),
        camera: undefined,
        receivedAtMs,
        onPhotoLost: () => undefined,
      };
    },
  };
}

/** Settles the session with an honest capture of this face. */
export async function settleFace(
  deps: ServiceDeps,
  session: Session,
  face: Float32Array,
  jpeg?: Uint8Array,
): Promise<Snapshot> {
  const { nonce, judge } = await honestCapture(deps, session, face, jpeg);
  return settleCapture(deps, session, nonce, () => judge());
}
