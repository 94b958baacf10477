/**
 * How long a capture has its session to itself. A slower check still settles, unless another capture has begun
 * by then. If the process is killed, the person waits at most this long before trying again.
 */
export const CHECK_LEASE_MS = 30_000;

/** Whether the frames of an open session are being analysed. */
export const isChecking = ({ checkingUntil }: { checkingUntil: number | null }, nowMs: number): boolean =>
  checkingUntil !== null && nowMs < checkingUntil;
