/** All calls of the kiosk's page to the shell, with validation of their arguments. */

export const KIOSK_CHANNELS = {
  /** The device's token → whether the screen is held for it: a held one takes another only if the server knows it. */
  lock: 'gatehouse-kiosk:lock',
  /** `LeaveProof` or null → `LeaveAnswer` */
  leave: 'gatehouse-kiosk:leave',
  /** → whether the screen is released: only if the server confirms that the device is not paired */
  release: 'gatehouse-kiosk:release',
  /** `PaperSize` → null once the printer has the page, else why not */
  print: 'gatehouse-kiosk:print',
} as const;

export type KioskChannel = (typeof KIOSK_CHANNELS)[keyof typeof KIOSK_CHANNELS];

/** An operator who wants to leave, with their kiosk PIN. */
export type LeaveProof = { operatorId: string; pin: string };
/** In microns, as Electron takes it. */
export type PaperSize = { width: number; height: number };
export type PrintFailure = 'no_printer' | 'failed';
export type LeaveAnswer = 'left' | 'wrong_pin' | 'locked_out' | 'offline' | 'refused';

/** The type of `window.gatehouseKiosk` in the kiosk's page. */
export type KioskBridge = {
  lock(token: string): Promise<boolean>;
  leave(proof: LeaveProof | null): Promise<LeaveAnswer>;
  release(): Promise<boolean>;
  print(paper: PaperSize): Promise<PrintFailure | null>;
};

const TOKEN = /^kt_[\w-]{16,128}$/;
const OPERATOR = /^[\w-]{1,64}$/;
const PIN = /^\d{6}$/;

function isLeaveProof(value: unknown): value is LeaveProof {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { operatorId, pin } = value as Record<string, unknown>;
  return (
    typeof operatorId === 'string' && OPERATOR.test(operatorId) && typeof pin === 'string' && PIN.test(pin)
  );
}

const MIN_SIDE = 10_000;
const MAX_SIDE = 300_000;

function isPaperSize(value: unknown): value is PaperSize {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { width, height } = value as Record<string, unknown>;
  return [width, height].every(
    (side) => Number.isInteger(side) && MIN_SIDE <= Number(side) && Number(side) <= MAX_SIDE,
  );
}

const isToken = (value: unknown): value is string => typeof value === 'string' && TOKEN.test(value);

const ARGUMENTS: Record<KioskChannel, (args: readonly unknown[]) => boolean> = {
  [KIOSK_CHANNELS.lock]: (args) => args.length === 1 && isToken(args[0]),
  [KIOSK_CHANNELS.leave]: (args) => args.length === 1 && (args[0] === null || isLeaveProof(args[0])),
  [KIOSK_CHANNELS.release]: (args) => args.length === 0,
  [KIOSK_CHANNELS.print]: (args) => args.length === 1 && isPaperSize(args[0]),
};

/** Whether the arguments of a call match its channel exactly. */
export const areKioskArgumentsValid = (channel: KioskChannel, args: readonly unknown[]): boolean =>
  ARGUMENTS[channel](args);
