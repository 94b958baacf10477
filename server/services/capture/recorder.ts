/** Records a capture instead of settling its session. Only a server that `gatehouse record` starts has one. */
import type { CaptureRequest } from '../../contract/capture.ts';
import type { Snapshot } from '../../contract/flow.ts';
import type { ExchangeEvent } from '../../domain/capture/exchange/exchange.ts';
import { doubtOf, judgeExchange } from '../../domain/capture/exchange/judgement.ts';
import type { ExchangeState } from '../../domain/capture/exchange/state.ts';
import type { RecordedCapture, RecordedEvent } from '../../domain/capture/recording.ts';
import type { RecordingSetup } from '../ports/ports.ts';
import { decline } from '../runs/flow.ts';
import type { SnapshotDeps } from '../runs/sessions/session-view.ts';
import type { Session } from '../../store/runs/sessions.ts';

export type CaptureRecorder = {
  took: (event: ExchangeEvent, nowMs: number) => void;
  asked: (request: CaptureRequest) => void;
  /** A still that the capture accepted or turned down, once. */
  still: (seq: number, jpeg: Buffer) => void;
  /** It ended without a verdict. */
  endWithout: (state: ExchangeState) => Promise<void>;
  /** Keeps the capture with the verdict on it, and ends the session. The person learns no verdict. */
  settle: (state: ExchangeState) => Promise<Snapshot>;
};

export function createRecorder(deps: SnapshotDeps, setup: RecordingSetup, session: Session): CaptureRecorder {
  const events: { atMs: number; event: RecordedEvent }[] = [];
  const requests: RecordedCapture['requests'] = [];
  const stills = new Map<number, Buffer>();
  const captureOf = ({ plan, startedAtMs }: ExchangeState, verdict: RecordedCapture['verdict']) => ({
    plan,
    events: events.map(({ atMs, event }) => ({ atMs: atMs - startedAtMs, event })),
    requests,
    verdict,
  });
  return {
    took(event, nowMs) {
      const recorded = event.type === 'judged' ? { type: event.type, seq: event.seq } : event;
      events.push({ atMs: nowMs, event: recorded });
    },
    // A page that reconnects gets a request again, under the same ID.
    asked({ id, ask, tint, step }) {
      requests[id - 1] = { ask, ...(tint && { tint }), ...(step && { step }) };
    },
    still(seq, jpeg) {
      if (!stills.has(seq)) stills.set(seq, jpeg);
    },
    endWithout: (state) => setup.keep(captureOf(state, null), stills),
    async settle(state) {
      const verdict = judgeExchange(state);
      const { passed, findings, attack } = verdict;
      const score = attack?.score ?? null;
      const told = { passed, isDoubtful: doubtOf(state, verdict) !== 'none', findings, score };
      await setup.keep(captureOf(state, told), stills);
      return decline(deps, session);
    },
  };
}
