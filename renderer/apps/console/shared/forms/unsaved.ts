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
export const hasUnsaved = (places?: Places): boolean =>
  [...forms.values()].some((entry) => entry.isDirty && isWithin(entry, places));

/** Dialogs, drawers and forms; the whole page if undefined. */
type Places = readonly symbol[];

const isWithin = ({ within }: Entry, places: Places | undefined): boolean =>
  places === undefined || within.some((place) => places.includes(place));

export function discardUnsaved(places?: Places): void {
  for (const entry of forms.values()) {
    if (!entry.isDirty || !isWithin(entry, places)) continue;
    entry.isDirty = false;
    entry.discard();
  }
}

/** What waits for an answer. */
type Question = { places: Places | undefined; leave: () => void };

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
export function leaveUnsaved(places: Places | undefined, leave: () => void): void {
  if (hasUnsaved(places)) show({ places, leave });
  else leave();
}

export function answer(isDiscarded: boolean): void {
  const asked = question;
  show(null);
  if (!isDiscarded || asked === null) return;
  discardUnsaved(asked.places);
  asked.leave();
}

/**
 * Registers a form or a field.
 * @param discard forgets the changes
 * @returns `place`, which names it, `saved`, to be called before anything leaves it, and `leave`, which asks first
 */
export function useUnsaved(
  isDirty: boolean,
  discard: () => void = () => undefined,
): { place: symbol; saved: () => void; leave: (then: () => void) => void } {
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
  const leave = useCallback((then: () => void) => leaveUnsaved([id], then), [id]);
  return { place: id, saved, leave };
}

/** Closes the dialog or drawer around a button, and asks first. */
export const Close = createContext<(() => void) | null>(null);

/**
 * For a dialog or drawer: forms inside register with it, and closing it asks.
 * @param form around it whose fields it shows
 */
export function useGuardedClose(
  onClose: () => void,
  form?: symbol,
): {
  close: () => void;
  within: readonly symbol[];
  isAsking: boolean;
} {
  const [place] = useState(() => Symbol('place'));
  const around = use(Around);
  const isAsking = useQuestion() !== null;
  const places = form === undefined ? [place] : [place, form];
  return { close: () => leaveUnsaved(places, onClose), within: [...around, place], isAsking };
}
