/** The verdict on the stills of a live capture. */
import type { CameraSeen } from '../../contract/capture.ts';
import type { Snapshot } from '../../contract/flow.ts';
import { doubtOf, evidenceOf } from '../../domain/capture/exchange/judgement.ts';
import type { ExchangeState } from '../../domain/capture/exchange/state.ts';
import { judgeCapture } from '../../domain/capture/liveness.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { framesSeenBefore } from '../matching/replay.ts';
import { ticketKeyIn } from '../matching/sealed-faces.ts';
import { restingFacesOf } from '../matching/seen-faces.ts';
import type { Ports } from '../ports/ports.ts';
import { authoriseFlow } from '../runs/flow.ts';
import { settleCapture, type SettlingDeps } from './capture.ts';
import type { HeldStills } from './held-stills.ts';

type Taken = {
  sessionId: string;
  /** Of the device that started it. */
  flowToken: string;
  nonce: string;
  camera: CameraSeen | undefined;
  state: ExchangeState;
  held: HeldStills;
  /** Called with unexpected errors. */
  onFault: (error: unknown) => void;
};

/** The verdict on all stills so far, settled by the page that currently holds the session. */
export async function settleExchange(
  deps: SettlingDeps & Pick<Ports, 'remembersFaces'>,
  { sessionId, flowToken, nonce, camera, onFault, state, held }: Taken,
): Promise<Snapshot> {
  const { facts, stills } = evidenceOf(state);
  // Before the first await, so that a page that leaves meanwhile releases the stills.
  const pictures = stills.map(({ seq, atMs }) => ({ jpeg: held.jpegOf(seq) ?? null, takenAtMs: atMs }));
  const session = await authoriseFlow(deps, sessionId, flowToken);
  const receivedAtMs = deps.clock.now();
  // Remembered faces are sealed with no ticket.
  const remembersFaces = deps.remembersFaces === true && !(await poolOfRun(deps.db, session)).isSealed;
  const restingFaces = remembersFaces ? restingFacesOf(facts, deps.faces.embeddingModel) : undefined;
  return settleCapture(deps, session, nonce, async () => {
    const seenBefore = await framesSeenBefore(deps.db, facts.frames, receivedAtMs, restingFaces);
    const verdict = judgeCapture({ ...facts, seenBefore });
    const isTrusted = stills.every(({ seq }) => held.isSigned(seq));
    const { claim } = state.plan;
    return {
      verdict,
      // The shorter check relies on the kiosk's camera.
      doubt: claim && !isTrusted ? 'other' : doubtOf(state, verdict),
      claim,
      ticketKey: ticketKeyIn(flowToken),
      evidence: facts.frames,
      restingFaces,
      pictures,
      camera,
      isTrusted,
      receivedAtMs,
      onPhotoLost: onFault,
    };
  });
}
