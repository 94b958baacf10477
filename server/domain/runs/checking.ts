/**
 * How long a capture has its session for itself. A slower check settles all the same, unless another capture has begun
 * by then; after a killed process the person waits no longer than this for the next try.
 */
export const CHECK_LEASE_MS = 30_000;

/** Whether the frames of an open session are being judged. */
export const isChecking = ({ checkingUntil }: { checkingUntil: number | null }, nowMs: number): boolean =>
  checkingUntil !== null && nowMs < checkingUntil;
