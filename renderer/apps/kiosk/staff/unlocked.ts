import type { LeaveProof } from '../desktop.ts';

/** Who unlocked; the PIN is kept for as long as the staff's screen, since leaving is checked once more by the desktop app. */
export type Unlocked = { name: string; proof: LeaveProof };
