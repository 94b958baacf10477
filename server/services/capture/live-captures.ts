/** All live captures of this process: who may begin one, continue one, or take one over, and how much they may hold together. */
import { LIVE_PROTOCOL, type Hello } from '../../contract/capture-live.ts';
import { ENDS_AFTER_MS } from '../../domain/capture/live/requests.ts';
import { replaceChallenge } from '../../store/capture/challenges.ts';
import { configOf } from '../companies/run-config.ts';
import type { ServiceDeps } from '../deps.ts';
import { newNonce, sha256 } from '../ids.ts';
import { authoriseFlow, authoriseStep } from '../runs/flow.ts';
import { captureSignerOf } from './kiosk-signature.ts';
import { startLiveCapture, type LiveCapture, type LiveCarrier } from './live.ts';

export type LiveCaptureLimits = {
  captures: number;
  perAddress: number;
  /** Of all stills that are held. */
  heldBytes: number;
  /** Captures of one session that may be given up after a step was shown, before the next one has to wait. */
  givenUp: number;
};

/** A whole venue may stand behind one address. */
const LIMITS: LiveCaptureLimits = { captures: 400, perAddress: 120, heldBytes: 256e6, givenUp: 8 };
const FULL_RETRY_MS = 5_000;
/** How long a session waits that gave up too many. Each wait forgives one. */
const GIVEN_UP_RETRY_MS = 60_000;
const MOST_REMEMBERED = 10_000;

export type LiveOpening = {
  sessionId: string;
  flowToken: string | null;
  hello: Hello;
  /** The caller's network address. */
  address: string;
  carrier: LiveCarrier;
};

export type LiveCaptures = {
  /**
   * Begins a capture, replacing the session's present one, or continues it where the page has its key. Answers through the
   * carrier. @returns null where it was refused there
   * @throws ServiceError as `authoriseFlow` and `authoriseStep`
   */
  open: (opening: LiveOpening) => Promise<LiveCapture | null>;
  /** The session's capture, where this token began it. */
  find: (sessionId: string, flowToken: string) => LiveCapture | undefined;
  /** Ends all of them; the pages are told to begin again. */
  close: () => void;
  stats: () => { captures: number; heldBytes: number };
};

export function createLiveCaptures(
  deps: ServiceDeps,
  onFault: (error: unknown) => void,
  limits: LiveCaptureLimits = LIMITS,
): LiveCaptures {
  const captures = new Map<string, LiveCapture>();
  const byAddress = new Map<string, number>();
  const givenUp = new Map<string, { count: number; atMs: number }>();
  let heldBytes = 0;

  const count = (address: string, change: number) => {
    const now = (byAddress.get(address) ?? 0) + change;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
  };
  const rememberGivenUp = (sessionId: string) => {
    const before = givenUp.get(sessionId)?.count ?? 0;
    givenUp.delete(sessionId);
    givenUp.set(sessionId, { count: before + 1, atMs: deps.clock.now() });
    const [oldest] = givenUp.keys();
    if (oldest !== undefined && givenUp.size > MOST_REMEMBERED) givenUp.delete(oldest);
  };
  /** How long the session has to wait; 0 where it need not. */
  const waitMs = (sessionId: string, address: string): number => {
    const isFull =
      captures.size >= limits.captures ||
      heldBytes >= limits.heldBytes ||
      (byAddress.get(address) ?? 0) >= limits.perAddress;
    if (isFull) return FULL_RETRY_MS;
    const past = givenUp.get(sessionId);
    if (!past || past.count < limits.givenUp) return 0;
    return Math.max(0, past.atMs + GIVEN_UP_RETRY_MS - deps.clock.now());
  };

  return {
    async open({ sessionId, flowToken, hello, address, carrier }) {
      const session = await authoriseFlow(deps, sessionId, flowToken);
      const token = flowToken ?? '';
      if (hello.protocol < LIVE_PROTOCOL) {
        carrier.send({ type: 'error', code: 'page_outdated', fatal: true });
        return null;
      }
      const present = captures.get(sessionId);
      if (present && hello.resume_key !== undefined && present.isOf(token, hello.resume_key)) {
        present.resume(carrier);
        return present;
      }
      const verification = await authoriseStep(deps, session, 'capture');
      present?.abandon({ type: 'again', reason: 'taken_over' });
      const retryInMs = waitMs(sessionId, address);
      if (retryInMs > 0) {
        carrier.send({ type: 'error', code: 'too_many_captures', fatal: true, retry_in_ms: retryInMs });
        return null;
      }
      const { challenge } = configOf(session, verification);
      const signer = await captureSignerOf(deps.db, session);
      const nonce = newNonce();
      const issuedAt = deps.clock.now();
      await deps.db.tx((tx) =>
        replaceChallenge(tx, {
          nonceHash: sha256(nonce),
          sessionId,
          mode: challenge,
          steps: [],
          tints: null,
          issuedAt,
          // Its end is the state machine's; what is judged at that moment still settles.
          expiresAt: issuedAt + 2 * ENDS_AFTER_MS[hello.mode],
          usedAt: null,
        }),
      );
      // Another page may have begun one meanwhile; the challenge of this one replaced its.
      captures.get(sessionId)?.abandon({ type: 'again', reason: 'taken_over' });
      count(address, 1);
      const capture = startLiveCapture(deps, {
        sessionId,
        flowToken: token,
        nonce,
        plan: {
          challenge,
          mode: hello.mode,
          isCalm: hello.calm ?? false,
          isHandheld: session.device === 'mobile',
          attackThresholds: deps.attackThresholds,
        },
        camera: hello.camera,
        signer,
        carrier,
        onHeld: (bytes) => (heldBytes += bytes),
        onEnd(isGivenUp) {
          count(address, -1);
          if (captures.get(sessionId) === capture) captures.delete(sessionId);
          if (isGivenUp) rememberGivenUp(sessionId);
          else givenUp.delete(sessionId);
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
    stats: () => ({ captures: captures.size, heldBytes }),
  };
}
