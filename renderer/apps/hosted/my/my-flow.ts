/**
 * "My verifications" on this page: number, code, the organisers, and a confirmation before each change. One call at a
 * time; inapplicable calls are ignored.
 */
import type { PhoneState } from '../../../../server/contract/flow.ts';
import type { MyConnection, MyContact } from '../../../../server/contract/my.ts';
import type { WaitReason } from '../../../i18n/messages.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { type FlowRefusal, flowRefusalOf } from '../../../flow/flow-refusal.ts';
import { phoneTroubleOf } from '../../../flow/routing.ts';
import type { MyActionKind, MyApi, SentCode } from './my-api.ts';
import { NO_PHONE } from '../../../flow/phone-step.ts';

/** The page's last action, in words. */
export type Said =
  | { kind: 'disconnected' | 'erased'; organiser: string }
  | { kind: 'gone' | 'failed' | 'ended' | 'closed' };

export type MyState = {
  screen: 'number' | 'code' | 'list' | 'confirm';
  /** As typed; fills the field when the person goes back. */
  number: string;
  phone: PhoneState;
  phoneTrouble: FlowState['phoneTrouble'];
  connections: readonly MyConnection[];
  /** The page was opened by the proof of a run, not by a number. */
  isOfRun: boolean;
  /** Whom to ask without a number; null until known. */
  contact: MyContact | null;
  /** The change to be confirmed. */
  asked: { kind: MyActionKind; connection: MyConnection } | null;
  said: Said | null;
  waiting: WaitReason | null;
  busy: boolean;
};

export type MyFlow = ReturnType<typeof createMyFlow>;

const START: MyState = {
  screen: 'number',
  number: '',
  phone: NO_PHONE,
  phoneTrouble: null,
  connections: [],
  isOfRun: false,
  contact: null,
  asked: null,
  said: null,
  waiting: null,
  busy: false,
};

export function createMyFlow(api: MyApi, now: () => number = Date.now) {
  const listeners = new Set<() => void>();
  let state = START;
  const set = (change: Partial<MyState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const call = (
    work: () => Promise<Partial<MyState>>,
    refused: (problem: FlowRefusal) => Partial<MyState>,
  ) => {
    if (state.busy) return;
    set({ busy: true, phoneTrouble: null, said: null });
    void work()
      .catch((error: unknown) => refused(flowRefusalOf(error)))
      .then((change) => set({ ...change, busy: false }));
  };
  const startAgain = (said: Said): Partial<MyState> => {
    api.close();
    return { ...START, contact: state.contact, said };
  };
  const codeScreen = (number: string, sent: SentCode): Partial<MyState> => ({
    screen: 'code',
    number,
    phone: { ...NO_PHONE, hint: number, ...sent },
  });

  /** An earlier code is still valid, for example after a reload. The person may enter it. */
  const onTheWay = (number: string, retryAfterS: number): Partial<MyState> => {
    const iso = (ms: number) => new Date(ms).toISOString();
    return codeScreen(number, {
      code_sent_at: iso(now()),
      resend_at: iso(now() + retryAfterS * 1_000),
      resend_in_ms: retryAfterS * 1_000,
    });
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @param proof of the run that this device has just made, from its link; null if there is none */
    start(proof: string | null) {
      api.contact().then(
        (contact) => set({ contact }),
        // Without it, the page says the same in general.
        () => undefined,
      );
      if (proof === null) return;
      call(
        async () => ({ screen: 'list', isOfRun: true, connections: await api.openWith(proof) }),
        () => startAgain({ kind: 'ended' }),
      );
    },
    /** By default to the number typed before. */
    sendCode(phone: string | null) {
      const number = phone ?? state.number;
      if (number === '') return;
      call(
        async () => codeScreen(number, await api.sendCode(number)),
        (problem) => ({
          number,
          ...phoneRefusal(problem),
          ...(problem.code === 'resend_too_soon' ? onTheWay(number, problem.details.retryAfterS ?? 0) : {}),
        }),
      );
    },
    confirmCode(code: string) {
      if (state.screen !== 'code') return;
      call(
        async () => ({
          screen: 'list',
          phone: NO_PHONE,
          connections: await api.open(state.number, code),
        }),
        codeRefusal,
      );
    },
    changeNumber: () => {
      if (!state.busy) set({ screen: 'number', phoneTrouble: null, said: null });
    },
    ask(kind: MyActionKind, connection: MyConnection) {
      if (!state.busy) set({ screen: 'confirm', asked: { kind, connection }, said: null });
    },
    back: () => {
      if (!state.busy) set({ screen: 'list', asked: null, said: null });
    },
    act: () => {
      const { asked } = state;
      if (asked === null) return;
      const { kind, connection } = asked;
      const done = kind === 'erase' ? 'erased' : 'disconnected';
      const list = (connections: MyConnection[], said: Said): Partial<MyState> => ({
        screen: 'list',
        asked: null,
        connections,
        said,
      });
      call(
        async () => {
          try {
            const left = await api.act(kind, connection.connection_id);
            return list(left, { kind: done, organiser: connection.organiser });
          } catch (error) {
            // Changed elsewhere meanwhile: shows what is left.
            if (flowRefusalOf(error).code !== 'not found') throw error;
            return list(await api.list(), { kind: 'gone' });
          }
        },
        ({ code }) =>
          code === 'flow_token_required' || code === 'invalid_flow_token'
            ? startAgain({ kind: 'ended' })
            : { said: { kind: 'failed' } },
      );
    },
    /** Clears everything, for the next person at this device. */
    close: () => {
      if (!state.busy) set(startAgain({ kind: 'closed' }));
    },
    reportWaiting: (waiting: WaitReason | null) => set({ waiting }),
  };
}

/** A refusal is shown next to its field if it has one, otherwise above the screen. */
function phoneRefusal({ code, details }: FlowRefusal): Partial<MyState> {
  const trouble = phoneTroubleOf(code);
  return trouble === null ? { said: { kind: 'failed' } } : { phoneTrouble: { trouble, ...details } };
}

/** A code that has expired or used up its tries needs a new one either way. */
function codeRefusal(problem: FlowRefusal): Partial<MyState> {
  const usedUp = problem.code === 'code_required' || problem.code === 'too_many_codes';
  return usedUp ? { phoneTrouble: { trouble: 'code_expired', ...problem.details } } : phoneRefusal(problem);
}
