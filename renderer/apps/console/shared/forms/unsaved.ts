/** Which forms of the page have changes that are not saved, and the question before they are lost. */
import { createContext, use, useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react';

type Entry = {
  isDirty: boolean;
  discard: () => void;
  /** The form itself, and the dialogs and drawers around it. */
  within: readonly symbol[];
};

const forms = new Map<symbol, Entry>();

/** The dialogs and drawers around a form, outermost first. */
export const Around = createContext<readonly symbol[]>([]);

/** Whether something is not saved, on the whole page or within a dialog, a drawer or a form. */
export const hasUnsaved = (place?: symbol): boolean =>
  [...forms.values()].some(
    ({ isDirty, within }) => isDirty && (place === undefined || within.includes(place)),
  );

export function discardUnsaved(place?: symbol): void {
  for (const entry of forms.values()) {
    if (!entry.isDirty || (place !== undefined && !entry.within.includes(place))) continue;
    entry.isDirty = false;
    entry.discard();
  }
}

/** What waits for an answer. */
type Question = { place: symbol | undefined; leave: () => void };

let question: Question | null = null;
const listeners = new Set<() => void>();

function show(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

const follow = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useQuestion = (): Question | null => useSyncExternalStore(follow, () => question);

/** Runs `leave`, but asks first if it would lose something. */
export function leaveUnsaved(place: symbol | undefined, leave: () => void): void {
  if (hasUnsaved(place)) show({ place, leave });
  else leave();
}

export function answer(isDiscarded: boolean): void {
  const asked = question;
  show(null);
  if (!isDiscarded || asked === null) return;
  discardUnsaved(asked.place);
  asked.leave();
}

/**
 * Registers a form or a field.
 * @param discard forgets the changes
 * @returns `saved`, to be called before anything leaves the form, and `leave`, which asks first
 */
export function useUnsaved(
  isDirty: boolean,
  discard: () => void = () => undefined,
): { saved: () => void; leave: (then: () => void) => void } {
  const [id] = useState(() => Symbol('form'));
  const around = use(Around);
  useLayoutEffect(() => {
    forms.set(id, { isDirty, discard, within: [...around, id] });
  });
  useLayoutEffect(() => () => void forms.delete(id), [id]);
  const saved = useCallback(() => {
    const entry = forms.get(id);
    if (entry !== undefined) entry.isDirty = false;
  }, [id]);
  const leave = useCallback((then: () => void) => leaveUnsaved(id, then), [id]);
  return { saved, leave };
}

/** Closes the dialog or drawer around a button, and asks first. */
export const Close = createContext<(() => void) | null>(null);

/** For a dialog or drawer: forms inside register with it, and closing it asks. */
export function useGuardedClose(onClose: () => void): {
  close: () => void;
  within: readonly symbol[];
  isAsking: boolean;
} {
  const [place] = useState(() => Symbol('place'));
  const around = use(Around);
  const isAsking = useQuestion() !== null;
  return { close: () => leaveUnsaved(place, onClose), within: [...around, place], isAsking };
}
