/**
 * The data that this device keeps about a run, so that a reload resumes it: the flow token, the key that proves who
 * opened it even if the reply was lost, and the handoff from a computer. Private windows may refuse storage, as do
 * frames if the browser blocks it for third parties; the data then lasts as long as the page.
 */
import type { HandoffOpenResponse } from '../../server/contract/flow.ts';
import { newResumeKey } from '../embed/protocol.ts';
import type { RunLink } from './link.ts';

/** The data that a phone has about a run before the person has typed the computer's number. */
export type PendingHandoff = Omit<HandoffOpenResponse, 'flow_token'>;

export type RunMemory = {
  token: () => string | null;
  keepToken: (token: string) => void;
  /** 128 random bits, created and stored at the first call. */
  resumeKey: () => string;
  /** Uses the key that the embedding page keeps for this run. */
  keepResumeKey: (key: string) => void;
  /** Whether the next page of this link will know the run: storage works, or the embedding page keeps the key. */
  lasts: () => boolean;
  /** The handoff through which the run came here; null on a device that took nothing over. */
  handoff: () => PendingHandoff | null;
  keepHandoff: (handoff: PendingHandoff) => void;
  /** The run has a result: only this tab keeps it, so that a reload shows it again. */
  settle: (sessionId: string) => void;
  /** The session of which this tab showed the result before it was reloaded. */
  settled: () => string | null;
  forget: () => void;
};

const FIELDS = ['token', 'resume', 'handoff'] as const;
const SETTLED = 'settled';
type Field = (typeof FIELDS)[number] | typeof SETTLED;
const PROBE = 'gatehouse.probe';

/** Where a page keeps it; each call may throw. */
type Places = {
  /** `localStorage` or similar. */
  storage: () => Storage;
  /** `sessionStorage` or similar, for a run that has ended. */
  tab: () => Storage;
  /** The page was reloaded or gone back to. A link that is opened again shows nobody's earlier result. */
  returns: boolean;
};

export function createRunMemory({ kind, id }: RunLink, { storage, tab, returns }: Places): RunMemory {
  const inMemory = new Map<Field, string>();
  let keptElsewhere = false;
  const keyOf = (field: Field): string => `gatehouse.run.${kind}.${id}.${field}`;
  const quietly = <T>(action: () => T, otherwise: T): T => {
    try {
      return action();
    } catch {
      return otherwise;
    }
  };
  const read = (field: Field): string | null =>
    inMemory.get(field) ?? quietly(() => storage().getItem(keyOf(field)), null);
  const keep = (field: Field, value: string): void => {
    inMemory.set(field, value);
    quietly(() => storage().setItem(keyOf(field), value), undefined);
  };
  for (const field of [...FIELDS, SETTLED] as const) {
    const kept = quietly(() => tab().getItem(keyOf(field)), null);
    if (kept === null) continue;
    if (returns) inMemory.set(field, kept);
    else quietly(() => tab().removeItem(keyOf(field)), undefined);
  }
  return {
    token: () => read('token'),
    keepToken: (token) => keep('token', token),
    resumeKey() {
      const known = read('resume');
      if (known !== null) return known;
      const made = newResumeKey();
      keep('resume', made);
      return made;
    },
    keepResumeKey(key) {
      keptElsewhere = true;
      keep('resume', key);
    },
    lasts: () =>
      keptElsewhere ||
      quietly(() => {
        storage().setItem(PROBE, '');
        storage().removeItem(PROBE);
        return true;
      }, false),
    handoff() {
      const kept = read('handoff');
      return kept === null ? null : quietly(() => JSON.parse(kept) as PendingHandoff, null);
    },
    keepHandoff: (handoff) => keep('handoff', JSON.stringify(handoff)),
    settle(sessionId) {
      for (const field of ['token', 'handoff'] as const) {
        const value = read(field);
        if (value !== null) quietly(() => tab().setItem(keyOf(field), value), undefined);
      }
      quietly(() => tab().setItem(keyOf(SETTLED), sessionId), undefined);
      for (const field of FIELDS) quietly(() => storage().removeItem(keyOf(field)), undefined);
    },
    settled: () => inMemory.get(SETTLED) ?? null,
    forget() {
      inMemory.clear();
      for (const field of FIELDS) quietly(() => storage().removeItem(keyOf(field)), undefined);
      for (const field of [...FIELDS, SETTLED] as const)
        quietly(() => tab().removeItem(keyOf(field)), undefined);
    },
  };
}
