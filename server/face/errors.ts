/** Why the face engine failed; a closed set, which the routes map to HTTP in one place. */
const FACE_ENGINE_ERRORS = [
  'busy',
  'unreadable_frame',
  'worker_died',
  'closed',
  'timeout',
  'models_missing',
] as const;
type FaceEngineErrorCode = (typeof FACE_ENGINE_ERRORS)[number];

type FaceEngineErrorDetails = { frameIndex?: number; retryAfterS?: number; cause?: unknown };

/**
 * `frameIndex` is the frame of the capture (from 0) if a single frame caused the error; `retryAfterS` comes with
 * `busy` and is an estimate in whole seconds.
 */
export class FaceEngineError extends Error {
  readonly code: FaceEngineErrorCode;
  readonly frameIndex: number | undefined;
  readonly retryAfterS: number | undefined;

  constructor(code: FaceEngineErrorCode, message: string, details: FaceEngineErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FaceEngineError';
    this.code = code;
    this.frameIndex = details.frameIndex;
    this.retryAfterS = details.retryAfterS;
  }
}

/** A model, or the manifest that describes it, is missing or not as expected. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}
