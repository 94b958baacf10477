import type { FlowStep } from '../../contract/flow.ts';
import type { ResolvedConfig } from '../companies/verification-config.ts';

/** The part of an open run that its next step depends on. */
type Progress = {
  /** Epoch milliseconds; null before consent. */
  consentAt: number | null;
  /** The number that was verified with a code. */
  provenPhone: string | null;
  /** The number of a v2 direct link. */
  lockedPhone: string | null;
};

/** The step that an open run is waiting for (decisions §6, Snapshot). */
export function dueStep(run: Progress, config: ResolvedConfig): Exclude<FlowStep, 'result'> {
  if (run.consentAt === null) return 'consent';
  return needsPhone(run, config) && run.provenPhone === null ? 'phone' : 'capture';
}

/** The number of a direct link is always verified, because that is the purpose of the link. */
export const needsPhone = ({ lockedPhone }: Progress, config: ResolvedConfig): boolean =>
  config.phoneRequired || lockedPhone !== null;

/**
 * How long a capture has its session to itself. A slower check still settles, unless another capture has begun
 * by then. If the process is killed, the person waits at most this long before trying again.
 */
export const CHECK_LEASE_MS = 30_000;

/** Whether the frames of an open session are being analysed. */
export const isChecking = ({ checkingUntil }: { checkingUntil: number | null }, nowMs: number): boolean =>
  checkingUntil !== null && nowMs < checkingUntil;
