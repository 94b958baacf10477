/** The screen of a snapshot. Pure, so that a reload, an event and a reply all lead to the same place. */
import type { Device, HandoffState, Presentation, Snapshot } from '../../server/contract/flow.ts';
import type { DeadEnd, PhoneTrouble } from '../i18n/messages.ts';
import type { FlowRefusalCode } from './flow-refusal.ts';

export type Choices = {
  device: Device;
  /** On a computer, the person chose its own camera (test sessions only). */
  thisComputer: boolean;
  /** In a test session, the person chose the camera over a test face. */
  camera: boolean;
  /** A capture was just sent, or did not arrive: another capture starts with the reasons. */
  attempted: boolean;
  /** This browser cannot use a camera. */
  noCamera: boolean;
  /** This device took the run over from a computer. */
  handedOver: boolean;
};

export type Screen =
  | 'consent'
  | 'phone'
  | 'desktop'
  | 'testChoice'
  | 'capture'
  | 'elsewhere'
  | 'retry'
  | 'checking'
  | 'result'
  | 'dead';

export function screenOf(snapshot: Snapshot, choices: Choices): Screen {
  switch (snapshot.state) {
    case 'expired':
    case 'cancelled':
      return 'dead';
    case 'settled':
      return snapshot.result === null ? 'dead' : 'result';
    case 'in_review':
      return 'result';
    case 'checking':
      return 'checking';
    case 'open':
      break;
  }
  if (snapshot.step === 'result') return 'result';
  if (snapshot.kiosk_required) return 'dead';
  // The page of a recorder is on this computer only.
  const isOwnCamera = choices.handedOver || choices.thisComputer || snapshot.recording !== undefined;
  if (choices.device === 'desktop' && !isOwnCamera) return 'desktop';
  // Shown before anything is requested. A test run can continue, because test faces need no camera.
  if (choices.noCamera && (!snapshot.is_test || choices.camera)) return 'elsewhere';
  if (snapshot.step === 'consent' || snapshot.step === 'phone') return snapshot.step;
  if (choices.attempted || snapshot.findings.length > 0) return 'retry';
  return snapshot.is_test && !choices.camera ? 'testChoice' : 'capture';
}

/** Whether the person on this page still needs the server. The capture watches its own connection. */
export function isAwaiting({ screen, snapshot }: { screen: string; snapshot: Snapshot | null }): boolean {
  if (screen === 'result') return snapshot?.state === 'in_review';
  return screen !== 'capture' && screen !== 'dead';
}

/** What a computer shows about its handoff to a phone. */
type HandoffView = 'preparing' | 'code' | 'expired' | 'opened' | 'ended' | 'following';

/** @param offered this page has a code to show @param expired that code is no longer accepted */
export function handoffView(handoff: HandoffState | null, offered: boolean, expired: boolean): HandoffView {
  if (handoff?.state === 'confirmed') return 'following';
  if (handoff?.state === 'opened') return 'opened';
  if (handoff?.state === 'ended') return 'ended';
  if (!offered) return 'preparing';
  return expired ? 'expired' : 'code';
}

/** Why a snapshot leads to `dead`. */
export function deadEndOf({ state, kiosk_required: kioskRequired }: Snapshot): DeadEnd {
  if (kioskRequired) return 'kiosk_required';
  return state === 'expired' || state === 'cancelled' ? state : 'settled';
}

/** Why a refused call ends the run on this page; null if a new snapshot says how to continue. */
export function deadEndOfProblem(code: FlowRefusalCode): DeadEnd | null {
  switch (code) {
    case 'not found':
      return 'unknown';
    case 'session_claimed':
    case 'flow_token_required':
      return 'claimed';
    case 'invalid_flow_token':
      // Another page has opened the run since; nobody may have acted there yet.
      return 'moved';
    case 'session_continued':
      return 'continued';
    case 'session_expired':
      return 'expired';
    case 'session_settled':
      return 'settled';
    case 'session_cancelled':
      return 'cancelled';
    case 'invite_revoked':
    case 'invite_redeemed':
    case 'link_used':
    case 'handoff_used':
    case 'handoff_expired':
    case 'continuation_used':
    case 'continuation_expired':
    case 'handoff_ended':
    case 'kiosk_required':
      return code;
    case 'too_many_sessions':
      return 'crowded';
    case 'handoff_unconfirmed':
      return 'handoff_used';
    case 'wrong_step':
    case 'consent_replaced':
    case 'wrong_number':
    case 'identifier_unrecognized':
    case 'test_number_required':
    case 'wrong_code':
    case 'code_required':
    case 'code_expired':
    case 'resend_too_soon':
    case 'too_many_codes':
    case 'challenge_expired':
    case 'challenge_used':
    case 'test_partition_only':
      return null;
    case 'engine_busy':
    case 'engine_failed':
    case 'server':
      return 'server';
  }
}

const PHONE_TROUBLES: readonly PhoneTrouble[] = [
  'identifier_unrecognized',
  'test_number_required',
  'wrong_code',
  'code_expired',
  'resend_too_soon',
  'too_many_codes',
];

/** The error of a refused phone number or code, shown next to its field; null if it leads elsewhere. */
export function phoneTroubleOf(code: FlowRefusalCode): PhoneTrouble | null {
  return PHONE_TROUBLES.find((trouble) => trouble === code) ?? null;
}

/** How a result is presented; a run in review has no result yet. */
function presentationOf(snapshot: Snapshot): Presentation {
  return snapshot.result?.presented ?? 'pending';
}

/** What a guest sees at the end. An approval looks the same whether it was flagged or not. */
export type ResultView = 'passed' | 'already' | 'pending' | 'denied' | 'declined';

/** The colours of a screen; staff know a result by them from afar. */
export type Tone = 'plain' | 'passed' | 'look' | 'refused';

export const RESULT_TONES: Record<ResultView, Tone> = {
  passed: 'passed',
  already: 'look',
  pending: 'look',
  denied: 'refused',
  declined: 'plain',
};

/** The end of a snapshot; a run without a result is pending. */
export function resultViewOf(snapshot: Snapshot | null): ResultView {
  const presented = snapshot === null ? 'pending' : presentationOf(snapshot);
  if (presented === 'denied' && snapshot?.result?.passed_before === true) return 'already';
  return presented === 'approved' || presented === 'flagged' ? 'passed' : presented;
}

/**
 * Whether the person continues at the computer that handed the run over: it follows and returns automatically, and two pages
 * would redeem one result. Another browser of that phone knows it from the snapshot alone.
 */
export function continuesOnComputer({
  device,
  handedOver,
  snapshot,
}: Pick<Choices, 'device' | 'handedOver'> & { snapshot: Snapshot | null }): boolean {
  return handedOver || (device === 'mobile' && snapshot?.handoff?.state === 'confirmed');
}

/** Whether the page goes to the return address without showing the result. A denied run always shows it. */
export function returnsAtOnce(snapshot: Snapshot): boolean {
  const shown = presentationOf(snapshot);
  return snapshot.auto_return && (shown === 'approved' || shown === 'flagged' || shown === 'declined');
}

/** Whether a page runs on a phone. Wrong guesses cost a detour, never the check: the server decides. */
type DeviceSigns = { userAgent: string; coarsePointer: boolean; touchPoints: number };

/** Tablets that report themselves as a Mac are recognised by their touch screen. */
export function deviceOf({ userAgent, coarsePointer, touchPoints }: DeviceSigns): Device {
  if (/Android|iPhone|iPad|iPod|Mobile/i.test(userAgent)) return 'mobile';
  if (/Macintosh/.test(userAgent) && touchPoints > 1) return 'mobile';
  return coarsePointer && touchPoints > 0 ? 'mobile' : 'desktop';
}

/** What this page runs on. */
export const thisDevice = (): Device =>
  deviceOf({
    userAgent: navigator.userAgent,
    coarsePointer: matchMedia('(pointer: coarse)').matches,
    touchPoints: navigator.maxTouchPoints,
  });
