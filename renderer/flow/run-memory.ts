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
  forget: () => void;
};

const FIELDS = ['token', 'resume', 'handoff'] as const;
type Field = (typeof FIELDS)[number];
const PROBE = 'gatehouse.probe';

/** @param storage `localStorage` or similar; each call may throw */
export function createRunMemory({ kind, id }: RunLink, storage: () => Storage): RunMemory {
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
    forget() {
      inMemory.clear();
      for (const field of FIELDS) quietly(() => storage().removeItem(keyOf(field)), undefined);
    },
  };
}
