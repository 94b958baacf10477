/**
 * One person at the kiosk: the hosted page's own flow over a run that the server has already opened on this device.
 * The person's data is kept here and ends with the visit.
 */
import type { Sign } from '../../capture/exchange/still-outbox.ts';
import type { OpenResponse, Snapshot } from '../../../server/contract/flow.ts';
import { createFlow, type Flow } from '../../flow/flow.ts';
import { createFlowApi, type FlowApi } from '../../flow/flow-api.ts';
import type { RunMemory } from '../../flow/run-memory.ts';
import type { Line } from '../../http/line.ts';
import { anySignal } from '../../http/client.ts';

export type Visit = {
  readonly sessionId: string;
  readonly flow: Flow;
  readonly api: FlowApi;
  /** Ends all calls and clears the person's data. */
  end: () => void;
};

type VisitTools = {
  line: Pick<Line, 'fetch' | 'pause' | 'follow' | 'isUp'>;
  signer: () => Promise<Sign | null>;
  reload: () => void;
};

export function startVisit(opened: OpenResponse, { line, reload, signer }: VisitTools): Visit {
  const stopper = new AbortController();
  const memory = memoryOf(opened.flow_token);
  let first: Snapshot | null = opened.snapshot;
  const sessionId = opened.snapshot.session_id;
  const until = (signal: AbortSignal | null | undefined) =>
    signal ? anySignal([signal, stopper.signal]) : stopper.signal;

  const link = { run: { kind: 'session' as const, id: sessionId }, directToken: null };
  const api = createFlowApi(link, memory, {
    fetch: (input, init) => line.fetch(input, { ...init, signal: until(init?.signal) }),
    pause: (ms, signal) => line.pause(ms, until(signal)),
    report: (reason) => flow.reportWaiting(reason),
  });
  const opening: FlowApi = {
    ...api,
    open: async () => {
      const snapshot = first ?? (await api.snapshot());
      first = null;
      return snapshot;
    },
  };
  const flow = createFlow(opening, {
    device: 'kiosk',
    handoffCode: null,
    continuationCode: null,
    noCamera: false,
    handoff: null,
    reload() {
      // The page forgets the run, and the guest’s code would stay bound to it.
      api.release();
      reload();
    },
  });
  // A guest who only reads keeps the screen: a lost line is their trouble once they wait for an answer.
  const sayCut = () => {
    const { busy, waiting } = flow.state();
    if (!line.isUp() && busy && waiting === null) flow.lineIs(false);
  };
  const unfollow = line.follow((isUp) => (isUp ? flow.lineIs(true) : sayCut()));
  flow.subscribe(sayCut);
  flow.load();
  return {
    sessionId,
    flow,
    api: { ...opening, capture: { ...opening.capture, signer } },
    end() {
      unfollow();
      flow.dispose();
      stopper.abort();
      first = null;
      memory.forget();
    },
  };
}

/** Never stored: a kiosk that is switched off during a check starts with nobody. */
function memoryOf(flowToken: string): RunMemory {
  let token: string | null = flowToken;
  return {
    token: () => token,
    keepToken: (next) => (token = next),
    resumeKey: () => '',
    keepResumeKey: () => undefined,
    lasts: () => true,
    handoff: () => null,
    keepHandoff: () => undefined,
    settle: () => undefined,
    settled: () => null,
    forget: () => (token = null),
  };
}
