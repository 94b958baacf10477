/** Sends what a form's user changed, with the version it was read at, and offers both values if somebody else was there first. */
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Conflict } from '../../../../../server/contract/console/common.ts';
import { RequestError } from '../../../../http/request-error.ts';
import { ConflictNotice, type Labels, type Side } from './ConflictNotice.tsx';
import type { Form } from './use-form.ts';
import { withPart } from './with-part.ts';
import { Button } from '@mantine/core';
import { Icon } from '../icons.tsx';
import { useCommonWords } from '../words.tsx';

type Options<T, R> = {
  send: (changes: Partial<T>, version: string | undefined) => Promise<R>;
  /** Shows the reply, or closes the form. */
  onSaved?: (reply: R) => void;
  /** The label of each field that somebody else can change. */
  labels: Labels;
  /** A value in words; undefined for the usual way. */
  show?: (field: string, value: unknown) => string | undefined;
  /** Puts a value of the wire into the form; by default into the field of the same name. */
  take?: (field: string, value: unknown, values: T, side: Side) => Partial<T>;
};

export type Saving = {
  mutate: () => void;
  isPending: boolean;
  isSuccess: boolean;
  error: unknown;
  /** What the form's user should know before saving. */
  notes: ReactNode;
  /** Of the form. */
  place?: symbol | undefined;
};

export function useSaving<T extends object, R>(
  form: Form<T>,
  { send, onSaved, labels, show, take = takeField }: Options<T, R>,
): Saving {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const [isOverlooked, setOverlooked] = useState(false);
  const saving = useMutation({
    mutationFn: () => send(form.changes, conflict?.version ?? form.version),
    onSuccess: (reply) => {
      setConflict(null);
      form.saved();
      onSaved?.(reply);
    },
    onError: (error) => {
      const found = conflictOf(error);
      setConflict(found ?? conflict);
      if (found !== null) setSides({});
      setOverlooked(false);
    },
  });
  const isOpen = conflict !== null && conflict.fields.some(({ field }) => sides[field] === undefined);
  const choose = (field: string, side: Side) => {
    const values = conflict?.fields.find((each) => each.field === field);
    form.set(take(field, side === 'yours' ? values?.yours : values?.theirs, form.values, side));
    setSides((before) => ({ ...before, [field]: side }));
  };
  return {
    // Nothing is replaced that was not looked at.
    mutate: () => (isOpen ? setOverlooked(true) : saving.mutate()),
    place: form.place,
    isPending: saving.isPending,
    isSuccess: saving.isSuccess && !form.isChanged,
    error: conflictOf(saving.error) === null ? saving.error : null,
    notes: (
      <>
        {form.isRestored && conflict === null && <RestoredNotice discard={form.discard} />}
        {conflict !== null && (
          <ConflictNotice
            conflict={conflict}
            labels={labels}
            {...(show !== undefined && { show })}
            sides={sides}
            choose={choose}
            isOverlooked={isOverlooked && isOpen}
          />
        )}
      </>
    ),
  };
}

/** Null for any other error. */
export const conflictOf = (error: unknown): Conflict | null =>
  error instanceof RequestError && error.code === 'changed_meanwhile'
    ? ((error.facts['conflict'] as Conflict | undefined) ?? null)
    : null;

/** The value of a field, or of one of its options: `config.limit.kind`. */
function takeField<T extends object>(field: string, value: unknown, values: T): Partial<T> {
  const [name = '', ...rest] = field.split('.');
  return { [name]: withPart((values as Record<string, unknown>)[name], rest, value) } as Partial<T>;
}

/** Above a form whose earlier text is back. */
function RestoredNotice({ discard }: { discard: () => void }) {
  const { forms: words } = useCommonWords();
  return (
    <div className="note" data-tone="action" role="status">
      <Icon name="info" />
      <span>{words.restored}</span>
      <Button variant="subtle" size="compact-sm" onClick={discard}>
        {words.discard}
      </Button>
    </div>
  );
}
