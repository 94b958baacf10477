/** All captures of this process: who may start, resume or take over one. */
import { CAPTURE_PROTOCOL, type Hello } from '../../contract/capture.ts';
import { drawOrder } from '../../domain/capture/exchange/next-ask.ts';
import { ENDS_AFTER_MS } from '../../domain/capture/exchange/requests.ts';
import { markSlow } from '../../store/capture/challenges.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { findKioskOfRun } from '../../store/venue/kiosk-runs.ts';
import { configOf } from '../companies/run-config.ts';
import type { Ports } from '../ports/ports.ts';
import type { SessionEvents } from '../runs/sessions/session-events.ts';
import { authoriseFlow, authoriseStep } from '../runs/flow.ts';
import { isLightUsualFor } from '../settling/usual-light.ts';
import { ADMISSION_ROOM, type AdmissionRoom, createAdmission, type Entrant } from './admission.ts';
import { openCapture, type SettlingDeps } from './capture.ts';
import { claimOf } from './claim.ts';
import { captureSignerOf } from './kiosk-signature.ts';
import { createRecorder } from './recorder.ts';
import { startExchange, type Exchange, type ExchangeCarrier } from './exchange.ts';

type ExchangeOpening = {
  sessionId: string;
  flowToken: string | null;
  hello: Hello;
  /** The caller's network address. */
  address: string;
  carrier: ExchangeCarrier;
};

export type Exchanges = {
  /**
   * Starts a capture, replacing the session's current one, or resumes it if the page has its key. Answers through the
   * carrier.
   * @returns null if it was refused there
   * @throws Refusal as `authoriseFlow` and `authoriseStep`
   */
  open: (opening: ExchangeOpening) => Promise<Exchange | null>;
  /** The session's capture, if this token started it. */
  find: (sessionId: string, flowToken: string) => Exchange | undefined;
  /** Ends all captures; the pages are told to start again. */
  close: () => void;
  stats: () => { captures: number; heldBytes: number };
};

export function createExchanges(
  deps: SettlingDeps &
    Pick<Ports, 'randomInt' | 'attackThresholds' | 'recording'> & { events: SessionEvents },
  onFault: (error: unknown) => void,
  room: AdmissionRoom = ADMISSION_ROOM,
): Exchanges {
  const captures = new Map<string, Exchange>();
  const admission = createAdmission(room, deps.clock);

  return {
    async open({ sessionId, flowToken, hello, address, carrier }) {
      const session = await authoriseFlow(deps, sessionId, flowToken);
      const token = flowToken ?? '';
      if (hello.protocol < CAPTURE_PROTOCOL) {
        carrier.send({ type: 'error', code: 'page_outdated', fatal: true });
        return null;
      }
      const present = captures.get(sessionId);
      if (present && hello.resume_key !== undefined && present.isOf(token, hello.resume_key)) {
        present.resume(carrier);
        return present;
      }
      const verification = await authoriseStep(deps, session, 'capture');
      const isKiosk =
        session.device === 'kiosk' && (await findKioskOfRun(deps.db, session.scope, sessionId)) !== undefined;
      captures.get(sessionId)?.abandon({ type: 'again', reason: 'taken_over' });
      // Reserved before the next await, so that captures that open at the same time count each other.
      const place = admission.enter({ sessionId, address, isKiosk, link: linkOf(session) });
      if ('retryInMs' in place) {
        const { retryInMs } = place;
        carrier.send({ type: 'error', code: 'too_many_captures', fatal: true, retry_in_ms: retryInMs });
        return null;
      }
      const { challenge } = configOf(session, verification);
      const begin = async () => {
        const signer = await captureSignerOf(deps.db, session);
        return {
          signer,
          // Only a paired kiosk's camera is trusted with less, and only a page with a landmarker is quick enough.
          claim:
            signer && hello.mode === 'coached' && !place.isSuspect
              ? await claimOf(deps, session, token)
              : undefined,
          isLightUsual: await isLightUsualFor(deps.db, session),
          // The state machine ends it; a verdict in progress still settles.
          ...(await openCapture(
            deps,
            session,
            2 * ENDS_AFTER_MS[hello.mode],
            drawOrder({ challenge, mode: hello.mode }, deps.randomInt),
          )),
        };
      };
      const { claim, isLightUsual, order, wasSlow, ...begun } = await begin().catch((error: unknown) => {
        place.leave('unseen');
        throw error;
      });
      // Another page may have started one meanwhile, whose challenge replaced this one's.
      captures.get(sessionId)?.abandon({ type: 'again', reason: 'taken_over' });
      const capture = startExchange(deps, {
        ...begun,
        sessionId,
        flowToken: token,
        recorder: deps.recording ? createRecorder(deps, deps.recording, session) : null,
        plan: {
          challenge,
          mode: hello.mode,
          isCalm: hello.calm ?? false,
          isHandheld: session.device === 'mobile',
          attackThresholds: deps.attackThresholds,
          isLightUsual,
          order,
          wasSlow,
          // A capture that left a doubt behind is not made up for by a shorter one.
          claim: wasSlow ? undefined : claim,
          // A script with a few prepared gestures runs out of them; a person does one more.
          moreSteps: place.isSuspect ? 1 : 0,
        },
        camera: hello.camera,
        carrier,
        place,
        onSlow: () => deps.db.tx((tx) => markSlow(tx, session.scope, sessionId), session.scope),
        onEnd() {
          // It may have been sealed; nothing compares with it any more.
          claim?.vector.fill(0);
          if (captures.get(sessionId) === capture) captures.delete(sessionId);
          deps.recording?.captureEnded();
        },
        onFault,
      });
      captures.set(sessionId, capture);
      return capture;
    },
    find(sessionId, flowToken) {
      const capture = captures.get(sessionId);
      return capture?.isOf(flowToken) ? capture : undefined;
    },
    close() {
      for (const capture of [...captures.values()]) capture.abandon({ type: 'again', reason: 'restarting' });
    },
    stats: admission.stats,
  };
}

/** The link that made the session without a key, or the invite that it came from. */
function linkOf({ inviteId, keyId, verificationId }: Session): Entrant['link'] {
  if (inviteId !== null) return { kind: 'invite', id: inviteId };
  return keyId === null ? { kind: 'verification', id: verificationId } : null;
}
