/** What the forms of the page share, in memory only: gone with the page. */
import { createContext, useContext } from 'react';

export type TrialMemory = {
  key: string;
  /** The result token that a test pass gave last. */
  token: string;
  setKey: (key: string) => void;
  setToken: (token: string) => void;
};

export const TrialMemoryContext = createContext<TrialMemory | null>(null);

/** @throws outside of the page's provider */
export function useTrialMemory(): TrialMemory {
  const memory = useContext(TrialMemoryContext);
  if (memory === null) throw new Error('No TrialMemoryContext above.');
  return memory;
}
