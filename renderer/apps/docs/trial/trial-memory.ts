/** Shared by the forms of the page, in memory only: lost with the page. */
import { createContext, useContext } from 'react';

type TrialMemory = {
  key: string;
  /** The latest result token of a test pass. */
  token: string;
  setKey: (key: string) => void;
  setToken: (token: string) => void;
};

export const TrialMemoryContext = createContext<TrialMemory | null>(null);

/** @throws outside the page's provider */
export function useTrialMemory(): TrialMemory {
  const memory = useContext(TrialMemoryContext);
  if (memory === null) throw new Error('No TrialMemoryContext above.');
  return memory;
}
