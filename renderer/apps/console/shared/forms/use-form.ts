/** The values of a form: what its user changed, the version it was read at, and a draft for the tab. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { meQuery, scopeSearch } from '../client/session.ts';
import { changedFields } from '../dialogs/changed.ts';
import { stringifySearch, useSearch } from '../lists/search.ts';
import { draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts';
import { text, tick } from './fields.ts';
import { useUnsaved } from './unsaved.ts';

type Options<T> = {
  /** Unique among the forms of the console; null keeps no draft. */
  name: string | null;
  /** The values as they are stored now. A form without changes follows them. */
  read: T;
  version?: string | undefined;
  /** Fields that no draft has: passphrases, keys. */
  secret?: readonly (keyof T)[];
  /** False: nothing is lost that anybody would miss, so leaving it asks nothing. */
  asks?: boolean;
};

/** Fields that take any such value: a text from a fixed choice is not one. */
type NamesOf<T, Value> = {
  [Name in keyof T]: [T[Name], Value] extends [Value, T[Name]] ? Name : never;
}[keyof T];

export type Form<T> = {
  values: T;
  set: (change: Partial<T>) => void;
  /** Shows and changes the value of a text field. */
  text: (field: NamesOf<T, string>) => ReturnType<typeof text>;
  /** The same of a box or a switch. */
  tick: (field: NamesOf<T, boolean>) => ReturnType<typeof tick>;
  /** The values with which it was opened. */
  opened: T;
  version: string | undefined;
  changes: Partial<T>;
  isChanged: boolean;
  /** What was typed earlier in this tab is shown again. */
  isRestored: boolean;
  discard: () => void;
  /** To be called before anything leaves the form. */
  saved: () => void;
  /** Names it for the dialog that shows its fields. */
  place: symbol;
  /** Runs `then`, but asks first if something would be lost. */
  leave: (then: () => void) => void;
};

const NONE: readonly never[] = [];

type State<T> = { opened: T; version: string | undefined; values: T; seen: string; isRestored: boolean };

export function useForm<T extends object>({
  name,
  read,
  version,
  secret = NONE,
  asks = true,
}: Options<T>): Form<T> {
  const key = useDraftKey(name);
  const seen = JSON.stringify([read, version]);
  const fresh = (): State<T> => ({ opened: read, version, values: read, seen, isRestored: false });
  const [state, setState] = useState<State<T>>(() => restored(key, fresh()));
  const changes = changedFields(state.opened, state.values);
  const isChanged = Object.keys(changes).length > 0;
  // What others change shows in a form that its user has not touched; a touched one keeps what it was opened with.
  if (state.seen !== seen) setState(isChanged ? { ...state, seen } : fresh());

  const forget = () => {
    if (key !== null) dropDraft(key);
  };
  const discard = () => {
    forget();
    setState(fresh());
  };
  const unsaved = useUnsaved(isChanged && asks, discard);
  useEffect(() => {
    if (key === null) return;
    if (!isChanged) {
      dropDraft(key);
      return;
    }
    const without = (values: T): object =>
      Object.fromEntries(Object.entries(values).filter(([field]) => !secret.includes(field as keyof T)));
    keepDraft(key, {
      opened: without(state.opened),
      version: state.version ?? null,
      values: without(state.values),
    });
  }, [key, isChanged, state, secret]);
  const set = (change: Partial<T>) =>
    setState((before) => ({ ...before, values: { ...before.values, ...change } }));
  const setOne = (field: keyof T) => (value: unknown) => set({ [field]: value } as Partial<T>);
  return {
    values: state.values,
    set,
    text: (field) => text(state.values[field] as string, setOne(field)),
    tick: (field) => tick(state.values[field] as boolean, setOne(field)),
    opened: state.opened,
    version: state.version,
    changes,
    isChanged,
    isRestored: state.isRestored && isChanged,
    discard,
    saved() {
      forget();
      unsaved.saved();
      setState((before) => ({ ...before, opened: before.values, isRestored: false }));
    },
    place: unsaved.place,
    leave: unsaved.leave,
  };
}

function restored<T extends object>(key: string | null, fresh: State<T>): State<T> {
  const draft = key === null ? null : readDraft(key);
  if (draft === null) return fresh;
  // Only fields that the form still has.
  const own = (values: object): T => ({
    ...fresh.opened,
    ...Object.fromEntries(Object.entries(values).filter(([field]) => field in fresh.opened)),
  });
  const opened = own(draft.opened);
  return {
    ...fresh,
    opened,
    version: draft.version ?? undefined,
    values: own(draft.values),
    isRestored: true,
  };
}

/** Filled in before anybody can sign in. Its draft goes with the first sign-in. */
export const FIRST_START = 'first start';

/** Null if nobody is signed in. */
function useDraftKey(name: string | null): string | null {
  const me = useQueryClient().getQueryData(meQuery.queryKey);
  const place = stringifySearch(scopeSearch(useSearch()));
  if (name === null || (!me && name !== FIRST_START)) return null;
  return draftKey(me?.operator.operator_id ?? 'nobody', place, name);
}

/** Whether a form with that name has a draft: its dialog opens again with it. */
export function useHasDraft(): (name: string) => boolean {
  const me = useQueryClient().getQueryData(meQuery.queryKey);
  const place = stringifySearch(scopeSearch(useSearch()));
  return (name) => Boolean(me) && readDraft(draftKey(me?.operator.operator_id ?? '', place, name)) !== null;
}
