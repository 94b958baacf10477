/** The kiosk's state as plain data, and the screen that follows from it. */
import type { DoorTicket, TicketDecision } from '../../../server/contract/tickets.ts';
import type { FlowState } from '../../flow/flow.ts';
import { resultViewOf } from '../../flow/routing.ts';
import type { CameraTrouble, KioskTrouble } from '../../i18n/messages.ts';
import type { KioskCamera, KioskConfig, KioskLanguage, KioskScreen } from '../../../server/contract/kiosk.ts';
import type { KioskRefusalCode } from './kiosk-api.ts';
import type { Visit } from './visit.ts';

/** How a guest started: by a touch, or with a QR code. */
export type Start = 'walk_up' | 'scan';

export type Stage =
  | { kind: 'attract' }
  | { kind: 'scan' }
  /** What came of a ticket, without a check. */
  | { kind: 'ticket'; decision: TicketDecision }
  | { kind: 'party'; decision: TicketDecision }
  /** A run is being requested from the server. */
  | { kind: 'opening' }
  /** No code was scanned: says why, and returns to the start screen. */
  | { kind: 'refused'; problem: KioskRefusalCode }
  | {
      kind: 'visit';
      visit: Visit;
      cameraTrouble: CameraTrouble | null;
      /** The guest asked for staff and waits for them. */
      asksStaff: boolean;
      /** What came of the ticket of a guest who passed; null until the server is asked. */
      admission: TicketDecision | 'asked' | null;
    }
  | { kind: 'staff' };

export type PairingState = {
  isPaired: boolean;
  /** The device was paired until the server revoked it. */
  wasRevoked: boolean;
  isBusy: boolean;
  problem: KioskRefusalCode | null;
};

export type KioskState = {
  /** Which tab of this browser is the kiosk: this one, another one, or not known yet. */
  tab: 'asking' | 'this' | 'other';
  pairing: PairingState;
  stage: Stage;
  /** The guests of a party who are checked next. */
  party: readonly DoorTicket[];
  /** Null until the first answer or failure. */
  isOnline: boolean | null;
  /** Something else answers in the server's place: the network wants a sign-in. */
  isPortal: boolean;
  isMaintenance: boolean;
  config: KioskConfig | null;
  camera: KioskCamera;
  language: KioskLanguage;
  /** No animation, and more time. */
  isCalm: boolean;
  isReadAloud: boolean;
};

/** Screens of a person's run. */
const VISIT_SCREENS = [
  'consent',
  'phone',
  'test',
  'capture',
  'checking',
  'retry',
  'ask_staff',
  'admission',
  'show_ticket',
  'ticket',
  'result',
  'dead',
] as const;
export type VisitScreen = (typeof VISIT_SCREENS)[number];
/** Screens on which someone is active. */
export type PlainScreen =
  | VisitScreen
  | 'other_tab'
  | 'pairing'
  | 'starting'
  | 'attract'
  | 'scan'
  | 'opening'
  | 'refused'
  | 'party'
  | 'staff';
/** Each trouble has its own screen. */
type TroubleScreen = `trouble-${KioskTrouble}`;
export type ScreenName = PlainScreen | TroubleScreen;

export const isTroubleScreen = (screen: ScreenName): screen is TroubleScreen => screen.startsWith('trouble-');

export const isVisitScreen = (screen: ScreenName): screen is VisitScreen =>
  VISIT_SCREENS.some((name) => name === screen);

/** The trouble that a screen represents. */
export const troubleOf = (screen: TroubleScreen): KioskTrouble =>
  screen.slice('trouble-'.length) as KioskTrouble;

/** What prevents checks, worst first; null if a guest can start. */
export function standingTrouble(state: KioskState): KioskTrouble | null {
  if (state.isOnline === false) return state.isPortal ? 'portal' : 'offline';
  if (state.isMaintenance) return 'maintenance';
  const event = state.config?.event;
  if (!event) return 'no_event';
  if (event.state === 'upcoming') return 'not_started';
  if (event.state === 'over') return 'over';
  // Test runs use test faces, so they need no camera.
  if (event.is_test) return null;
  if (state.camera === 'refused') return 'camera_refused';
  if (state.camera === 'missing') return 'camera_missing';
  if (state.camera === 'silent') return 'camera_silent';
  return state.camera === 'lost' ? 'camera_lost' : null;
}

/** A camera that failed during a check, as a screen. */
export function cameraScreen(trouble: CameraTrouble): KioskTrouble {
  switch (trouble) {
    case 'denied':
    case 'framed':
    case 'forbidden':
      return 'camera_refused';
    case 'portal':
      return 'portal';
    case 'absent':
    case 'unsupported':
      return 'camera_missing';
    case 'in_use':
      return 'camera_busy';
    case 'lost':
      return 'camera_lost';
    case 'offline':
      return 'offline';
    case 'not_loaded':
    case 'blocked':
      return 'not_loaded';
  }
}

/** @param flow the state of the visit's flow, null without one */
export function screenNameOf(state: KioskState, flow: FlowState | null): ScreenName {
  if (state.tab !== 'this') return state.tab === 'other' ? 'other_tab' : 'starting';
  if (state.stage.kind === 'staff') return 'staff';
  if (!state.pairing.isPaired) return 'pairing';
  if (state.config === null) {
    if (state.isOnline !== false) return 'starting';
    return state.isPortal ? 'trouble-portal' : 'trouble-offline';
  }
  switch (state.stage.kind) {
    case 'attract': {
      const trouble = standingTrouble(state);
      return trouble === null ? 'attract' : `trouble-${trouble}`;
    }
    case 'scan':
    case 'opening':
    case 'refused':
    case 'ticket':
    case 'party':
      return state.stage.kind;
    case 'visit':
      return flow === null ? 'opening' : visitScreen(flow, state.stage, takesTickets(state));
  }
}

const takesTickets = ({ config }: KioskState): boolean => config?.event?.takes_tickets === true;

/** What is shown of a ticket. */
export function shownDecision({ stage }: KioskState): TicketDecision | null {
  if (stage.kind === 'ticket') return stage.decision;
  return stage.kind === 'visit' && stage.admission !== 'asked' ? stage.admission : null;
}

/** Where a guest can still ask for staff instead. */
const BEFORE_VERDICT: readonly FlowState['screen'][] = ['consent', 'phone', 'testChoice', 'capture', 'retry'];

function visitScreen(
  flow: FlowState,
  { cameraTrouble, asksStaff, admission }: Extract<Stage, { kind: 'visit' }>,
  hasTickets: boolean,
): ScreenName {
  if (flow.waiting === 'offline') return 'trouble-offline';
  if (flow.waiting === 'portal') return 'trouble-portal';
  if (flow.waiting === 'maintenance') return 'trouble-maintenance';
  // Once staff have let the guest in, or the check ended otherwise, its result is shown.
  if (asksStaff && BEFORE_VERDICT.includes(flow.screen)) return 'ask_staff';
  switch (flow.screen) {
    case 'capture':
      return cameraTrouble === null ? 'capture' : `trouble-${cameraScreen(cameraTrouble)}`;
    case 'testChoice':
      return 'test';
    case 'loading':
      return 'opening';
    // Options for other devices and browsers; a kiosk's run stays there.
    case 'elsewhere':
    case 'desktop':
    case 'handoff':
      return 'dead';
    case 'consent':
    case 'phone':
    case 'checking':
    case 'retry':
    case 'dead':
      return flow.screen;
    case 'result':
      if (!hasTickets || resultViewOf(flow.snapshot) !== 'passed') return 'result';
      if (admission === null || admission === 'asked') return 'admission';
      return admission.verdict === 'ask_ticket' ? 'show_ticket' : 'ticket';
  }
}

/** Screens from which the next one may be the capture. */
const BEFORE_CAPTURE: readonly ScreenName[] = [
  'attract',
  // Opened again and again until it has a picture.
  'trouble-camera_silent',
  'opening',
  'consent',
  'phone',
  'retry',
];
/** There is a camera, and the page may use it. */
const USABLE: readonly KioskCamera[] = ['ready', 'covered', 'dark', 'silent', 'turned', 'mirrored'];

/** Screens before the check, on which a guest can still change the language. */
export const offersLanguages = (screen: ScreenName): boolean =>
  screen === 'scan' || screen === 'party' || screen === 'consent';

/**
 * Whether the camera is on before it is needed, so that guests do not wait for it; its picture is not used. Only if
 * permission was granted before: a start screen never asks for it.
 */
export const wantsWarmCamera = ({ camera, config }: KioskState, screen: ScreenName): boolean =>
  USABLE.includes(camera) && config?.event?.is_test === false && BEFORE_CAPTURE.includes(screen);

const REPORTED: Record<PlainScreen, KioskScreen> = {
  other_tab: 'trouble',
  pairing: 'trouble',
  starting: 'trouble',
  attract: 'attract',
  scan: 'scan',
  opening: 'consent',
  consent: 'consent',
  phone: 'phone',
  test: 'capture',
  capture: 'capture',
  retry: 'capture',
  checking: 'checking',
  ask_staff: 'ask_staff',
  admission: 'checking',
  show_ticket: 'scan',
  ticket: 'result',
  party: 'scan',
  result: 'result',
  dead: 'result',
  refused: 'result',
  staff: 'staff',
};

/** The screen's name in heartbeats, where the console shows it. */
export const reportedScreen = (screen: ScreenName): KioskScreen =>
  isTroubleScreen(screen) ? 'trouble' : REPORTED[screen];
