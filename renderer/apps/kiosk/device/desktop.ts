/** The desktop app around this page, if there is one. It holds the screen and asks the server before releasing it. */
import type { BadgeFailure } from '../../../../server/contract/badges.ts';
import type { KioskUnlockResponse } from '../../../../server/contract/kiosk.ts';

/** The operator who wants to leave, as the server checks it. */
export type LeaveProof = { operatorId: string; pin: string };
/** `refused` is everything that does not concern the PIN. */
type LeaveAnswer = 'left' | 'wrong_pin' | 'locked_out' | 'offline' | 'refused';

export type KioskDesktop = {
  /** From now on the screen is held until staff leave; the token lets the app ask the server about PINs. */
  lock: (token: string) => Promise<boolean>;
  /** Without a proof it is released only if the device is not paired, because no PIN can be checked then. */
  leave: (proof: LeaveProof | null) => Promise<LeaveAnswer>;
  /** The device is no longer paired: the app asks the server, then deletes the token and releases the screen. */
  release: () => Promise<boolean>;
  /** Prints the page without a dialog; null once the printer has it. An older app can't. Sizes in microns. */
  print?: (paper: { width: number; height: number }) => Promise<BadgeFailure | null>;
};

declare global {
  interface Window {
    gatehouseKiosk?: KioskDesktop;
  }
}

/** Null in a browser. */
export const kioskDesktop = (): KioskDesktop | null => window.gatehouseKiosk ?? null;

/**
 * The operator who unlocked. The PIN is kept while the staff screens are open, because each action checks it again.
 */
export type Unlocked = { name: string; proof: LeaveProof } & Pick<KioskUnlockResponse, 'events' | 'guests'>;
