/** One still's way through the face engine, and what a page is told if the capture fails. */
import type { ServerMessage } from '../../contract/capture.ts';
import { FaceEngineError } from '../../face/errors.ts';
import { apiDetail } from '../../refusals/codes.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { Ports } from '../ports/ports.ts';

/** Interval at which a busy engine is retried. Follows the engine's own estimate, but is at most this long. */
const MOST_ENGINE_TRIES = 5;
const LONGEST_ENGINE_WAIT_MS = 2_000;

/**
 * Null for a still that is not a picture.
 * @throws FaceEngineError if the engine cannot analyse it, even after some time
 */
export async function analyseStill(
  { faces }: Pick<Ports, 'faces'>,
  jpeg: Buffer,
  purpose: 'rest' | 'step',
  signal: AbortSignal,
) {
  for (let tries = 1; ; tries += 1) {
    try {
      const [evidence] = await faces.analyse([jpeg], signal, purpose);
      return evidence ?? null;
    } catch (error) {
      if (!(error instanceof FaceEngineError)) throw error;
      if (error.code === 'unreadable_frame') return null;
      if (error.code !== 'busy' || tries === MOST_ENGINE_TRIES) throw error;
      const waitMs = Math.min(LONGEST_ENGINE_WAIT_MS, 1_000 * (error.retryAfterS ?? 1));
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      signal.throwIfAborted();
    }
  }
}

export function refusalOf(error: unknown): ServerMessage {
  if (error instanceof Refusal) {
    const isReplaced = error.code === 'challenge_expired' || error.code === 'challenge_used';
    if (isReplaced) return { type: 'again', reason: 'taken_over' };
    return { type: 'error', code: apiDetail(error.code), fatal: true };
  }
  const isBusy = error instanceof FaceEngineError && error.code === 'busy';
  return {
    type: 'error',
    code: isBusy ? 'engine_busy' : 'engine_failed',
    fatal: true,
    retry_in_ms: LONGEST_ENGINE_WAIT_MS,
  };
}
