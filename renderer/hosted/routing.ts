/** Which screen a snapshot leads to. Pure, so that a reload, an event and a reply all lead to the same place. */
import type { Device, Presentation, Snapshot } from '../../server/contract/flow.ts';
import type { DeadEnd } from '../i18n/messages.ts';
import type { FlowProblemCode } from './flow-problem.ts';

export type Choices = {
  device: Device;
  /** On a computer, the person chose its own camera (test sessions only). */
  thisComputer: boolean;
  /** In a test session, the person chose the camera over a test face. */
  camera: boolean;
  /** A capture was just sent, or did not arrive: a further capture starts with the reasons. */
  attempted: boolean;
};

export type Screen =
  'consent' | 'desktop' | 'testChoice' | 'capture' | 'retry' | 'checking' | 'result' | 'dead';

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
  if (snapshot.step === 'phone') return 'dead';
  if (choices.device === 'desktop' && !choices.thisComputer) return 'desktop';
  if (snapshot.step === 'consent') return 'consent';
  if (choices.attempted || snapshot.findings.length > 0) return 'retry';
  return snapshot.is_test && !choices.camera ? 'testChoice' : 'capture';
}

/** Why a snapshot that leads to `dead` is one. */
export function deadEndOf(snapshot: Snapshot): DeadEnd {
  if (snapshot.state === 'expired' || snapshot.state === 'cancelled' || snapshot.state === 'settled') {
    return snapshot.state;
  }
  return 'unsupported_step';
}

/** Why a refused call ends the run on this page; null when asking for the snapshot tells how to go on. */
export function deadEndOfProblem(code: FlowProblemCode): DeadEnd | null {
  switch (code) {
    case 'not found':
      return 'unknown';
    case 'session_claimed':
    case 'flow_token_required':
    case 'invalid_flow_token':
      return 'claimed';
    case 'session_expired':
      return 'expired';
    case 'session_settled':
      return 'settled';
    case 'session_cancelled':
      return 'cancelled';
    case 'wrong_step':
    case 'challenge_expired':
    case 'challenge_used':
    case 'capture_incomplete':
    case 'frame_too_large':
    case 'too_many_frames':
    case 'unreadable_frame':
    case 'test_partition_only':
      return null;
    case 'engine_busy':
    case 'engine_failed':
    case 'server':
      return 'server';
  }
}

/** How a result is presented; a run that waits for a reviewer has none of its own. */
export function presentationOf(snapshot: Snapshot): Presentation {
  return snapshot.result?.presented ?? 'pending';
}

/** Whether the page goes to the return address without showing the result. A denied run always shows it. */
export function returnsAtOnce(snapshot: Snapshot): boolean {
  const shown = presentationOf(snapshot);
  return snapshot.auto_return && (shown === 'approved' || shown === 'flagged' || shown === 'declined');
}
